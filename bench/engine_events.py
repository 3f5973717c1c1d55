#!/usr/bin/env python3
"""The cost of a token event in the worker of python-engine: CPU time of the worker and wall time,
for each event. The engine is an adapter that does nothing else. The rows "streams" and "submit"
contain the asynchronous streams themselves; "submit" are single requests that all run at the same
time, with a text in each event. The limit is 4 us at 32 events a frame.

    bench/engine_events.py [STEPS]
"""
import json
import os
import struct
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "../tests/plugins/engines"))
from worker_host import ENDED, FINISHED, RESULTS, SUBMIT, TEXT, TOKENS, Host, frame  # noqa: E402
from worker_host import with_blobs  # noqa: E402

ADAPTER = """
import asyncio
import time

from inferbench_worker.streams import Streams


async def stream(steps):
    for _ in range(steps):
        await asyncio.sleep(0)
        yield 0, 1, None


class Engine:
    capabilities = ("generate", "submit")

    def load(self, options):
        self.steps, self.call = options["steps"], options["call"]
        self.loaded = time.process_time()

    def run(self, batch):
        alive = list(range(batch.count))
        began = time.process_time()
        if self.call == "tokens":
            for _ in range(self.steps):
                batch.tokens(alive)
        elif self.call == "streams":
            Streams(asyncio.new_event_loop()).drain(batch, [stream(self.steps) for _ in alive])
        else:
            for _ in range(self.steps):
                batch.token_events([(i, 0, 1) for i in alive])
        self.cpu = time.process_time() - began

    async def submit(self, item, call):
        for _ in range(self.steps):
            await asyncio.sleep(0)
            call.text("word", 1)
        return {"measures": [{"name": "cpu", "value": time.process_time() - self.loaded}]}

    def results(self, batch):
        return [{"measures": [{"name": "cpu", "value": self.cpu}]}] * batch.count
"""


def batch(worker, steps, many):
    """CPU time and wall time of a batch, in seconds."""
    seen = worker.batch([{"prompt": "x", "output_tokens": steps}] * many)
    began, ended = struct.unpack("<QQ", seen[ENDED][0])
    assert len(seen[TOKENS]) == steps
    return (seen[RESULTS][0]["results"][0]["measures"][0]["value"], (ended - began) / 1e9)


def single_requests(worker, steps, many):
    """CPU time and wall time of single requests that begin together, in seconds."""
    item = {"prompt": "x", "output_tokens": steps}
    frames = [frame(SUBMIT, with_blobs({"request": n, "sampling": {}, "item": item}))
              for n in range(many)]
    began = time.monotonic()
    worker.socket.sendall(b"".join(frames))
    ended = 0
    while ended < many:
        kind, value = worker.receive_raw()
        assert kind in (TEXT, FINISHED)
        ended += kind == FINISHED
    wall = time.monotonic() - began
    return json.loads(value)["result"]["measures"][0]["value"], wall


def main():
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 20000
    print("| events a frame | call | CPU of the worker | wall time |\n|---|---|---|---|")
    for many in (1, 32, 256):
        for call in ("tokens", "token_events", "streams", "submit"):
            with Host(ADAPTER) as worker:
                worker.ready(steps=steps, call=call)
                cpu, wall = single_requests(worker, steps, many) if call == "submit" else \
                    batch(worker, steps, many)
            print("| %d | %s | %.2f us | %.2f us |" % (
                many, call, cpu / (steps * many) * 1e6, wall / (steps * many) * 1e6))


if __name__ == "__main__":
    main()
