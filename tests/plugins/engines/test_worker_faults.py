"""Tests of the worker of python-engine against hostile hosts, and with adapters that fail."""
import os
import signal
import struct
import subprocess
import sys
import time
import unittest

import worker_host as host
from test_worker import BLOBS, ECHO, TWO, echo_with
from worker_host import Host, place_of, results


class HostileHosts(unittest.TestCase):
    def refused(self, data, frame, field, reason, after="ready"):
        """The worker answers data with an error of kind protocol, and ends with status 2."""
        with self.subTest(frame=frame, field=field, reason=reason), Host(ECHO) as worker:
            if after == "ready":
                worker.ready()
            elif after == "hello":
                worker.hello()
            worker.socket.sendall(data)
            kind, error = worker.receive()
            self.assertEqual((kind, error.get("kind")), (host.ERROR, "protocol"))
            self.assertEqual((error["frame"], error["field"], error["fatal"]), (frame, field, True))
            self.assertIn(reason, error["text"])
            self.assertEqual(worker.status(), 2)

    def run_frame(self, **keys):
        return host.frame(host.RUN, host.json_bytes(dict(
            {"run": 1, "mode": "generate", "count": 2, "sampling": {}}, **keys)))

    def items(self, items, blobs=b"", **more):
        return self.run_frame() + host.frame(host.ITEMS, host.items_payload(items, blobs, **more))

    def test_heads(self):
        self.refused(struct.pack("<IB3x", 1 << 29, host.RUN), "run", "", "a payload of 536870912")
        self.refused(struct.pack("<IB3s", 0, host.GO, b"\0\1\0"), "go", "", "not 0")
        self.refused(host.frame(200), "kind 200", "", "not a frame of the host")
        self.refused(host.frame(host.READY, b"{}"), "ready", "", "not a frame of the host")
        self.refused(host.frame(host.GO, b"x"), "go", "", "a payload of 1 bytes")
        self.refused(host.frame(host.PING, b"x"), "ping", "", "1 bytes, not 8")

    def test_order(self):
        self.refused(host.frame(host.LOAD, b"{}"), "load", "", "before hello", after="")
        self.refused(host.frame(host.PING, bytes(8)), "ping", "", "before hello", after="")
        self.refused(host.frame(host.GO), "go", "", "before load", after="hello")
        self.refused(host.frame(host.HELLO, b"{}"), "hello", "", "after load")
        self.refused(host.frame(host.GO), "go", "", "without a run")
        self.refused(host.frame(host.ITEMS, host.items_payload(TWO, BLOBS)), "items", "",
                     "without a run")
        self.refused(self.run_frame() + self.run_frame(), "run", "", "before go")
        self.refused(self.items(TWO[:1]) + host.frame(host.GO), "go", "", "after 1 of 2 items")

    def test_json(self):
        for text, reason in ((b"[]", "not a JSON object"), (b"{", "not JSON"),
                             (b'{"run":NaN}', "not JSON"), (b'{"a":1,"a":2}', "key 'a' twice"),
                             (b'{"a":"\xff"}', "not UTF-8"), (b"[" * 100000, "nested too deeply"),
                             (b"", "not JSON")):
            self.refused(host.frame(host.RUN, text), "run", "", reason)

    def test_the_version(self):
        hello = host.json_bytes({"protocol": 2, "host": "x"})
        self.refused(host.frame(host.HELLO, hello), "hello", "protocol", "not between 1 and 1",
                     after="")

    def test_fields_of_run(self):
        for key, value, reason in (("run", 0, "not between"), ("run", True, "not an integer"),
                                   ("mode", "x", "is none of"), ("count", 1 << 25, "not between"),
                                   ("count", 1.5, "not an integer"), ("async", 1, "not true"),
                                   ("sampling", [], "not an object")):
            self.refused(self.run_frame(**{key: value}), "run", key, reason)
        for key, value, reason in (("n", 0, "not between"), ("temperature", "1", "not a number"),
                                   ("max_tokens", 0, "not between")):
            self.refused(self.run_frame(sampling={key: value}), "run", "sampling." + key, reason)

    def test_fields_of_items(self):
        one = {"prompt": "x", "output_tokens": 1}
        for item, field, reason in (
                ({"output_tokens": 1}, "items[0].prompt", "not none"),
                (dict(one, tokens=[0, 4]), "items[0].prompt", "not prompt and tokens"),
                ({"tokens": [0, 4], "output_tokens": 1}, "items[0].tokens", "has 0 bytes"),
                ({"tokens": [0, -4], "output_tokens": 1}, "items[0].tokens", "not a blob"),
                ({"tokens": "x", "output_tokens": 1}, "items[0].tokens", "not a blob"),
                ({"prompt": "x"}, "items[0].output_tokens", "missing"),
                (dict(one, media=[{"kind": "smell"}]), "items[0].media[0].kind", "is none of"),
                (dict(one, media=[{"kind": "image"}]), "items[0].media[0].data", "exactly one"),
                (dict(one, adapter={"number": 0}), "items[0].adapter.number", "not between"),
                (dict(one, overrides=1), "items[0].overrides", "not an object"),
                ({"messages": [{"content": "x"}], "output_tokens": 1}, "items[0].messages[0].role",
                 "missing"),
                (3, "items[0]", "not an object")):
            self.refused(self.items([item]), "items", field, reason)
        self.refused(self.items([{"tokens": [0, 3], "output_tokens": 1}], b"abc"), "items",
                     "items[0].tokens", "multiple of 4")
        self.refused(self.items([one] * 3), "items", "items", "more items than the 2")
        self.refused(self.items([one], first=1), "items", "first", "not 0")
        self.refused(self.items([]), "items", "items", "empty")
        self.refused(self.run_frame() + host.frame(host.ITEMS, b"abc"), "items", "", "shorter")
        self.refused(self.run_frame() + host.frame(host.ITEMS, struct.pack("<I", 9)), "items", "",
                     "JSON of 9 bytes in a payload of 4 bytes")

    def test_a_violation_during_a_batch_ends_the_worker(self):
        endless = echo_with("time.sleep(self.delay)", "time.sleep(600)")
        with Host(endless) as worker:
            worker.ready()
            worker.start(TWO, BLOBS)
            worker.expect(host.BEGAN)
            worker.send(200)
            self.assertEqual(worker.expect(host.ERROR)["frame"], "kind 200")
            self.assertEqual(worker.status(), 2)

    def test_a_frame_that_is_cut_is_a_violation(self):
        with Host(ECHO) as worker:
            worker.ready()
            worker.socket.sendall(struct.pack("<IB3x", 9, host.RUN) + b"abc")
            worker.socket.shutdown(1)  # SHUT_WR
            error = worker.expect(host.ERROR)
            self.assertIn("ended within a frame", error["text"])
            self.assertEqual(worker.status(), 2)


class EndsOfTheHost(unittest.TestCase):
    def test_a_host_that_dies_takes_the_whole_group_along(self):
        parent = echo_with("        return {\"max_model_len\"", "        import subprocess\n"
                           "        child = subprocess.Popen(['sleep', '600'])\n"
                           "        return {'max_adapters': child.pid, \"max_model_len\"")
        for batch in (False, True):
            hangs = parent.replace("time.sleep(self.delay)", "time.sleep(600)")
            with self.subTest(in_a_batch=batch), Host(hangs) as worker:
                child = worker.ready()["max_adapters"]
                if batch:
                    worker.start(TWO, BLOBS)
                    worker.expect(host.BEGAN)
                worker.socket.close()
                self.assertEqual(worker.process.wait(host.PATIENCE_S), -signal.SIGKILL)
                self.assertTrue(gone(child))

    def test_bye_ends_a_batch_in_progress(self):
        with Host(echo_with("time.sleep(self.delay)", "time.sleep(600)")) as worker:
            worker.ready()
            worker.start(TWO, BLOBS)
            worker.expect(host.BEGAN)
            self.assertEqual(worker.bye(), 0)

    def test_an_interrupt_is_left_to_the_host_and_sigterm_ends_the_group(self):
        with Host(ECHO) as worker:
            worker.ready()
            worker.process.send_signal(signal.SIGINT)
            self.assertEqual(len(results(worker.batch(TWO, BLOBS))), 2)
            worker.process.send_signal(signal.SIGTERM)
            self.assertEqual(worker.process.wait(host.PATIENCE_S), -signal.SIGKILL)


def gone(pid):
    """Waits until a process that is not our child has ended."""
    while True:
        try:
            with open("/proc/%d/stat" % pid, encoding="ascii") as file:
                if file.read().rsplit(") ", 1)[1][0] == "Z":
                    return True
        # The second: its parent has waited for it between open() and read().
        except (FileNotFoundError, ProcessLookupError):
            return True
        time.sleep(0.01)


class FailingAdapters(unittest.TestCase):
    def failed(self, adapter, kind, text, during="go", status=1, **keys):
        with self.subTest(text=text), Host(adapter) as worker:
            if during == "hello":
                worker.send_json(host.HELLO, {"protocol": 1, "host": "x"})
            else:
                worker.hello()
                worker.send_json(host.LOAD, {"options": {}})
                if during == "go":
                    worker.expect(host.READY)
                    worker.start(TWO, BLOBS)
            error = worker.rest()[host.ERROR][0]
            self.assertEqual((error["kind"], error["fatal"]), (kind, True), error)
            self.assertIn(text, error["text"])
            for key, value in keys.items():
                self.assertEqual(error[key], value)
            self.assertEqual(worker.status(), status)

    def test_files_that_are_no_adapter(self):
        self.failed("nothing", "import", "there is no adapter", during="hello")
        self.failed("a = 1\n", "import", "has no class Engine", during="hello")
        self.failed("class Engine:\n    pass\n", "import", "has no function load", during="hello")
        self.failed("def x(:\n", "import", "adapter.py:1: ", during="hello")
        self.failed("import not_there.x\n", "import", "No module named", during="hello",
                    package="not_there")
        self.failed("raise OSError('x')\n", "import", "OSError: x", during="hello")

    def test_errors_of_load(self):
        for raised, kind, text, keys in (
                ("ValueError('unknown option x')", "option", "unknown option x", {}),
                ("TypeError(\"f() got an unexpected keyword argument 'x'\")", "option", "x",
                 {"option": "x"}),
                ("TypeError('x')", "load", "TypeError: x", {}),
                ("MemoryError()", "memory", "MemoryError", {}),
                ("RuntimeError('CUDA error: out of memory')", "memory", "out of memory", {}),
                ("ConnectionError('the hub')", "load", "the hub", {}),
                ("SystemExit(3)", "load", "sys.exit(3)", {}),
                ("ImportError('no', name='flash.attn')", "import", "no", {"package": "flash"}),
                ("RuntimeError('a\\n  b')", "load", "RuntimeError: a b", {})):
            adapter = echo_with("self.delay = ", "raise %s\n        self.delay = " % raised)
            self.failed(adapter, kind, text, during="load", **keys)
        self.failed(echo_with('return {"max_model_len": 4096}', "return 3"), "internal",
                    "load() of the adapter returned a int", during="load")
        self.failed(echo_with("4096}", "float('nan')}"), "internal", "ready.max_model_len is nan",
                    during="load")

    def test_errors_of_a_batch(self):
        run = "self.made = [0]"
        for old, new, kind, text in (
                (run, "raise RuntimeError('broken')\n        self.made = [0]", "run", "broken"),
                (run, "raise MemoryError()\n        self.made = [0]", "memory", "MemoryError"),
                (run, "raise KeyboardInterrupt()\n        self.made = [0]", "run", "Keyboard"),
                ("batch.tokens(alive)", "batch.tokens([2])", "run", "item 2 of 2"),
                ("batch.tokens(alive)", "batch.token_events([(0, 0, 0)])", "run", "0 tokens"),
                ("batch.tokens(alive)", "batch.tokens(alive, 5)", "run", "the time stamp 5"),
                ("yield {", "batch.tokens([0]); yield {", "run", "outside of the timed section"),
                ("yield {", "yield 3; yield {", "internal", "results[0] of the adapter is a int"),
                ("yield {", "yield {}; yield {", "run", "more than 2 results"),
                ('"tokens": made', '"tokens": float("inf")', "internal",
                 "results[0].outputs[0].tokens is inf"),
                ('"tokens": made', '"tokens": {1}', "internal",
                 "results[0].outputs[0].tokens is a set")):
            self.failed(echo_with(old, new), kind, text)

    def test_an_error_names_the_line_of_the_adapter_in_which_or_below_which_it_was_raised(self):
        adapter = echo_with("self.made = [0]", "sorted([1, ''])\n        self.made = [0]")
        self.failed(adapter, "run", place_of(adapter, "sorted(") + ": TypeError: '<' not")
        adapter = echo_with("batch.tokens(alive)", "batch.tokens([2])")
        self.failed(adapter, "run", place_of(adapter, "batch.tokens([2])") + ": ")
        adapter = echo_with("self.delay = ", "1 / 0\n        self.delay = ")
        self.failed(adapter, "load", place_of(adapter, "1 / 0") + ": ZeroDivisionError",
                    during="load")

    def test_an_option_that_is_refused_has_no_place(self):
        adapter = echo_with("self.delay = ", "raise ValueError('no')\n        self.delay = ")
        with Host(adapter) as worker:
            worker.hello()
            worker.send_json(host.LOAD, {"options": {}})
            error = worker.rest()[host.ERROR][0]
            self.assertEqual((error["kind"], error["text"]), ("option", "ValueError: no"))

    def test_fewer_results_are_left_to_the_host_to_report(self):
        with Host(echo_with("        for prompt, made in zip(self.prompts,",
                            "        for prompt, made in zip(self.prompts[1:],")) as worker:
            worker.ready()
            self.assertEqual(worker.batch(TWO, BLOBS)[host.DONE][0]["results"], 1)

    def test_an_engine_that_prints_does_not_touch_the_frames(self):
        prints = echo_with("time.sleep(self.delay)", "print('noise'); import os; "
                           "os.write(1, b'more noise\\n'); os.system('echo child')")
        with Host(prints) as worker:
            worker.ready()
            self.assertEqual(len(results(worker.batch(TWO, BLOBS))), 2)
            self.assertEqual(worker.bye(), 0)
            self.assertEqual(worker.said().split("\n")[:3], ["noise", "more noise", "child"])

    def test_an_engine_that_dies_ends_the_socket(self):
        with Host(echo_with("time.sleep(self.delay)", "import os; os._exit(7)")) as worker:
            worker.ready()
            worker.start(TWO, BLOBS)
            self.assertEqual(worker.status(), 7)

    def test_a_child_of_the_engine_does_not_keep_the_socket(self):
        forks = echo_with("time.sleep(self.delay)", "import os\n            if os.fork() == 0:\n"
                          "                time.sleep(600)\n            os._exit(7)")
        with Host(forks) as worker:
            worker.ready()
            worker.start(TWO, BLOBS)
            self.assertEqual(worker.status(), 7)

    def test_the_worker_alone_says_how_it_is_started(self):
        done = subprocess.run([sys.executable, host.WORKER, "x"], stderr=subprocess.PIPE,
                              stdin=subprocess.DEVNULL, env=dict(os.environ,
                                                                 PYTHONDONTWRITEBYTECODE="1"))
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"is started by inferbench", done.stderr)


if __name__ == "__main__":
    unittest.main()
