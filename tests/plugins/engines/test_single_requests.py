"""Tests of the frames submit, abort, text and finished: requests that come one by one."""
import struct
import unittest

import worker_host as host
from worker_host import Host, place_of, results

STREAMS = """
import asyncio
import time


class Engine:
    capabilities = ("generate", "submit")

    def load(self, options):
        self.gate = None

    async def submit(self, item, call):
        if item.prompt == "wait":
            await asyncio.Event().wait()
        if item.prompt == "fail":
            raise ValueError("no such word")
        if item.prompt == "nothing":
            return None
        if item.prompt == "nan":
            return {"prompt_tokens": float("nan")}
        if item.prompt == "past":
            call.text("a", 1, at=time.monotonic_ns() - 1000)
            call.text("b", 1)
            return {"outputs": [{"tokens": 2}]}
        for step in range(item.max_tokens):
            call.text("ä%d" % step, 1, output=step % call.sampling["n"])
            await asyncio.sleep(0)
        return {"prompt_tokens": len(item.prompt), "outputs": [{"tokens": item.max_tokens}]}

    def run(self, batch):
        pass

    def results(self, batch):
        return [{"outputs": [{"tokens": 1}]} for item in batch.items]
"""

THREADS = """
import time


class Engine:
    capabilities = ("submit",)

    def load(self, options):
        pass

    def submit(self, item, call):
        if item.prompt == "wait":
            call.cancelled.wait()
            call.check_cancelled()
        if item.prompt == "exit":
            raise SystemExit(3)
        for step in range(item.max_tokens):
            call.text("x", 1)
        return {"outputs": [{"tokens": item.max_tokens, "finish_reason": "length"}]}
"""


def item(prompt, tokens=2):
    return {"prompt": prompt, "output_tokens": tokens}


class OnAnEventLoop(unittest.TestCase):
    def test_the_events_of_a_step_are_one_frame(self):
        with Host(STREAMS) as worker:
            self.assertEqual(worker.ready()["capabilities"], ["generate", "submit"])
            # In one piece, so that both begin in the same turn of the event loop.
            worker.socket.sendall(b"".join(host.frame(host.SUBMIT, host.with_blobs(
                {"request": n, "sampling": {"n": 2}, "item": item("Hi")})) for n in (4, 5)))
            frames, ended = [], {}
            while len(ended) < 2:
                kind, value = worker.receive()
                if kind == host.TEXT:
                    frames.append(host.text_events(value))
                else:
                    ended[value["request"]] = value["result"]
            self.assertEqual(ended, {n: {"prompt_tokens": 2, "outputs": [{"tokens": 2}]}
                                     for n in (4, 5)})
            for step, events in enumerate(frames if len(frames) == 2 else ()):
                self.assertEqual([event[1:] for event in events],
                                 [(n, step, 1, "ä%d" % step) for n in (4, 5)])
            self.assertEqual(sorted(event[1:] for events in frames for event in events),
                             sorted((n, s, 1, "ä%d" % s) for n in (4, 5) for s in (0, 1)))
            self.assertTrue(all(len({event[0] for event in events}) == 1 for events in frames))

    def test_the_function_of_the_page_is_complete(self):
        around = """
import types


class Engine:
    capabilities = ("submit",)

    def load(self, options):
        self.engine = self

    async def stream(self, prompt, tokens):
        for _ in range(tokens):
            yield types.SimpleNamespace(tokens=1, text="x", prompt_tokens=len(prompt))

"""
        with Host(around + host.documented_code(1)) as worker:
            worker.ready()
            worker.submit(0, item("Hi", 3))
            ended, texts = worker.finished(1)
            self.assertEqual(ended, {0: {"prompt_tokens": 2, "outputs": [
                {"tokens": 3, "finish_reason": "length"}]}})
            self.assertEqual([event[1:] for event in texts], [(0, 0, 1, "x")] * 3)

    def test_a_time_stamp_of_the_engine_is_a_frame_of_its_own(self):
        with Host(STREAMS) as worker:
            worker.ready()
            worker.submit(0, item("past"))
            _, texts = worker.finished(1)
            self.assertEqual([event[4] for event in texts], ["a", "b"])
            self.assertGreaterEqual(texts[1][0] - texts[0][0], 1000)

    def test_a_request_that_fails_leaves_the_others_and_the_worker(self):
        with Host(STREAMS) as worker:
            worker.ready()
            for number, prompt in enumerate(("fail", "nothing", "nan", "Hi")):
                worker.submit(number, item(prompt))
            ended, _ = worker.finished(4)
            self.assertEqual([ended[n].get("error", "") for n in range(4)], [
                place_of(STREAMS, "raise ValueError") + ": ValueError: no such word",
                "result of the adapter is a NoneType, not a dictionary",
                "the adapter returned something that is not JSON: result.prompt_tokens is nan",
                ""])
            self.assertEqual(len(results(worker.batch([item("a")]))), 1)
            self.assertEqual(worker.bye(), 0)

    def test_an_abort_ends_the_request_and_has_no_effect_after_its_end(self):
        with Host(STREAMS) as worker:
            worker.ready()
            worker.submit(1, item("wait"))
            worker.submit(2, item("Hi"))
            self.assertEqual(list(worker.finished(1)[0]), [2])
            for number in (2, 1, 99):
                worker.send_json(host.ABORT, {"request": number})
            self.assertEqual(worker.finished(1)[0], {1: {"error": "cancelled"}})
            self.assertEqual(worker.bye(), 0)

    def test_an_abort_that_follows_at_once_ends_the_request_before_it_has_begun(self):
        with Host(STREAMS) as worker:
            worker.ready()
            worker.socket.sendall(
                host.frame(host.SUBMIT, host.with_blobs({"request": 1, "sampling": {},
                                                         "item": item("wait")})) +
                host.frame(host.ABORT, host.json_bytes({"request": 1})))
            self.assertEqual(worker.finished(1)[0], {1: {"error": "cancelled"}})

    def test_bye_ends_the_worker_with_requests_in_progress(self):
        with Host(STREAMS) as worker:
            worker.ready()
            worker.submit(1, item("wait"))
            worker.ping()
            worker.send(host.BYE)
            self.assertRaises(host.Ended, worker.receive)
            self.assertEqual((worker.status(), worker.said()), (0, ""))

    def test_frames_that_are_not_allowed(self):
        one = {"request": 1, "sampling": {}, "item": item("wait")}
        for payload, field, reason in (
                (b"abc", "", "shorter than 4 bytes"),
                (host.with_blobs(dict(one, request=1 << 32)), "request", "not between"),
                (host.with_blobs(dict(one, item={"prompt": "x"})), "item.output_tokens", "missing"),
                (host.with_blobs(dict(one, item={"tokens": [0, 3], "output_tokens": 1}), b"abc"),
                 "item.tokens", "multiple of 4"),
                (host.with_blobs(dict(one, sampling={"n": 0})), "sampling.n", "not between"),
                (host.with_blobs({"request": 1, "item": {}}), "sampling", "missing")):
            with self.subTest(field=field), Host(STREAMS) as worker:
                worker.ready()
                worker.send(host.SUBMIT, payload)
                error = worker.expect(host.ERROR)
                self.assertEqual((error["kind"], error["frame"], error["field"]),
                                 ("protocol", "submit", field))
                self.assertIn(reason, error["text"])
                self.assertEqual(worker.status(), 2)
        with Host(STREAMS) as worker:
            worker.ready()
            worker.submit(1, item("wait"))
            worker.submit(1, item("wait"))
            self.assertIn("in progress already", worker.expect(host.ERROR)["text"])
        with Host(host.documented_adapter()) as worker:
            worker.ready()
            worker.submit(1, item("x"))
            error = worker.expect(host.ERROR)
            self.assertEqual((error["frame"], error["text"]),
                             ("submit", "the adapter has no function submit"))


class OnThreads(unittest.TestCase):
    def test_requests_run_at_the_same_time(self):
        with Host(THREADS) as worker:
            worker.ready()
            worker.submit(0, item("wait"))
            for number in range(1, 9):
                worker.submit(number, item("x", 3))
            ended, texts = worker.finished(8)
            self.assertEqual(sorted(ended), list(range(1, 9)))
            self.assertEqual(sorted(event[1] for event in texts), sorted(list(range(1, 9)) * 3))
            worker.send_json(host.ABORT, {"request": 0})
            self.assertEqual(worker.finished(1)[0], {0: {"error": "cancelled"}})
            worker.submit(9, item("exit"))
            self.assertIn("sys.exit(3)", worker.finished(1)[0][9]["error"])
            self.assertEqual(worker.bye(), 0)

    def test_bye_does_not_wait_for_a_thread(self):
        deaf = THREADS.replace("call.cancelled.wait()", "time.sleep(600)")
        with Host(deaf) as worker:
            worker.ready()
            worker.submit(0, item("wait"))
            worker.ping()
            self.assertEqual(worker.bye(), 0)

    def test_an_adapter_for_single_requests_refuses_batches(self):
        with Host(THREADS) as worker:
            worker.ready()
            error = worker.batch([item("x")])[host.ERROR][0]
            self.assertEqual((error["kind"], error["fatal"], error["text"]),
                             ("unsupported", False, "the adapter takes single requests only"))
            worker.submit(0, item("x"))
            self.assertEqual(list(worker.finished(1)[0]), [0])


class Limits(unittest.TestCase):
    def test_ten_thousand_requests_at_once(self):
        with Host(STREAMS) as worker:
            worker.ready()
            frame = [host.frame(host.SUBMIT, host.with_blobs(
                {"request": n, "sampling": {}, "item": item("Hi", 4)})) for n in range(10000)]
            for first in range(0, 10000, 500):
                worker.socket.sendall(b"".join(frame[first:first + 500]))
                ended, texts = worker.finished(500)
                self.assertEqual((len(ended), len(texts)), (500, 2000))

    def test_token_ids_come_as_blobs(self):
        counts = STREAMS.replace("len(item.prompt)", "sum(item.token_ids)")
        with Host(counts) as worker:
            worker.ready()
            worker.submit(0, {"tokens": [4, 8], "output_tokens": 1}, struct.pack("<3I", 1, 20, 30))
            self.assertEqual(worker.finished(1)[0][0]["prompt_tokens"], 50)


if __name__ == "__main__":
    unittest.main()
