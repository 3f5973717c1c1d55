"""Requests for an adapter, with their prompts, media and LoRA adapters. docs/engine-protocol.md,
"An adapter"."""
import array
import struct
import sys

from . import fields
from .frames import Violation

_LENGTH = struct.Struct("<I")

if array.array("I").itemsize != 4 or array.array("Q").itemsize != 8:
    raise ImportError("this Python has integers of an unusual size")


class Cancelled(Exception):
    """The user has ended the batch or the request."""


class Medium:
    """An image, a video or a sound; data is None if uri has its place."""
    __slots__ = ("kind", "mime", "data", "uri")


class Adapter:
    """A LoRA adapter."""
    __slots__ = ("number", "name", "path")


class Item:
    """One request."""
    __slots__ = ("number", "prompt", "_tokens", "messages", "media", "adapter", "input_tokens",
                 "output_tokens", "max_tokens", "overrides", "priority")

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


def parts_of(frame, payload):
    """The JSON of a frame with blobs, and the blobs."""
    if len(payload) < 4:
        raise Violation(frame, "", "shorter than 4 bytes")
    length, = _LENGTH.unpack_from(payload)
    if length > len(payload) - 4:
        raise Violation(frame, "", "JSON of %d bytes in a payload of %d bytes"
                        % (length, len(payload)))
    return fields.parsed(frame, payload[4:4 + length]), payload[4 + length:]


def sampling_of(whole):
    """The sampling parameters of a frame, as a dictionary without missing keys."""
    inner = whole.inner("sampling")
    return {"n": inner.integer("n", 1, 1, 65535),
            "temperature": inner.number("temperature", 1.0),
            "top_p": inner.number("top_p", 1.0),
            "ignore_eos": inner.flag("ignore_eos", False),
            "max_tokens": inner.integer("max_tokens", None, 1),
            "beam_width": inner.integer("beam_width", 1, 1, 65535)}


def item_of(of, data, number, max_tokens):
    """An item from its JSON and the blobs of its frame. max_tokens is that of the sampling."""
    item = Item()
    item.number = number
    given = [key for key in ("prompt", "tokens", "messages") if key in of.value]
    if len(given) != 1:
        raise of.wrong("prompt", "exactly one of prompt, tokens and messages is needed, not %s"
                       % (" and ".join(given) or "none"))
    item.prompt = of.text("prompt", None)
    item._tokens = of.blob("tokens", data, 4) if "tokens" in of.value else None
    item.messages = _messages(of) if "messages" in of.value else None
    item.media = [_medium(medium, data) for medium in of.objects("media", ())]
    item.adapter = _adapter(of.inner("adapter", None))
    item.input_tokens = of.integer("input_tokens", None)
    item.output_tokens = of.integer("output_tokens", None, 1)
    item.max_tokens = max_tokens or item.output_tokens
    if item.max_tokens is None:
        raise of.wrong("output_tokens", "missing, and sampling.max_tokens is null")
    item.overrides = dict(of.plain("overrides", {}))
    item.priority = _taken_priority(of, item.overrides)
    return item


def _taken_priority(of, overrides):
    """A priority is for the scheduler, and no sampling parameter."""
    priority = overrides.pop("priority", None)
    if priority is not None and (isinstance(priority, bool) or not isinstance(priority, int)):
        raise of.wrong("overrides.priority", "not an integer")
    return priority


def _messages(of):
    messages = of.objects("messages")
    if not messages:
        raise of.wrong("messages", "empty")
    for message in messages:
        message.text("role")
    return [message.value for message in messages]


def _medium(of, data):
    medium = Medium()
    medium.kind = of.choice("kind", ("image", "audio", "video"))
    medium.mime = of.text("mime", "")
    if ("data" in of.value) == ("uri" in of.value):
        raise of.wrong("data", "exactly one of data and uri is needed")
    medium.data = bytes(of.blob("data", data)) if "data" in of.value else None
    medium.uri = of.text("uri", None)
    return medium


def _adapter(of):
    if of is None:
        return None
    adapter = Adapter()
    adapter.number = of.integer("number", low=1)
    adapter.name, adapter.path = of.text("name"), of.text("path")
    return adapter
