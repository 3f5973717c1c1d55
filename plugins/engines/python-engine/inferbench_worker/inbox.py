"""The thread that reads frames. It answers pings at once, also while the engine works; tells a
batch in progress of a cancel; and ends the process group when the host has died."""
import collections
import os
import struct
import threading
import time
import traceback

from . import frames, process
from .frames import End, HostGone, Violation

MAX_WAITING = 64 << 20  # bytes of frames that are read in advance


class Inbox:
    def __init__(self, wire):
        self._wire = wire
        self._waiting = collections.deque()
        self._bytes = 0
        self._changed = threading.Condition()
        self._on_cancel = None
        self._busy = False
        self._finished = False
        self._thread = threading.Thread(target=self._read, name="inferbench-frames", daemon=True)

    def start(self):
        self._thread.start()

    def next(self):
        """Waits for the next frame, and returns its kind and payload. Raises Violation."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting)
            kind, payload = self._waiting.popleft()
            self._bytes -= len(payload)
            self._changed.notify_all()
        if isinstance(kind, Violation):
            raise kind
        return kind, payload

    def working(self, on_cancel=None):
        """From now to idle() the engine works: on_cancel is called on the thread of the inbox, and
        a violation ends the process, since no other code would answer it."""
        with self._changed:
            self._busy, self._on_cancel = True, on_cancel

    def idle(self):
        with self._changed:
            self._busy, self._on_cancel = False, None

    def finish(self):
        """The worker is about to exit; the host may close the socket."""
        self._finished = True

    def _read(self):
        greeted = False
        try:
            while True:
                kind, payload = self._wire.receive()
                greeted = self._take(kind, payload, greeted)
                if kind == frames.BYE:
                    return
        except (End, HostGone, OSError):
            if not self._finished:
                process.kill_group()
        except Violation as violation:
            self._refuse(violation)

    def _take(self, kind, payload, greeted):
        """Returns whether hello has come."""
        if kind == frames.PING:
            if not greeted:
                raise Violation("ping", "", "before hello")
            if len(payload) != 8:
                raise Violation("ping", "", "%d bytes, not 8" % len(payload))
            self._wire.send(frames.PONG, bytes(payload) + struct.pack("<Q", time.monotonic_ns()))
            return True
        if kind in (frames.CANCEL, frames.BYE, frames.GO) and len(payload) != 0:
            raise Violation(frames.NAMES[kind], "", "a payload of %d bytes, not 0" % len(payload))
        if kind == frames.CANCEL:
            with self._changed:
                on_cancel = self._on_cancel
            if on_cancel:
                try:
                    on_cancel()
                except Exception:  # of the adapter; the batch may still end by itself
                    traceback.print_exc()
            return greeted
        with self._changed:
            if kind == frames.BYE and self._busy:
                os._exit(0)
            self._changed.wait_for(lambda: self._bytes < MAX_WAITING or not self._waiting)
            self._waiting.append((kind, payload))
            self._bytes += len(payload)
            self._changed.notify_all()
        return greeted or kind == frames.HELLO

    def _refuse(self, violation):
        with self._changed:
            if not self._busy:
                self._waiting.append((violation, b""))
                self._changed.notify_all()
                return
        refuse(self._wire, violation)
        os._exit(2)


def refuse(wire, violation):
    """Sends the error for a violation of the host; a host that has gone gets nothing."""
    try:
        wire.send_json(frames.ERROR, {
            "kind": "protocol", "text": str(violation), "fatal": True,
            "frame": violation.frame, "field": violation.field})
    except HostGone:
        pass
