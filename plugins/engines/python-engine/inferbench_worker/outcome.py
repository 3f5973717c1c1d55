"""The results of an adapter, as frames. A mistake of the adapter is a Failure with the field."""
import math

from . import frames
from .adapter import Failure

PER_FRAME = 1024
BYTES_PER_FRAME = 4 << 20

CAPABILITIES = ("generate", "chat", "beam_search", "async", "prequeue", "adapters", "profile",
                "submit")


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


def result_payload(result, what):
    """The JSON of one result."""
    if not isinstance(result, dict):
        raise Failure("internal", "%s of the adapter is a %s, not a dictionary"
                      % (what, type(result).__name__))
    data = payload_of(result, what)
    if len(data) > frames.MAX_PAYLOAD - 100:  # the frame has a few bytes around it
        raise Failure("internal", "%s of the adapter has %d bytes; a frame has at most %d"
                      % (what, len(data), frames.MAX_PAYLOAD))
    return data


def send_results(wire, results, batch):
    """Sends results of at most batch.count items, and returns how many there were. An engine that
    returned fewer is reported by the host, which compares the numbers."""
    try:
        results = iter(results)
    except TypeError:
        raise Failure("internal", "results() of the adapter returned a %s, not a list or another"
                      " iterable" % type(results).__name__) from None
    first = sent = size = 0
    parts = []
    for result in results:
        if sent == batch.count:
            raise Failure("run", "the engine returned more than %d results for %d items"
                          % (sent, sent))
        data = result_payload(result, "results[%d]" % sent)
        if parts and size + len(data) > BYTES_PER_FRAME:
            _send(wire, first, parts)
            first, size, parts = sent, 0, []
        parts.append(data)
        sent += 1
        size += len(data)
        if len(parts) == PER_FRAME:
            _send(wire, first, parts)
            first, size, parts = sent, 0, []
            batch.check_cancelled()
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
             "capabilities": getattr(engine, "capabilities", ("generate",)),
             "profiler": "", "profile_path": "", "measures": []}
    ready.update(said or {})
    words = ready["capabilities"]
    if not isinstance(words, (list, tuple, set, frozenset)) or \
            not all(isinstance(word, str) for word in words):
        raise Failure("internal", "capabilities of the adapter is %r; expected is a tuple of words,"
                      " such as (\"generate\",)" % (words,))
    ready["capabilities"] = words = list(words)
    for word, function in (("submit", "submit"), ("profile", "start_profile")):
        if word in words and not callable(getattr(engine, function, None)):
            raise Failure("internal", "the adapter has the capability %s, but no function %s"
                          % (word, function))
    return payload_of(ready, "ready"), [word for word in words if word not in CAPABILITIES]
