"""What an adapter returns, as frames. A mistake of the adapter is a Failure with the field."""
import math

from . import frames
from .adapter import Failure

PER_FRAME = 1024
BYTES_PER_FRAME = 4 << 20

CAPABILITIES = ("generate", "chat", "beam_search", "async", "prequeue", "adapters", "profile")


def payload_of(value, what):
    """The JSON of value; what names it in a message, such as results[3]."""
    try:
        return frames.encoded(value)
    except (TypeError, ValueError, RecursionError) as error:
        raise Failure("internal", "the adapter returned something that is not JSON: %s"
                      % (_culprit(value, what) or error)) from None


def _culprit(value, path):
    """The first value that JSON does not have, with its path; or ""."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if not isinstance(key, str):
                return "%s: the key %r is not a string" % (path, key)
        inners = [("%s.%s" % (path, key), inner) for key, inner in value.items()]
    elif isinstance(value, (list, tuple)):
        inners = [("%s[%d]" % (path, i), inner) for i, inner in enumerate(value)]
    else:
        if isinstance(value, float) and not math.isfinite(value):
            return "%s is %r" % (path, value)
        known = value is None or isinstance(value, (str, int, float)) or hasattr(value, "item")
        return "" if known else "%s is a %s" % (path, type(value).__name__)
    return next(filter(None, (_culprit(inner, at) for at, inner in inners)), "")


def send_results(wire, results, count):
    """Sends results of at most count items, and returns how many there were. An engine that
    returned fewer is reported by the host, which compares the numbers."""
    first = sent = size = 0
    parts = []
    for result in results:
        if sent == count:
            raise Failure("run", "the engine returned more than %d results for %d items"
                          % (count, count))
        if not isinstance(result, dict):
            raise Failure("internal", "results[%d] of the adapter is a %s, not a dictionary"
                          % (sent, type(result).__name__))
        parts.append(payload_of(result, "results[%d]" % sent))
        sent += 1
        size += len(parts[-1])
        if len(parts) == PER_FRAME or size >= BYTES_PER_FRAME:
            _send(wire, first, parts)
            first, size, parts = sent, 0, []
    if parts:
        _send(wire, first, parts)
    return sent


def _send(wire, first, parts):
    wire.send(frames.RESULTS, b'{"first":%d,"results":[%s]}' % (first, b",".join(parts)))


def ready_of(engine, said, load_ns):
    """The frame ready, from what load() returned."""
    if said is not None and not isinstance(said, dict):
        raise Failure("internal", "load() of the adapter returned a %s, not a dictionary"
                      % type(said).__name__)
    ready = {"load_ns": load_ns, "max_model_len": None, "max_adapters": None,
             "capabilities": list(getattr(engine, "capabilities", ("generate",))),
             "profiler": "", "profile_path": "", "measures": []}
    ready.update(said or {})
    return payload_of(ready, "ready")
