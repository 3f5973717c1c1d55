"""A batch: its items, and what the adapter tells while it works. docs/engine-protocol.md, "An
adapter"."""
import array
import struct
import sys
import threading
import time

from . import frames
from .items import Cancelled, item_of, parts_of, sampling_of

MAX_ITEMS = 1 << 24
MAX_EVENTS = 1 << 20
_STEP = struct.Struct("<QI")
_ONE_TOKEN = 1 << 48  # an event of one token of output 0, as one integer of 64 bits
_PROGRESS_NS = 250_000_000


class Batch:
    """A frame run and its items. tokens, token_events and progress may be called on any thread."""

    def __init__(self, run, wire):
        self.number = run.integer("run", low=1)
        self.mode = run.choice("mode", ("generate", "chat", "beam_search"))
        self.count = run.integer("count", low=1, high=MAX_ITEMS)
        self.is_async = run.flag("async", False)
        self.prequeue = run.flag("prequeue", False)
        self.profile = run.flag("profile", False)
        self.detokenize = run.flag("detokenize", True)
        self.request_id_prefix = run.text("request_id_prefix", "test")
        self.sampling = sampling_of(run)
        self.items = []
        self.cancelled = threading.Event()
        self._wire = wire
        self._lock = threading.Lock()
        self._last = None  # time stamp of the latest event; None outside of the timed section
        self._shown = 0

    def add(self, payload):
        """Adds the items of a frame."""
        whole, data = parts_of("items", payload)
        if whole.integer("first") != len(self.items):
            raise whole.wrong("first", "not %d" % len(self.items))
        given = whole.objects("items")
        if not given:
            raise whole.wrong("items", "empty")
        if len(self.items) + len(given) > self.count:
            raise whole.wrong("items", "more items than the %d of the frame run" % self.count)
        for item in given:
            self.items.append(item_of(item, data, len(self.items), self.sampling["max_tokens"]))

    def begin(self):
        """Begins the timed section; returns its time stamp."""
        stamp = time.monotonic_ns()
        self._wire.send(frames.BEGAN, struct.pack("<Q", stamp))
        self._last = time.monotonic_ns()
        return self._last

    def end(self, began):
        with self._lock:  # an event on another thread comes before the end or is refused
            stamp = time.monotonic_ns()
            self._last = None
        self._wire.send(frames.ENDED, struct.pack("<QQ", began, stamp))

    def tokens(self, items, at=None):
        """One token of output 0 of each of these items, in one frame with one time stamp."""
        if not items:
            return
        if min(items) < 0 or max(items) >= self.count:
            raise ValueError("tokens: item %d of %d" % (max(items), self.count))
        self._events(array.array("Q", [item + _ONE_TOKEN for item in items]), at)

    def token_events(self, events, at=None):
        """Triples of item, output and number of tokens, in one frame with one time stamp."""
        packed = array.array("Q")
        for item, output, tokens in events:
            if not (0 <= item < self.count and 0 <= output < 65536 and 0 < tokens < 65536):
                raise ValueError("token_events: item %d of %d, output %d, %d tokens"
                                 % (item, self.count, output, tokens))
            packed.append(item | output << 32 | tokens << 48)
        if packed:
            self._events(packed, at)

    def _events(self, packed, at):
        if sys.byteorder == "big":
            packed.byteswap()
        with self._lock:
            now = time.monotonic_ns()
            if self._last is None:
                raise ValueError("tokens: outside of the timed section")
            if at is None:
                at = now
            elif not self._last <= at <= now:
                raise ValueError("tokens: the time stamp %d is not between the stamp before it,"
                                 " %d, and now, %d" % (at, self._last, now))
            self._last = at
            for first in range(0, len(packed), MAX_EVENTS):
                part = packed[first:first + MAX_EVENTS] if len(packed) > MAX_EVENTS else packed
                self._wire.send(frames.TOKENS, _STEP.pack(at, len(part)) + part.tobytes())

    def progress(self, done, of):
        """Shows progress: at most four calls a second are sent, and the last one."""
        now = time.monotonic_ns()
        if now - self._shown < _PROGRESS_NS and done < of:
            return
        self._shown = now
        self._wire.send_json(frames.PROGRESS, {"done": done, "of": of})

    def log(self, level, text):
        """A line in the log of inferbench; level is debug, info, warning or error."""
        self._wire.send_json(frames.LOG, {"level": level, "text": frames.cut(text)})

    def check_cancelled(self):
        if self.cancelled.is_set():
            raise Cancelled()
