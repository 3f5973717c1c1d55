"""The row of bench/run that measures the pipe between inferbench and the worker of an engine."""
import json
import re
import statistics
import subprocess
import sys

from lab import ROOT, table

REQUEST_LIMIT, EVENT_LIMIT, PYTHON_LIMIT = 20, 2, 4  # us
# Title, requests, tokens of each, requests at once, tokens of a prompt, kind of the prompt.
REQUESTS = [("requests with 1,024 token ids", 20_000, 1, 256, 1024, "ids"),
            ("requests with 1,024 words (5 KB)", 20_000, 1, 256, 1024, "text")]
EVENTS = [("token events, 1 a frame", 1, 200_000, 1, 8, "ids"),
          ("token events, 32 a frame", 32, 20_000, 32, 8, "ids"),
          ("token events, 256 a frame", 256, 5_000, 256, 8, "ids")]


def measured(lab, requests, tokens, *more):
    """Runs one batch in the process of the program engine_pipe, and behind the pipe. Both processes
    may use all cores, so that the worker can have a core of its own, like the worker of an
    engine."""
    cost = lab.measure([lab.programs / "engine_pipe", requests, tokens, *more], core=None)
    return json.loads(cost["text"])


def row(lab, limit, title, requests, tokens, *more):
    """The median costs in us, of a request or of an event."""
    if tokens == 1:
        requests = lab.count(requests)
    tokens = lab.count(tokens) if tokens > 1 else 1
    units = requests * tokens
    seen = []
    for turn in range(lab.runs):
        lab.tell(f"{turn + 1} of {lab.runs}: {title}")
        seen.append(measured(lab, requests, tokens, *more))
    lab.tell("")

    def middle(cost):
        return statistics.median(cost(s) for s in seen) / units * 1e6

    return [title, f"{middle(lambda s: s['direct_wall_s']):.3f}",
            f"{middle(lambda s: s['pipe_wall_s']):.2f}",
            f"{middle(lambda s: s['pipe_wall_s'] - s['direct_wall_s']):.2f}",
            f"{middle(lambda s: s['pipe_cpu_s'] - s['direct_cpu_s']):.2f}", str(limit)]


def python_rows(lab):
    """The costs of an event in a Python worker, with 32 events a frame: bench/engine_events.py."""
    lab.tell("events of a Python worker")
    seen = subprocess.run([sys.executable, ROOT / "bench/engine_events.py",
                           str(lab.count(20_000))], capture_output=True, text=True, check=True)
    lab.tell("")
    found = re.findall(r"^\| 32 \| (\w+) \| ([\d.]+) us \| ([\d.]+) us \|$", seen.stdout,
                       re.MULTILINE)
    return [[f"token events of Python, 32 a frame, `{call}`", "-", wall, "-", cpu,
             str(PYTHON_LIMIT)] for call, cpu, wall in found]


def engine_pipe(lab):
    """Measures the same engine in one process and behind the pipe of python-engine."""
    print("### An engine behind the pipe\n")
    print("Times in us, of a request or of a token event. A C++ engine without a model runs one batch"
          " in the process of the host, and behind the pipe of python-engine; each row is the median"
          " of the runs. Wall time is that of the call of run, CPU time that of both processes. The"
          " last rows are an adapter in Python: CPU time of the worker, and wall time.\n")
    table(["", "in the process", "behind the pipe", "added", "added CPU", "limit"],
          [row(lab, REQUEST_LIMIT, *shape) for shape in REQUESTS] +
          [row(lab, EVENT_LIMIT, *shape) for shape in EVENTS] + python_rows(lab))
