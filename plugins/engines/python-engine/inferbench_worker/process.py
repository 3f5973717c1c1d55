"""The process: descriptors, signals, process group."""
import os
import signal
import sys


def prepare(wire_fd):
    """Call before anything else. Text for stdout goes to stderr from here on; the
    worker leads a process group; children cannot keep the socket open by accident."""
    os.set_inheritable(wire_fd, False)
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:  # as it is without an open descriptor
            stream.flush()
            # A crash loses what is still in a buffer. The host expects UTF-8 in any locale.
            stream.reconfigure(encoding="utf-8", errors="backslashreplace", line_buffering=True)
    os.dup2(2, 1)
    if os.getpgrp() != os.getpid():
        os.setpgid(0, 0)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: kill_group())


def kill_group():
    """Ends this process with all its descendants that have not left the group."""
    os.killpg(os.getpgrp(), signal.SIGKILL)


def in_children(wire):
    """A child after fork closes its copy of the socket, and takes the signals as usual."""
    def child():
        wire.forget()
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
    os.register_at_fork(after_in_child=child)
