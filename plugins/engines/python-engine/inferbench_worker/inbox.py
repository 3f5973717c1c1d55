"""The thread that reads frames. It answers pings at once, also while the engine works; tells a
batch in progress of a cancel; and ends the process group when the host has died."""
import collections
import os
import struct
import threading
import time

from . import frames, process
from .frames import End, HostGone, Violation

MAX_WAITING = 64 << 20  # bytes of frames that are read in advance


class Inbox:
    """Frames wait here from their arrival until the session takes them. A cancel does not wait."""

    def __init__(self, wire):
        self._wire = wire
        self._waiting = collections.deque()
        self._bytes = 0
        self._changed = threading.Condition()
        self._on_cancel = None
        self._cancelled = False  # a cancel has come for a batch that has not begun to work
        self._batches = 0  # those that have arrived, from their frame run on, and have not ended
        self._busy = False
        self._finished = False
        self.wake = None  # is called after each frame, on the thread of the inbox
        self._thread = threading.Thread(target=self._read, name="inferbench-frames", daemon=True)

    def start(self):
        self._thread.start()

    def next(self):
        """Waits for the next frame, and returns its kind and payload. Raises Violation."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting)
        return self.poll()

    def poll(self):
        """The next frame, or None. Raises Violation. Only one thread takes frames."""
        with self._changed:
            if not self._waiting:
                return None
            kind, payload = self._waiting.popleft()
            self._bytes -= len(payload)
            self._changed.notify_all()
        if isinstance(kind, Violation):
            raise kind
        return kind, payload

    def working(self, on_cancel=None):
        """From now to idle() the engine works: a violation ends the process, since no other code
        would answer it. For a batch, on_cancel is called on the thread of the inbox, or here and
        now if the cancel has already come. It raises nothing."""
        with self._changed:
            self._busy, self._on_cancel = True, on_cancel
            already = on_cancel and self._cancelled
        if already:
            on_cancel()

    def idle(self, batch_ended=False):
        with self._changed:
            self._busy, self._on_cancel = False, None
            if batch_ended:
                self._cancelled = False
                self._batches = max(0, self._batches - 1)

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
                self._cancelled = not on_cancel and self._batches > 0
            if on_cancel:
                on_cancel()
            return greeted
        with self._changed:
            if kind == frames.BYE and self._has_work():
                os._exit(0)
            if kind == frames.RUN:
                self._batches += 1
            self._changed.wait_for(lambda: self._bytes < MAX_WAITING or not self._waiting)
            self._put(kind, payload)
        return greeted or kind == frames.HELLO

    def _has_work(self):
        """Whether the engine works, or is about to; single requests are no reason to hurry."""
        return self._busy or self._batches > 0 or \
            any(kind not in (frames.SUBMIT, frames.ABORT) for kind, _ in self._waiting)

    def _put(self, kind, payload):
        """The caller holds the lock."""
        self._waiting.append((kind, payload))
        self._bytes += len(payload)
        self._changed.notify_all()
        wake = self.wake
        if wake:
            wake()

    def _refuse(self, violation):
        with self._changed:
            if not self._busy:
                self._put(violation, b"")
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
