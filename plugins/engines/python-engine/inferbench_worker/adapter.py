"""From the name of an adapter to its engine, and from an exception to an error for the user."""
import importlib.util
import os
import re
import sys
import traceback

from . import frames
from .items import Cancelled

_UNEXPECTED = re.compile(r"unexpected keyword argument '([^']+)'")
_NO_MEMORY = re.compile(r"out of memory", re.IGNORECASE)
_files_of_users = set()  # of adapters that are not adapters of inferbench


class Failure(Exception):
    """An error that is known completely: the keys of the frame error."""

    def __init__(self, kind, text, **more):
        super().__init__(text)
        self.keys = dict({"kind": kind, "text": text, "fatal": True}, **more)


def path_of(name, folder):
    """The file of an adapter: a path if it ends in .py, otherwise a file of the folder."""
    return name if name.endswith(".py") else os.path.join(folder, name + ".py")


def module_of(path):
    """Loads the file under a name of its own, so that vllm.py does not hide the package vllm.
    Writes no bytecode, since the folder may be a folder of sources."""
    name = "inferbench_adapter_" + re.sub(r"\W", "_", os.path.basename(path)[:-3])
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    writes_none, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        spec.loader.exec_module(module)
    finally:
        sys.dont_write_bytecode = writes_none
    return module


def engine_of(name, folder):
    """Imports the libraries of the engine. Raises Failure if the adapter itself cannot be used."""
    path = path_of(name, folder)
    if not os.path.isfile(path):
        known = sorted(file[:-3] for file in os.listdir(folder) if file.endswith(".py"))
        raise Failure("import", "there is no adapter %s; adapters are %s, or the path of a file"
                      " that ends in .py" % (path, ", ".join(known)))
    if path == name:
        _files_of_users.add(os.path.abspath(path))
    try:
        module = module_of(path)
    except SyntaxError as error:  # of this file, or of a module that it imports
        raise Failure("import", "%s:%s: %s" % (error.filename or path, error.lineno, error.msg),
                      trace=_trace()) from None
    engine = getattr(module, "Engine", None)
    if not isinstance(engine, type):
        raise Failure("import", "%s has no class Engine" % path)
    for member in ("load",) if hasattr(engine, "submit") else ("load", "run", "results"):
        if not callable(getattr(engine, member, None)):
            raise Failure("import", "%s: the class Engine has no function %s" % (path, member))
    return engine()


def failure_of(error, during):
    """The keys of the frame error. during is "import", "load", "run" or "internal": what the
    worker did."""
    if isinstance(error, Failure):
        return error.keys
    name = type(error).__name__
    text = _line("%s: %s" % (name, error) if str(error) else name)
    keys = {"kind": during, "text": text, "fatal": True, "trace": _trace()}
    if isinstance(error, Cancelled):
        return {"kind": "cancelled", "text": "cancelled", "fatal": False}
    if isinstance(error, MemoryError) or "OutOfMemory" in name or _NO_MEMORY.search(text):
        keys["kind"] = "memory"
    elif isinstance(error, ImportError):
        keys["kind"] = "import"
        keys["package"] = (error.name or "").split(".")[0]
    elif isinstance(error, NotImplementedError):
        keys.update(kind="unsupported", text=_line(str(error)) or text, fatal=during != "run")
    elif isinstance(error, SystemExit):
        keys["text"] = _line("the engine has ended the worker: sys.exit(%r)" % (error.code,))
    elif during == "load" and isinstance(error, (ValueError, TypeError)):
        found = _UNEXPECTED.search(str(error))
        if isinstance(error, ValueError) or found:
            keys["kind"] = "option"
            option = getattr(error, "option", found.group(1) if found else "")
            keys["option"] = option if isinstance(option, str) else ""
    if keys["kind"] == during:
        keys["text"] = frames.cut(_place(error) + keys["text"])
    return keys


def _place(error):
    """"FILE:LINE: " of the adapter, in which the error was raised or passed through; empty for an
    adapter of inferbench, whose texts are for users."""
    place, trace = "", error.__traceback__
    while trace:
        code = trace.tb_frame.f_code
        if os.path.abspath(code.co_filename) in _files_of_users:
            place = "%s:%d: " % (os.path.basename(code.co_filename), trace.tb_lineno)
        trace = trace.tb_next
    return place


def _line(text):
    return frames.cut(" ".join(text.split()))


def _trace():
    """The end of the stack trace, which has the error itself."""
    return frames.cut(traceback.format_exc()[-frames.MAX_TEXT // 4:])
