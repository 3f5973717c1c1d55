"""The loop of the worker: one frame of the host after the other."""
import os
import sys
import time
import traceback

from . import adapter, fields, frames, outcome, process
from .batch import Batch
from .frames import HostGone, Violation
from .inbox import Inbox, refuse
from .items import Cancelled
from .options import Options

WORKER = "worker.py 1"
_BEFORE_HELLO, _BEFORE_LOAD, _LOADED = range(3)


class Session:
    def __init__(self, wire, inbox, name, folder):
        self._wire, self._inbox = wire, inbox
        self._name, self._folder = name, folder
        self._engine = None
        self._batch = None
        self._requests = None  # single requests, if the engine takes them
        self._state = _BEFORE_HELLO

    def run(self):
        """Returns the exit status."""
        handlers = {frames.HELLO: (_BEFORE_HELLO, self._hello, "import"),
                    frames.LOAD: (_BEFORE_LOAD, self._load, "load"),
                    frames.RUN: (_LOADED, self._begin_batch, "run"),
                    frames.ITEMS: (_LOADED, self._add_items, "run"),
                    frames.GO: (_LOADED, self._go, "run"),
                    frames.PROFILE: (_LOADED, self._profile, "run"),
                    frames.SUBMIT: (_LOADED, self._single, "run"),
                    frames.ABORT: (_LOADED, self._single, "run")}
        while True:
            source = self._requests
            kind, payload = source.wait(self._inbox) if source else self._inbox.next()
            if kind == frames.BYE:
                self._inbox.finish()
                self._close()
                return 0
            state, handler, during = handlers[kind]
            name = frames.NAMES[kind]
            if self._state != state:
                raise Violation(name, "", ("before hello", "before load or after hello",
                                           "after load")[self._state])
            try:
                handler(name, payload)
            except (Violation, HostGone):
                raise
            except BaseException as error:  # any error of the engine
                if self._fail(error, during):
                    return 1

    def _fail(self, error, during):
        """Sends the error, and returns whether it is fatal."""
        self._inbox.idle(batch_ended=self._batch is not None)
        self._batch = None
        keys = adapter.failure_of(error, during)
        if keys["fatal"]:
            self._inbox.finish()
        self._wire.send_json(frames.ERROR, keys)
        return keys["fatal"]

    def _hello(self, name, payload):
        hello = fields.parsed(name, payload)
        hello.text("host")
        hello.integer("protocol", low=frames.PROTOCOL, high=frames.PROTOCOL)
        self._working()
        self._engine = adapter.engine_of(self._name, self._folder)
        short = os.path.basename(self._name)
        welcome = {"protocol": frames.PROTOCOL, "worker": WORKER, "pid": os.getpid(),
                   "adapter": short[:-3] if short.endswith(".py") else short,
                   "engine": str(getattr(self._engine, "version", "") or ""),
                   "python": sys.version.split()[0], "executable": sys.executable or ""}
        self._inbox.idle()
        self._state = _BEFORE_LOAD
        self._wire.send_json(frames.WELCOME, welcome)

    def _load(self, name, payload):
        options = fields.parsed(name, payload).plain("options")
        self._working()
        began = time.monotonic_ns()
        said = self._engine.load(Options(options))
        took = time.monotonic_ns() - began
        ready, unknown = outcome.ready_of(self._engine, said, took)
        if hasattr(self._engine, "submit"):
            # Imported only here, because it imports asyncio, which takes longer than all other imports.
            from .single_requests import Requests
            self._requests = Requests(self._engine, self._wire)
        self._inbox.idle()
        self._state = _LOADED
        if unknown:
            self._wire.send_json(frames.LOG, {
                "level": "warning", "text": frames.cut(
                    "the adapter has the capability %r, which the protocol does not know; it knows"
                    " %s" % (unknown[0], ", ".join(outcome.CAPABILITIES)))})
        self._wire.send(frames.READY, ready)

    def _begin_batch(self, name, payload):
        if self._batch:
            raise Violation(name, "", "before go of the run before it")
        self._batch = Batch(fields.parsed(name, payload), self._wire)

    def _add_items(self, name, payload):
        if not self._batch:
            raise Violation(name, "", "without a run")
        self._batch.add(payload)

    def _go(self, name, _):
        batch, engine = self._batch, self._engine
        if not batch:
            raise Violation(name, "", "without a run")
        if len(batch.items) != batch.count:
            raise Violation(name, "", "after %d of %d items" % (len(batch.items), batch.count))
        if not hasattr(engine, "run") or not hasattr(engine, "results"):
            raise NotImplementedError("the adapter takes single requests only")
        if batch.profile and not hasattr(engine, "start_profile"):
            raise NotImplementedError("the adapter has no profiler")
        self._working(batch)
        if hasattr(engine, "prepare"):
            engine.prepare(batch)
        batch.check_cancelled()
        began = batch.begin()
        self._run(batch)
        batch.end(began)
        batch.check_cancelled()
        sent = outcome.send_results(self._wire, engine.results(batch), batch)
        measures = engine.measures(batch) if hasattr(engine, "measures") else []
        done = outcome.payload_of({"run": batch.number, "results": sent, "measures": measures},
                                  "done")
        self._inbox.idle(batch_ended=True)
        self._batch = None
        self._wire.send(frames.DONE, done)

    def _run(self, batch):
        """The timed section."""
        if not batch.profile:
            return self._engine.run(batch)
        self._engine.start_profile()
        try:
            self._engine.run(batch)
        except (Cancelled, NotImplementedError):  # the worker goes on with other batches
            self._engine.stop_profile()
            raise
        self._engine.stop_profile()

    def _single(self, name, payload):
        if not self._requests:
            raise Violation(name, "", "the adapter has no function submit")
        self._requests.take(frames.SUBMIT if name == "submit" else frames.ABORT, payload)

    def _profile(self, name, payload):
        action = fields.parsed(name, payload).choice("action", ("start", "stop"))
        if self._batch:
            raise Violation(name, "", "between run and go")
        function = getattr(self._engine, action + "_profile", None)
        if function is None:
            raise NotImplementedError("the adapter has no profiler")
        self._working()
        function()
        self._inbox.idle()
        self._wire.send_json(frames.PROFILED, {"action": action})

    def _working(self, batch=None):
        def cancel():
            batch.cancelled.set()
            try:
                if hasattr(self._engine, "cancel"):
                    self._engine.cancel()
            except BaseException:  # the batch may still end by itself
                traceback.print_exc()
        self._inbox.working(cancel if batch else None)

    def _close(self):
        if self._requests:
            self._requests.close()
        if hasattr(self._engine, "close"):
            self._inbox.working()
            self._engine.close()


def serve(fd, name, folder):
    """Speaks with the host on the socket fd until its bye, and returns the exit status."""
    try:
        wire = frames.Wire(fd)
    except OSError:
        return "worker.py is started by inferbench, with a socket as file descriptor %d" % fd
    process.prepare(fd)
    process.in_children(wire)
    inbox = Inbox(wire)
    inbox.start()
    try:
        return Session(wire, inbox, name, folder).run()
    except Violation as violation:
        inbox.finish()
        refuse(wire, violation)
        return 2
    except HostGone:
        return process.kill_group()
