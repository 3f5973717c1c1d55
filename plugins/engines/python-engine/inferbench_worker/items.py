"""What an adapter gets: a batch and its items. docs/engine-protocol.md, "An adapter"."""
import array
import struct
import sys
import threading
import time

from . import fields, frames
from .frames import Violation

MAX_ITEMS = 1 << 24
MAX_EVENTS = 1 << 20
_LENGTH = struct.Struct("<I")
_STEP = struct.Struct("<QI")
_ONE_TOKEN = 1 << 48  # an event of one token of output 0, as one integer of 64 bits
_PROGRESS_NS = 250_000_000

if array.array("I").itemsize != 4 or array.array("Q").itemsize != 8:
    raise ImportError("this Python has integers of an unusual size")


class Cancelled(Exception):
    """The user has ended the batch."""


class Medium:
    """An image, a video or a sound; data is None if uri has its place."""
    __slots__ = ("kind", "mime", "data", "uri")


class Adapter:
    """A LoRA adapter."""
    __slots__ = ("number", "name", "path")


class Item:
    """One request."""
    __slots__ = ("number", "prompt", "_tokens", "messages", "media", "adapter", "input_tokens",
                 "output_tokens", "max_tokens", "overrides")

    @property
    def token_ids(self):
        """A new list, or None."""
        if self._tokens is None:
            return None
        ids = array.array("I")
        ids.frombytes(self._tokens)
        if sys.byteorder == "big":
            ids.byteswap()
        return ids.tolist()


def sampling_of(run):
    """The sampling parameters of a frame run, as a dictionary without missing keys."""
    inner = run.inner("sampling")
    return {"n": inner.integer("n", 1, 1, 65535),
            "temperature": inner.number("temperature", 1.0),
            "top_p": inner.number("top_p", 1.0),
            "ignore_eos": inner.flag("ignore_eos", False),
            "max_tokens": inner.integer("max_tokens", None, 1),
            "beam_width": inner.integer("beam_width", 1, 1, 65535)}


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
        if len(payload) < 4:
            raise Violation("items", "", "shorter than 4 bytes")
        length, = _LENGTH.unpack_from(payload)
        if length > len(payload) - 4:
            raise Violation("items", "", "JSON of %d bytes in a payload of %d bytes"
                            % (length, len(payload)))
        whole = fields.parsed("items", payload[4:4 + length])
        data = payload[4 + length:]
        if whole.integer("first") != len(self.items):
            raise whole.wrong("first", "not %d" % len(self.items))
        items = whole.objects("items")
        if not items:
            raise whole.wrong("items", "empty")
        if len(self.items) + len(items) > self.count:
            raise whole.wrong("items", "more items than the %d of the frame run" % self.count)
        for item in items:
            self.items.append(self._item(item, data))

    def _item(self, of, data):
        item = Item()
        item.number = len(self.items)
        given = [key for key in ("prompt", "tokens", "messages") if key in of.value]
        if len(given) != 1:
            raise of.wrong("prompt", "exactly one of prompt, tokens and messages is needed, not %s"
                           % (" and ".join(given) or "none"))
        item.prompt = of.text("prompt", None)
        item._tokens = of.blob("tokens", data, 4) if "tokens" in of.value else None
        item.messages = None
        if "messages" in of.value:
            messages = of.objects("messages")
            for message in messages:
                message.text("role")
            if not messages:
                raise of.wrong("messages", "empty")
            item.messages = [message.value for message in messages]
        item.media = [self._medium(medium, data) for medium in of.objects("media", ())]
        item.adapter = self._adapter(of.inner("adapter", None))
        item.input_tokens = of.integer("input_tokens", None)
        item.output_tokens = of.integer("output_tokens", None, 1)
        item.max_tokens = self.sampling["max_tokens"] or item.output_tokens
        if item.max_tokens is None:
            raise of.wrong("output_tokens", "missing, and sampling.max_tokens is null")
        item.overrides = of.plain("overrides", {})
        return item

    @staticmethod
    def _medium(of, data):
        medium = Medium()
        medium.kind = of.choice("kind", ("image", "audio", "video"))
        medium.mime = of.text("mime", "")
        if ("data" in of.value) == ("uri" in of.value):
            raise of.wrong("data", "exactly one of data and uri is needed")
        medium.data = bytes(of.blob("data", data)) if "data" in of.value else None
        medium.uri = of.text("uri", None)
        return medium

    @staticmethod
    def _adapter(of):
        if of is None:
            return None
        adapter = Adapter()
        adapter.number = of.integer("number", low=1)
        adapter.name, adapter.path = of.text("name"), of.text("path")
        return adapter

    def begin(self):
        """Begins the timed section; returns its time stamp."""
        stamp = time.monotonic_ns()
        self._wire.send(frames.BEGAN, struct.pack("<Q", stamp))
        self._last = time.monotonic_ns()
        return self._last

    def end(self, began):
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
        self._wire.send_json(frames.LOG, {"level": level, "text": text[:frames.MAX_TEXT]})

    def check_cancelled(self):
        if self.cancelled.is_set():
            raise Cancelled()
