#!/usr/bin/env python3
"""The cost of a token event in the worker of python-engine: CPU time of the worker and wall time of
the timed section, for each event. The engine is an adapter that does nothing else; the row
"streams" contains the asynchronous streams themselves. The limit is 4 us at 32 events a frame.

    bench/engine_events.py [STEPS]
"""
import os
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "../tests/plugins/engines"))
from worker_host import ENDED, RESULTS, TOKENS, Host  # noqa: E402

ADAPTER = """
import asyncio
import time

from inferbench_worker.streams import Streams


async def stream(steps):
    for _ in range(steps):
        await asyncio.sleep(0)
        yield 0, 1, None


class Engine:
    def load(self, options):
        self.steps, self.call = options["steps"], options["call"]

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

    def results(self, batch):
        return [{"measures": [{"name": "cpu", "value": self.cpu}]}] * batch.count
"""


def main():
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 20000
    print("| events a frame | call | CPU of the worker | wall time |\n|---|---|---|---|")
    for many in (1, 32, 256):
        for call in ("tokens", "token_events", "streams"):
            with Host(ADAPTER) as worker:
                worker.ready(steps=steps, call=call)
                seen = worker.batch([{"prompt": "x", "output_tokens": steps}] * many)
            began, ended = struct.unpack("<QQ", seen[ENDED][0])
            assert len(seen[TOKENS]) == steps
            events = steps * many
            cpu = seen[RESULTS][0]["results"][0]["measures"][0]["value"]
            print("| %d | %s | %.2f us | %.2f us |" % (many, call, cpu / events * 1e6,
                                                       (ended - began) / events / 1e3))


if __name__ == "__main__":
    main()
