"""Frames: their kinds, their bytes, and a socket that carries them. docs/engine-protocol.md."""
import json
import os
import socket
import struct
import threading

PROTOCOL = 1
MAX_PAYLOAD = 1 << 28
MAX_TEXT = 64 * 1024

HELLO, LOAD, PING, RUN, ITEMS, GO, CANCEL, PROFILE, BYE, SUBMIT, ABORT = range(1, 12)
(WELCOME, READY, PONG, BEGAN, TOKENS, ENDED, RESULTS, DONE, PROFILED, LOG, PROGRESS, ERROR, TEXT,
 FINISHED) = range(65, 79)
NAMES = {
    HELLO: "hello", LOAD: "load", PING: "ping", RUN: "run", ITEMS: "items", GO: "go",
    CANCEL: "cancel", PROFILE: "profile", BYE: "bye", SUBMIT: "submit", ABORT: "abort",
    WELCOME: "welcome", READY: "ready", PONG: "pong", BEGAN: "began", TOKENS: "tokens",
    ENDED: "ended", RESULTS: "results", DONE: "done", PROFILED: "profiled", LOG: "log",
    PROGRESS: "progress", ERROR: "error", TEXT: "text", FINISHED: "finished"}
FROM_HOST = range(HELLO, ABORT + 1)

_HEAD = struct.Struct("<IB3s")
_PAD = b"\0\0\0"


class Violation(Exception):
    """The host broke the protocol: in which frame, in which field (or ""), and how."""

    def __init__(self, frame, field, reason):
        super().__init__("%s: %s" % (field, reason) if field else reason)
        self.frame, self.field, self.reason = frame, field, reason


class End(Exception):
    """The host has closed the socket."""


class HostGone(Exception):
    """A frame cannot be sent, because the host has closed the socket."""


def encoded(value):
    """The JSON of a payload. Raises ValueError for NaN, TypeError for what is not JSON."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False, allow_nan=False,
                      default=_plain).encode("utf-8", "replace")


def cut(text):
    """A text of at most MAX_TEXT bytes in UTF-8."""
    data = text.encode("utf-8", "replace")
    return text if len(data) <= MAX_TEXT else data[:MAX_TEXT].decode("utf-8", "ignore")


def _plain(value):
    """Numbers of numpy and of torch have item()."""
    if hasattr(value, "item"):
        return value.item()
    raise TypeError("%s is not a JSON value" % type(value).__name__)


class Wire:
    """The worker's end of the socket. send() may be called on any thread, receive() on one."""

    def __init__(self, fd):
        self._socket = socket.socket(fileno=fd)
        self._socket.setblocking(True)
        self._writing = threading.Lock()
        self._owner = os.getpid()

    def send(self, kind, payload=b""):
        """Returns after the whole frame is written. Raises HostGone; ValueError if the payload is
        too long."""
        if len(payload) > MAX_PAYLOAD:
            raise ValueError("a frame %s of %d bytes; at most %d are allowed"
                             % (NAMES[kind], len(payload), MAX_PAYLOAD))
        if os.getpid() != self._owner:  # a child that the engine forgot to end after a fork
            os._exit(1)
        frame = _HEAD.pack(len(payload), kind, _PAD) + payload
        try:
            with self._writing:
                self._socket.sendall(frame)
        except OSError as error:
            raise HostGone(str(error)) from None

    def send_json(self, kind, value):
        self.send(kind, encoded(value))

    def receive(self):
        """The next frame of the host: its kind and its payload, as a memoryview."""
        head = self._exactly(_HEAD.size, True, "")
        length, kind, pad = _HEAD.unpack(head)
        name = NAMES.get(kind, "kind %d" % kind)
        if length > MAX_PAYLOAD:
            raise Violation(name, "", "a payload of %d bytes; at most %d are allowed"
                            % (length, MAX_PAYLOAD))
        if pad != _PAD:
            raise Violation(name, "", "bytes 5 to 7 of the frame are not 0")
        if kind not in FROM_HOST:
            raise Violation(name, "", "not a frame of the host")
        return kind, self._exactly(length, False, name)

    def close(self):
        self._socket.close()

    def forget(self):
        """In a child after fork: the descriptor belongs to the parent."""
        self._socket.close()

    def _exactly(self, length, may_end, name):
        data = bytearray(length)
        view = memoryview(data)
        read = 0
        while read < length:
            try:
                got = self._socket.recv_into(view[read:])
            except ConnectionError:
                got = 0
            if got == 0:
                if may_end and read == 0:
                    raise End()
                raise Violation(name, "", "the socket ended within a frame")
            read += got
        return view
