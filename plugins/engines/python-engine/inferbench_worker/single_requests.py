"""Single requests, for traffic that follows a schedule: the frames submit, abort, text and
finished. The adapter's function submit runs as a task of an event loop if it is a coroutine
function, and otherwise on a thread of its own."""
import asyncio
import inspect
import threading
import traceback

from . import adapter, fields, frames
from .calls import Call, Sender
from .frames import HostGone
from .items import item_of, parts_of, sampling_of

MAX_REQUEST = (1 << 32) - 1


class Requests:
    """The requests of a session. All functions are called on its thread."""

    def __init__(self, engine, wire):
        self._engine = engine
        self._is_async = inspect.iscoroutinefunction(engine.submit)
        self.loop = None
        if self._is_async:
            self.loop = getattr(engine, "loop", None) or asyncio.new_event_loop()
        self._sender = Sender(wire, self.loop)
        self._calls = {}  # number -> the call and its task, if it has one
        self._has_failed = False

    def take(self, kind, payload):
        """A frame submit or abort."""
        if kind == frames.SUBMIT:
            self._submit(payload)
        else:
            self._abort(fields.parsed("abort", payload).integer("request", high=MAX_REQUEST))

    def _submit(self, payload):
        whole, data = parts_of("submit", payload)
        number = whole.integer("request", high=MAX_REQUEST)
        sampling = sampling_of(whole)
        call = Call(number, sampling, whole.flag("detokenize", True), self._sender)
        item = item_of(whole.inner("item"), data, number, sampling["max_tokens"])
        self._sender.open(number)
        if self._is_async:
            task = self.loop.create_task(self._run(item, call))
            # A task that is cancelled before its first step never enters its function.
            task.add_done_callback(lambda task: self._end(
                call, {"error": "cancelled"} if task.cancelled() else task.result()))
            self._calls[number] = call, task
        else:
            self._calls[number] = call, None
            threading.Thread(target=self._work, args=(item, call), daemon=True,
                             name="inferbench-request").start()

    def _abort(self, number):
        call, task = self._calls.get(number, (None, None))
        if call:
            call.cancelled.set()
            if task:
                task.cancel()

    async def _run(self, item, call):
        try:
            return await self._engine.submit(item, call)
        except (asyncio.CancelledError, GeneratorExit):
            raise
        except BaseException as error:
            return self._error(error)

    def _work(self, item, call):
        try:
            result = self._engine.submit(item, call)
        except BaseException as error:
            result = self._error(error)
        self._end(call, result)

    def _error(self, error):
        """The result of a request that failed; the first stack trace is printed."""
        keys = adapter.failure_of(error, "run")
        if keys["kind"] != "cancelled" and not self._has_failed:
            self._has_failed = True
            traceback.print_exc()
        return {"error": keys["text"] or "the request failed"}

    def _end(self, call, result):
        self._calls.pop(call.number, None)
        try:
            self._sender.finish(call.number, result)
        except HostGone:
            pass  # the thread that reads frames ends the process

    def wait(self, inbox):
        """Runs the event loop, and takes frames submit and abort, until another frame comes, which
        it returns: kind and payload. Raises Violation."""
        if not self.loop:
            return inbox.next()
        return self.loop.run_until_complete(self._until_frame(inbox))

    async def _until_frame(self, inbox):
        arrived = asyncio.Event()
        inbox.wake = lambda: self.loop.call_soon_threadsafe(arrived.set)
        try:
            while True:
                arrived.clear()
                frame = inbox.poll()
                if frame is None:
                    await arrived.wait()
                elif frame[0] in (frames.SUBMIT, frames.ABORT):
                    self.take(*frame)
                else:
                    return frame
        finally:
            inbox.wake = None

    def close(self):
        """Ends the requests in progress, without further frames."""
        self._sender.close()
        tasks = [task for _, task in list(self._calls.values()) if task]
        for call, _ in list(self._calls.values()):
            call.cancelled.set()
        for task in tasks:
            task.cancel()
        if tasks:
            self.loop.run_until_complete(asyncio.wait(tasks, timeout=1))

