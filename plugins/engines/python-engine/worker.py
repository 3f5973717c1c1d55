"""The worker process of the plugin python-engine: PYTHON worker.py ADAPTER.

ADAPTER is the path of a Python file with a class Engine, or the name of a file in adapters/. The
frames on file descriptor 3 are described in docs/engine-protocol.md. No package beside the standard
library is needed; Python 3.8 or later.
"""
import os
import sys


def main():
    if sys.version_info < (3, 8):
        sys.exit("the worker of inferbench needs Python 3.8 or later; this is %s"
                 % sys.version.split()[0])
    # This folder goes to the end of the search path, so that none of its names hides a package.
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path = [path for path in sys.path if os.path.abspath(path or ".") != here] + [here]
    # The engine's packages keep their caches of bytecode, but nothing is written into this folder.
    writes_none, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    from inferbench_worker import session
    sys.dont_write_bytecode = writes_none
    if len(sys.argv) != 2:
        sys.exit("usage: worker.py ADAPTER")
    sys.exit(session.serve(3, sys.argv[1], os.path.join(here, "adapters")))


# An engine that starts its children with "spawn" imports this file again in each child.
if __name__ == "__main__":
    main()
