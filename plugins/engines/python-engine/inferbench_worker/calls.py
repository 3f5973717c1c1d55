"""The call of a single request, and the frames of its events. docs/engine-protocol.md, "Requests
that come one by one"."""
import struct
import threading
import time

from . import adapter, frames, outcome
from .frames import Violation
from .items import Cancelled

_STEP = struct.Struct("<QI")
_EVENT = struct.Struct("<IHHI")
_MOST_BYTES = 4 << 20


class Call:
    """One request in progress. text and check_cancelled may be called on any thread."""

    def __init__(self, number, sampling, detokenize, sender):
        self.number = number
        self.sampling = sampling
        self.detokenize = detokenize
        self.cancelled = threading.Event()
        self._sender = sender

    def text(self, text, tokens, output=0, at=None):
        """The engine has made tokens, and this text of them, now or at the time at, in nanoseconds
        of time.monotonic_ns()."""
        if not (0 <= tokens < 65536 and 0 <= output < 65536):
            raise ValueError("text: %d tokens of output %d" % (tokens, output))
        if not isinstance(text, str):
            raise TypeError("text: a %s, not a string" % type(text).__name__)
        if text or tokens:
            self._sender.add(self.number, output, tokens, text.encode("utf-8", "replace"), at)

    def check_cancelled(self):
        if self.cancelled.is_set():
            raise Cancelled()


class Sender:
    """Packs events into frames: those of one turn of the event loop, which are those of one step of
    the engine, become one frame; an event of another thread is a frame at once."""

    def __init__(self, wire, loop):
        self._wire, self._loop = wire, loop
        self._thread = threading.get_ident()
        self._lock = threading.RLock()
        self._open = set()
        self._heads, self._texts, self._size, self._at = [], [], 0, 0

    def open(self, number):
        with self._lock:
            if number in self._open:
                raise Violation("submit", "request", "%d is in progress already" % number)
            self._open.add(number)

    def add(self, number, output, tokens, text, at):
        with self._lock:
            if number not in self._open:
                raise ValueError("text: request %d is not in progress" % number)
            if at is not None:
                if at > time.monotonic_ns():
                    raise ValueError("text: the time stamp %d is in the future" % at)
                self._flush()
            if not self._heads:
                self._at = time.monotonic_ns() if at is None else at
                if at is None and self._loop and threading.get_ident() == self._thread:
                    self._loop.call_soon(self._flush)
            self._heads.append(_EVENT.pack(number, output, tokens, len(text)))
            self._texts.append(text)
            self._size += len(text)
            if at is not None or self._size > _MOST_BYTES or not self._loop or \
                    threading.get_ident() != self._thread:
                self._flush()

    def finish(self, number, result):
        """Sends finished. A result that is not as the protocol has it becomes an error."""
        try:
            data = outcome.result_payload(result, "result")
        except adapter.Failure as failure:
            data = frames.encoded({"error": str(failure)})
        with self._lock:
            if number in self._open:
                self._flush()
                self._open.remove(number)
                self._wire.send(frames.FINISHED, b'{"request":%d,"result":%s}' % (number, data))

    def close(self):
        """From now on nothing is sent."""
        with self._lock:
            self._open.clear()
            self._heads, self._texts, self._size = [], [], 0

    def _flush(self):
        with self._lock:
            if self._heads:
                parts = [_STEP.pack(self._at, len(self._heads))] + self._heads + self._texts
                self._heads, self._texts, self._size = [], [], 0
                self._wire.send(frames.TEXT, b"".join(parts))
