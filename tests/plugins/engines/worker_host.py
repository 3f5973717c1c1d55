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

HELLO, LOAD, PING, RUN, ITEMS, GO, CANCEL, PROFILE, BYE = range(1, 10)
(WELCOME, READY, PONG, BEGAN, TOKENS, ENDED, RESULTS, DONE, PROFILED, LOG, PROGRESS,
 ERROR) = range(65, 77)
BINARY = (PONG, BEGAN, TOKENS, ENDED)
PATIENCE_S = 60  # a test that waits this long has failed


def frame(kind, payload=b""):
    return struct.pack("<IB3x", len(payload), kind) + payload


def json_bytes(value):
    return json.dumps(value, separators=(",", ":")).encode()


def items_payload(items, blobs=b"", first=0):
    text = json_bytes({"first": first, "items": items})
    return struct.pack("<I", len(text)) + text + blobs


def documented_adapter():
    """The adapter of the page about the protocol."""
    with open(PROTOCOL, encoding="utf-8") as page:
        return re.search(r"```python\n(.*?)```", page.read(), re.DOTALL).group(1)


class Ended(Exception):
    """The worker has closed the socket."""


class Host:
    """A worker with an adapter: a name, or the text of a Python file."""

    def __init__(self, adapter, script=None, python=sys.executable):
        self.folder = tempfile.TemporaryDirectory()
        if "\n" in adapter:
            path = os.path.join(self.folder.name, "adapter.py")
            with open(path, "w", encoding="utf-8") as file:
                file.write(adapter)
            adapter = path
        environment = dict(os.environ, PYTHONPATH=STAND_INS, PYTHONDONTWRITEBYTECODE="1",
                           VLLM_STAND_IN=json.dumps(script or {}))
        self.socket, theirs = socket.socketpair()
        self.socket.settimeout(PATIENCE_S)
        self.output = open(os.path.join(self.folder.name, "output"), "w+b")

        def descriptors():
            if theirs.fileno() == 3:
                os.set_inheritable(3, True)
            else:
                os.dup2(theirs.fileno(), 3)
        self.process = subprocess.Popen(
            [python, WORKER, adapter], stdin=subprocess.DEVNULL, stdout=self.output,
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
        self.socket.sendall(frame(kind, payload))

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

    def start(self, items, blobs=b"", mode="generate", sampling=None, number=1, **more):
        """Sends a whole batch."""
        self.send_json(RUN, dict({"run": number, "mode": mode, "count": len(items),
                                  "sampling": sampling or {}}, **more))
        self.send(ITEMS, items_payload(items, blobs))
        self.send(GO)

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
        """What the worker and its engine have printed."""
        with open(self.output.name, encoding="utf-8", errors="replace") as file:
            return file.read()


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
