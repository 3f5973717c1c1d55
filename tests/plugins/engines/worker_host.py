"""A host for tests of the worker of python-engine: starts the worker on a socket pair, writes
frames byte by byte as docs/engine-protocol.md has them, and shares no code with the worker."""
import json
import os
import re
import signal
import socket
import struct
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
WORKER = os.path.join(ROOT, "plugins/engines/python-engine/worker.py")
STAND_INS = os.path.join(ROOT, "tests/fixtures/python")
PROTOCOL = os.path.join(ROOT, "docs/engine-protocol.md")

HELLO, LOAD, PING, RUN, ITEMS, GO, CANCEL, PROFILE, BYE, SUBMIT, ABORT = range(1, 12)
(WELCOME, READY, PONG, BEGAN, TOKENS, ENDED, RESULTS, DONE, PROFILED, LOG, PROGRESS, ERROR, TEXT,
 FINISHED) = range(65, 79)
BINARY = (PONG, BEGAN, TOKENS, ENDED, TEXT)
PATIENCE_S = 60  # a test that waits this long has failed


def frame(kind, payload=b""):
    return struct.pack("<IB3x", len(payload), kind) + payload


def json_bytes(value):
    return json.dumps(value, separators=(",", ":")).encode()


def with_blobs(value, blobs=b""):
    text = json_bytes(value)
    return struct.pack("<I", len(text)) + text + blobs


def items_payload(items, blobs=b"", first=0):
    return with_blobs({"first": first, "items": items}, blobs)


def documented_code(number):
    """A block of Python of the page about the protocol."""
    with open(PROTOCOL, encoding="utf-8") as page:
        return re.findall(r"```python\n(.*?)```", page.read(), re.DOTALL)[number]


def documented_adapter():
    """The adapter of the page about the protocol."""
    return documented_code(0)


class Ended(Exception):
    """The worker has closed the socket."""


class Host:
    """A worker with an adapter: a name, or the text of a Python file, as a string or as bytes; file
    is the name of this file in a new folder. flags are those of Python."""

    def __init__(self, adapter, script=None, python=sys.executable, flags=(), file="adapter.py",
                 **environment):
        self.folder = tempfile.TemporaryDirectory()
        if isinstance(adapter, bytes) or "\n" in adapter:
            path = os.path.join(os.fsencode(self.folder.name), os.fsencode(file))
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as written:
                written.write(adapter if isinstance(adapter, bytes) else adapter.encode())
            adapter = path
        environment = dict(os.environ, PYTHONPATH=STAND_INS, PYTHONDONTWRITEBYTECODE="1",
                           VLLM_STAND_IN=json.dumps(script or {}), **environment)
        self.socket, theirs = socket.socketpair()
        self.socket.settimeout(PATIENCE_S)
        self.output = open(os.path.join(self.folder.name, "output"), "w+b")

        def descriptors():
            if theirs.fileno() == 3:
                os.set_inheritable(3, True)
            else:
                os.dup2(theirs.fileno(), 3)
        self.process = subprocess.Popen(
            [python, *flags, WORKER, adapter], stdin=subprocess.DEVNULL, stdout=self.output,
            stderr=self.output, env=environment, start_new_session=True, close_fds=False,
            preexec_fn=descriptors)
        theirs.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()
        self.output.close()
        self.folder.cleanup()

    def send(self, kind, payload=b""):
        self.send_raw(frame(kind, payload))

    def send_raw(self, data):
        # A worker that refuses an earlier frame may have closed the socket already. Its error frame
        # can still be received.
        try:
            self.socket.sendall(data)
        except BrokenPipeError:
            pass

    def send_json(self, kind, value):
        self.send(kind, json_bytes(value))

    def _exactly(self, length):
        data = b""
        while len(data) < length:
            try:
                got = self.socket.recv(length - len(data))
            except ConnectionError:
                got = b""
            if not got:
                raise Ended()
            data += got
        return data

    def receive_raw(self):
        length, kind, pad = struct.unpack("<IB3s", self._exactly(8))
        assert pad == b"\0\0\0", pad
        return kind, self._exactly(length)

    def receive(self):
        """The next frame: kind, and its JSON or its bytes."""
        kind, payload = self.receive_raw()
        return kind, payload if kind in BINARY else json.loads(payload)

    def expect(self, kind):
        got, value = self.receive()
        assert got == kind, "frame %d, not %d: %r\n%s" % (got, kind, value, self.said())
        return value

    def hello(self):
        self.send_json(HELLO, {"protocol": 1, "host": "inferbench test"})
        return self.expect(WELCOME)

    def load(self, **options):
        self.send_json(LOAD, {"options": options})
        return self.expect(READY)

    def ready(self, **options):
        self.hello()
        return self.load(**options)

    def start(self, items, blobs=b"", mode="generate", sampling=None, number=1, before_go=b"",
              **more):
        """Sends a whole batch."""
        self.send_json(RUN, dict({"run": number, "mode": mode, "count": len(items),
                                  "sampling": sampling or {}}, **more))
        self.send(ITEMS, items_payload(items, blobs))
        self.send_raw(before_go + frame(GO))

    def batch(self, items, blobs=b"", **more):
        """Runs a batch; returns its frames by kind, each a list of values."""
        self.start(items, blobs, **more)
        return self.rest()

    def rest(self):
        """The frames of a batch up to done or error."""
        seen = {}
        while True:
            kind, value = self.receive()
            seen.setdefault(kind, []).append(value)
            if kind in (DONE, ERROR):
                return seen

    def ping(self):
        """Waits until the worker has read all frames so far."""
        self.send(PING, b"pingping")
        assert self.expect(PONG)[:8] == b"pingping"

    def submit(self, request, item, blobs=b"", **more):
        """Sends a single request."""
        value = dict({"request": request, "sampling": {}, "item": item}, **more)
        self.send(SUBMIT, with_blobs(value, blobs))

    def finished(self, count):
        """Waits for the end of so many single requests: their results by number, and the events
        until then: time stamp, request, output, tokens, text."""
        ended, seen = {}, []
        while len(ended) < count:
            kind, value = self.receive()
            assert kind in (TEXT, FINISHED), "frame %d: %r\n%s" % (kind, value, self.said())
            if kind == TEXT:
                seen += text_events(value)
            else:
                assert value["request"] not in ended
                ended[value["request"]] = value["result"]
        return ended, seen

    def bye(self):
        """Ends the worker; returns its exit status."""
        self.send(BYE)
        return self.status()

    def status(self):
        """The exit status, after all frames that are left."""
        try:
            while True:
                self.receive()
        except Ended:
            return self.process.wait(PATIENCE_S)

    def said(self):
        """The output of the worker and its engine."""
        with open(self.output.name, encoding="utf-8", errors="replace") as file:
            return file.read()


def place_of(adapter, code):
    """"adapter.py:LINE" of the first line of an adapter that contains the code."""
    for number, line in enumerate(adapter.splitlines(), 1):
        if code in line:
            return "adapter.py:%d" % number
    raise ValueError("the adapter has no " + code)


def results(seen):
    """The results of all frames of a batch."""
    return [result for part in seen[RESULTS] for result in part["results"]]


def events(seen):
    """The token events of a batch: time stamp, item, output, tokens."""
    made = []
    for payload in seen.get(TOKENS, []):
        at, count = struct.unpack_from("<QI", payload)
        assert len(payload) == 12 + 8 * count
        made += [(at, *struct.unpack_from("<IHH", payload, 12 + 8 * i)) for i in range(count)]
    return made


def text_events(payload):
    """The events of a frame text: time stamp, request, output, tokens, text."""
    at, count = struct.unpack_from("<QI", payload)
    heads = [struct.unpack_from("<IHHI", payload, 12 + 12 * i) for i in range(count)]
    rest = payload[12 + 12 * count:]
    made = []
    for request, output, tokens, length in heads:
        made.append((at, request, output, tokens, rest[:length].decode()))
        rest = rest[length:]
    assert count > 0 and not rest
    return made
