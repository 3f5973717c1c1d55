"""The JSON of a frame. Each mistake is a Violation that names frame and field."""
import json

from .frames import Violation

LARGEST = (1 << 53) - 1
_REQUIRED = object()


def _unique(pairs):
    value = dict(pairs)
    if len(value) != len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError("key %r twice" % next(key for key in keys if keys.count(key) > 1))
    return value


def _no_constant(name):
    raise ValueError("%s is not JSON" % name)


def parsed(frame, payload):
    """The object in a payload."""
    try:
        value = json.loads(bytes(payload).decode("utf-8"), object_pairs_hook=_unique,
                           parse_constant=_no_constant)
    except UnicodeDecodeError as error:
        raise Violation(frame, "", "not UTF-8, at byte %d" % error.start) from None
    except RecursionError:
        raise Violation(frame, "", "JSON nested too deeply") from None
    except ValueError as error:
        raise Violation(frame, "", "not JSON: %s" % error) from None
    if not isinstance(value, dict):
        raise Violation(frame, "", "not a JSON object")
    return Fields(frame, "", value)


class Fields:
    """One object of a frame. A key without a default is required."""

    def __init__(self, frame, path, value):
        self.frame, self.path, self.value = frame, path, value

    def wrong(self, key, reason):
        return Violation(self.frame, self.path + key, reason)

    def _get(self, key, default):
        if key in self.value:
            return self.value[key]
        if default is _REQUIRED:
            raise self.wrong(key, "missing")
        return default

    def text(self, key, default=_REQUIRED):
        value = self._get(key, default)
        if value is not default and not isinstance(value, str):
            raise self.wrong(key, "not a string")
        return value

    def flag(self, key, default):
        value = self._get(key, default)
        if not isinstance(value, bool):
            raise self.wrong(key, "not true or false")
        return value

    def integer(self, key, default=_REQUIRED, low=0, high=LARGEST):
        """null is allowed if the default is None."""
        value = self._get(key, default)
        if value is None and default is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int):
            raise self.wrong(key, "not an integer")
        if not low <= value <= high:
            raise self.wrong(key, "not between %d and %d" % (low, high))
        return value

    def number(self, key, default):
        value = self._get(key, default)
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise self.wrong(key, "not a number")
        if abs(value) == float("inf"):  # such as 1e999
            raise self.wrong(key, "too large")
        return float(value)

    def plain(self, key, default=_REQUIRED):
        """An object as a dictionary, with any keys."""
        value = self._get(key, default)
        if value is not default and not isinstance(value, dict):
            raise self.wrong(key, "not an object")
        return value

    def inner(self, key, default=_REQUIRED):
        """An object with known keys; None if it is missing or null and the default is None."""
        value = self._get(key, default)
        if value is None and default is None:
            return None
        if not isinstance(value, dict):
            raise self.wrong(key, "not an object")
        return Fields(self.frame, "%s%s." % (self.path, key), value)

    def objects(self, key, default=_REQUIRED):
        """A list of objects with known keys."""
        values = self._get(key, default)
        if not isinstance(values, (list, tuple)):
            raise self.wrong(key, "not a list")
        for i, value in enumerate(values):
            if not isinstance(value, dict):
                raise self.wrong("%s[%d]" % (key, i), "not an object")
        return [Fields(self.frame, "%s%s[%d]." % (self.path, key, i), value)
                for i, value in enumerate(values)]

    def choice(self, key, words):
        value = self.text(key)
        if value not in words:
            raise self.wrong(key, "%r is none of %s" % (value, ", ".join(words)))
        return value

    def blob(self, key, data, multiple=1):
        """A part of data, which are the bytes after the JSON."""
        value = self._get(key, _REQUIRED)
        if (not isinstance(value, list) or len(value) != 2 or
                any(isinstance(v, bool) or not isinstance(v, int) or v < 0 for v in value)):
            raise self.wrong(key, "not a blob: a list of offset and length")
        offset, length = value
        if offset + length > len(data):
            raise self.wrong(key, "a blob that ends at byte %d, but the frame has %d bytes of blobs"
                             % (offset + length, len(data)))
        if length % multiple or length == 0:
            raise self.wrong(key, "a blob of %d bytes; expected is a multiple of %d that is not 0"
                             % (length, multiple))
        return data[offset:offset + length]
