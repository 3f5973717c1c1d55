"""Tests of the worker of python-engine: its frames, with the adapter of the protocol's page."""
import json
import re
import struct
import time
import unittest

import worker_host as host
from worker_host import Host, events, results

ECHO = host.documented_adapter()
TWO = [{"prompt": "Hi", "output_tokens": 2}, {"tokens": [0, 8], "output_tokens": 1}]
BLOBS = struct.pack("<2I", 7, 300)


def echo_with(old, new):
    assert old in ECHO
    return ECHO.replace(old, new)


def with_profiler(engine):
    return engine + ("\n    def start_profile(self):\n        print('start')\n"
                     "\n    def stop_profile(self):\n        print('stop')\n")


class Frames(unittest.TestCase):
    def test_a_whole_conversation_has_the_documented_frames(self):
        with Host(ECHO) as worker:
            welcome = worker.hello()
            self.assertEqual((welcome["protocol"], welcome["adapter"], welcome["engine"],
                              welcome["pid"]), (1, "adapter", "echo 1.0", worker.process.pid))
            ready = worker.load(delay=0)
            self.assertEqual((ready["max_model_len"], ready["capabilities"], ready["profiler"]),
                             (4096, ["generate"], ""))
            seen = worker.batch(TWO, BLOBS)
            self.assertEqual(seen[host.DONE], [{"run": 1, "results": 2, "measures": []}])
            self.assertEqual([r["outputs"][0]["tokens"] for r in results(seen)], [2, 1])
            self.assertEqual([r["prompt_tokens"] for r in results(seen)], [2, 2])
            self.assertEqual([event[1:] for event in events(seen)],
                             [(0, 0, 1), (1, 0, 1), (0, 0, 1)])
            self.assertEqual(worker.bye(), 0)

    def test_the_page_has_the_bytes_of_this_conversation(self):
        with open(host.PROTOCOL, encoding="utf-8") as page:
            text = page.read().split("## Example")[1]
        dump = []
        for line in text.splitlines():
            title = re.match(r"    ([<>]) (\w+), (\d+) bytes", line)
            if title:
                dump.append((title.group(1), int(title.group(3)), bytearray()))
            elif line.startswith("      "):
                dump[-1][2].extend(bytes.fromhex(line[6:53].strip()))
        self.assertEqual(len(dump), 16)

        def kind_and_keys(data):
            kind, payload = data[4], bytes(data[8:])
            if kind in host.BINARY:
                return kind, len(payload), payload[12:] if kind == host.TOKENS else b""
            value = json.loads(payload)
            varying = ("pid", "python", "executable", "load_ns", "worker", "adapter")
            return kind, {k: v for k, v in value.items() if k not in varying}
        with Host(ECHO) as worker:
            for sender, length, data in dump:
                self.assertEqual(len(data), length)
                if sender == ">":
                    worker.socket.sendall(data)
                    continue
                kind, payload = worker.receive_raw()
                while kind == host.PROGRESS:
                    kind, payload = worker.receive_raw()
                self.assertEqual(kind_and_keys(host.frame(kind, payload)), kind_and_keys(data))
            self.assertEqual(worker.status(), 0)

    def test_the_timed_section_is_around_the_call_of_run_alone(self):
        slow = echo_with("    def prepare(self, batch):\n",
                         "    def prepare(self, batch):\n        self.before = "
                         "time.monotonic_ns()\n")
        slow = slow.replace("self.made = [0]", "self.entered = time.monotonic_ns()\n"
                            "        self.made = [0]")
        slow += ("\n    def measures(self, batch):\n        return [{'name': name, 'value': 0,"
                 " 'began_ns': at, 'ended_ns': at} for name, at in"
                 " (('prepare', self.before), ('run', self.entered))]\n")
        with Host(slow) as worker:
            worker.ready()
            seen = worker.batch(TWO, BLOBS)
            announced, = struct.unpack("<Q", seen[host.BEGAN][0])
            began, ended = struct.unpack("<QQ", seen[host.ENDED][0])
            before, entered = [m["began_ns"] for m in seen[host.DONE][0]["measures"]]
            self.assertTrue(before <= announced <= began <= entered <= ended)
            self.assertTrue(all(began <= event[0] <= ended for event in events(seen)))
            self.assertTrue(ended <= time.monotonic_ns(), "both read one clock")

    def test_a_ping_is_answered_while_the_engine_works(self):
        waiting = echo_with("time.sleep(self.delay)",
                            "batch.cancelled.wait()\n            batch.check_cancelled()")
        with Host(waiting) as worker:
            worker.ready()
            worker.start(TWO, BLOBS)
            worker.expect(host.BEGAN)
            before = time.monotonic_ns()
            worker.send(host.PING, b"12345678")
            pong = worker.expect(host.PONG)
            self.assertEqual(pong[:8], b"12345678")
            self.assertTrue(before <= struct.unpack("<Q", pong[8:])[0] <= time.monotonic_ns())
            worker.send(host.CANCEL)
            error = worker.expect(host.ERROR)
            self.assertEqual((error["kind"], error["fatal"]), ("cancelled", False))

    def test_a_batch_follows_a_cancelled_batch(self):
        once = echo_with("time.sleep(self.delay)",
                         "batch.number == 1 and batch.cancelled.wait()")
        with Host(once) as worker:
            worker.ready()
            worker.start(TWO, BLOBS)
            worker.expect(host.BEGAN)
            worker.send(host.CANCEL)
            self.assertIn(host.ERROR, worker.rest())
            self.assertEqual(len(results(worker.batch(TWO, BLOBS, number=2))), 2)

    def test_a_cancel_that_follows_go_at_once_ends_the_batch(self):
        # The batch learns of the cancel at any time of its arrival.
        waits = echo_with("    def prepare(self, batch):\n",
                          "    def prepare(self, batch):\n        batch.number < 3 and "
                          "batch.cancelled.wait()\n")
        with Host(waits) as worker:
            worker.ready()
            items = host.frame(host.ITEMS, host.items_payload(
                [{"prompt": "x", "output_tokens": 1}] * 20000))
            for number in (1, 2):  # the second batch, too: the first leaves nothing behind
                head = {"run": number, "mode": "generate", "count": 20000, "sampling": {}}
                # The worker still reads the items when the cancel has arrived.
                worker.socket.sendall(host.frame(host.RUN, host.json_bytes(head)) + items +
                                      host.frame(host.GO) + host.frame(host.CANCEL))
                seen = worker.rest()
                self.assertEqual([error["kind"] for error in seen.get(host.ERROR, [])],
                                 ["cancelled"])
                self.assertNotIn(host.BEGAN, seen)
            self.assertEqual(len(results(worker.batch(TWO, BLOBS, number=3))), 2)

    def test_a_cancel_between_run_and_go_ends_the_batch(self):
        with Host(ECHO) as worker:
            worker.ready()
            worker.start(TWO, BLOBS, before_go=host.frame(host.CANCEL))
            error = worker.rest()[host.ERROR][0]
            self.assertEqual((error["kind"], error["fatal"]), ("cancelled", False))
            self.assertEqual(len(results(worker.batch(TWO, BLOBS, number=2))), 2)

    def test_a_cancel_that_run_does_not_notice_ends_the_batch_after_run(self):
        deaf = echo_with("            batch.check_cancelled()\n", "")
        deaf = deaf.replace("time.sleep(self.delay)", "batch.number == 1 and "
                            "batch.cancelled.wait()")
        with Host(deaf) as worker:
            worker.ready()
            worker.start(TWO, BLOBS)
            worker.expect(host.BEGAN)
            worker.send(host.CANCEL)
            seen = worker.rest()
            self.assertEqual(seen[host.ERROR][0]["kind"], "cancelled")
            self.assertNotIn(host.RESULTS, seen)

    def test_a_profile_ends_with_a_batch_that_is_cancelled(self):
        profiled = with_profiler(echo_with("time.sleep(self.delay)", "batch.cancelled.wait()"))
        with Host(profiled) as worker:
            worker.ready()
            worker.start(TWO, BLOBS, profile=True)
            worker.expect(host.BEGAN)
            worker.send(host.CANCEL)
            self.assertEqual(worker.rest()[host.ERROR][0]["kind"], "cancelled")
            self.assertEqual(worker.bye(), 0)
            self.assertEqual(worker.said().split(), ["start", "stop"])

    def test_a_profile_ends_with_a_batch_that_the_engine_cannot_run(self):
        refuses = echo_with("time.sleep(self.delay)", "raise NotImplementedError('no chat')")
        with Host(with_profiler(refuses)) as worker:
            worker.ready()
            seen = worker.batch(TWO, BLOBS, profile=True)
            self.assertEqual(seen[host.ERROR][0]["kind"], "unsupported")
            self.assertEqual(worker.bye(), 0)
            self.assertEqual(worker.said().split(), ["start", "stop"])

    def test_a_cancel_outside_of_a_batch_has_no_effect(self):
        with Host(ECHO) as worker:
            worker.ready()
            worker.send(host.CANCEL)
            self.assertEqual(len(results(worker.batch(TWO, BLOBS))), 2)

    def test_results_are_cut_into_frames_of_1024(self):
        with Host(ECHO) as worker:
            worker.ready()
            items = [{"prompt": "x", "output_tokens": 1}] * 2500
            worker.send_json(host.RUN, {"run": 1, "mode": "generate", "count": 2500,
                                        "sampling": {}})
            worker.send(host.ITEMS, host.items_payload(items[:2000]))
            worker.send(host.ITEMS, host.items_payload(items[2000:], first=2000))
            worker.send(host.GO)
            seen = worker.rest()
            self.assertEqual([(part["first"], len(part["results"]))
                              for part in seen[host.RESULTS]],
                             [(0, 1024), (1024, 1024), (2048, 452)])

    def test_profiles_are_started_and_stopped_by_frames_and_within_a_batch(self):
        with Host(with_profiler(ECHO)) as worker:
            worker.ready()
            for action in ("start", "stop"):
                worker.send_json(host.PROFILE, {"action": action})
                self.assertEqual(worker.expect(host.PROFILED), {"action": action})
            worker.batch(TWO, BLOBS, profile=True)
            self.assertEqual(worker.bye(), 0)
            self.assertEqual(worker.said().split(), ["start", "stop", "start", "stop"])

    def test_what_the_engine_cannot_do_is_said_and_the_worker_goes_on(self):
        with Host(ECHO) as worker:
            worker.ready()
            worker.send_json(host.PROFILE, {"action": "start"})
            error = worker.expect(host.ERROR)
            self.assertEqual((error["kind"], error["fatal"], error["text"]),
                             ("unsupported", False, "the adapter has no profiler"))
            self.assertEqual(len(results(worker.batch(TWO, BLOBS))), 2)

    def test_an_adapter_sees_every_key_of_an_item(self):
        shows = echo_with('{"tokens": made', '{"text": repr(self.seen), "tokens": made')
        shows = shows.replace("self.prompts = [", "self.seen = [(i.number, i.prompt, i.token_ids,"
                              " i.messages, [(m.kind, m.mime, m.data, m.uri) for m in i.media],"
                              " i.adapter and (i.adapter.number, i.adapter.name, i.adapter.path),"
                              " i.input_tokens, i.output_tokens, i.max_tokens, i.overrides)"
                              " for i in batch.items]\n        self.prompts = [")
        item = {"tokens": [3, 4], "input_tokens": 9, "output_tokens": 5,
                "media": [{"kind": "image", "mime": "image/png", "data": [0, 3]},
                          {"kind": "video", "uri": "http://a/b"}],
                "adapter": {"number": 2, "name": "2", "path": "/lora"}, "overrides": {"top_k": 3}}
        with Host(shows) as worker:
            worker.ready()
            seen = worker.batch([item], b"PNG" + struct.pack("<I", 11), sampling={"max_tokens": 1})
            self.assertEqual(
                results(seen)[0]["outputs"][0]["text"],
                repr([(0, None, [11], None, [("image", "image/png", b"PNG", None),
                                             ("video", "", None, "http://a/b")],
                       (2, "2", "/lora"), 9, 5, 1, {"top_k": 3})]))

    def test_logs_and_progress_of_an_adapter_are_frames(self):
        tells = echo_with("        self.made = [0]", "        batch.log('warning', 'slow')\n"
                          "        batch.progress(1, 2)\n        self.made = [0]")
        with Host(tells) as worker:
            worker.ready()
            seen = worker.batch(TWO, BLOBS)
            self.assertEqual(seen[host.LOG], [{"level": "warning", "text": "slow"}])
            self.assertEqual(seen[host.PROGRESS], [{"done": 1, "of": 2}])


if __name__ == "__main__":
    unittest.main()
