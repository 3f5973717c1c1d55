"""Asynchronous streams, one for each item: all are started at the same time and drained."""
import asyncio
import time

from .items import Cancelled


class Streams:
    """Drains the streams of a batch on an event loop. cancel() may be called on any thread."""

    def __init__(self, loop):
        self._loop = loop
        self._all = None
        self._events = []
        self._at = None

    def drain(self, batch, streams):
        """streams[i] is an asynchronous generator of triples for item i: output, number of new
        tokens, and the engine's own object. Returns for each item the list of its last objects, one
        for each output. All events of one turn of the event loop, which are those of one step of
        the engine, become one frame."""
        return self._loop.run_until_complete(self._gather(batch, streams))

    async def _gather(self, batch, streams):
        self._done = 0
        self._all = asyncio.gather(*[self._one(batch, i, stream)
                                     for i, stream in enumerate(streams)])
        try:
            batch.check_cancelled()  # a cancel that came before there was anything to cancel
            last = await self._all
        except asyncio.CancelledError:
            if batch.cancelled.is_set():
                raise Cancelled() from None
            raise
        finally:
            if not self._all.done():
                self._all.cancel()
            self._all = None
        self._flush(batch)
        return last

    async def _one(self, batch, number, stream):
        last = {}
        async for output, tokens, thing in stream:
            last[output] = thing
            if tokens > 0:
                if not self._events:
                    self._at = time.monotonic_ns()
                    self._loop.call_soon(self._flush, batch)
                self._events.append((number, output, tokens))
        self._done += 1
        batch.progress(self._done, batch.count)
        return [last[output] for output in sorted(last)]

    def _flush(self, batch):
        if self._events:
            events, self._events = self._events, []
            batch.token_events(events, self._at)

    def cancel(self):
        def stop():
            if self._all is not None:
                self._all.cancel()
        self._loop.call_soon_threadsafe(stop)
