"""Starts servers and clients for the rows of bench/run, and measures the cost of the clients.

The server runs on core 0 and the client on core 1, unless the row chooses other cores. The cost is
the CPU time of the whole process from exec to exit, as the kernel accounts for it: user and system
time together.
"""
import contextlib
import itertools
import json
import os
import resource
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SERVER_CORE, CLIENT_CORE = "0", "1"
LIMIT, OURS = "raw reader, JSON scan", "inferbench"  # names of clients in the tables


class Lab:
    """The folder of the programs, and a temporary folder for their output."""

    def __init__(self, build, runs, scale, gigabytes):
        self.programs = Path(build).resolve() / "bin"
        self.runs = runs
        self.scale = scale
        self.gigabytes = gigabytes  # the size of the file of the row parquet
        self.folder = Path(tempfile.mkdtemp(prefix="inferbench-bench-"))
        self.number = itertools.count()  # numbers of runs, for file names
        _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        for self.descriptors in (max(200_000, hard), hard):
            with contextlib.suppress(ValueError, OSError):
                resource.setrlimit(resource.RLIMIT_NOFILE, (self.descriptors,) * 2)
                break

    def close(self):
        shutil.rmtree(self.folder)

    def count(self, full):
        """`full`, or a tenth of it with --quick; at least 1."""
        return max(1, int(full * self.scale))

    @contextlib.contextmanager
    def server(self, *flags, core=SERVER_CORE):
        """Runs a simulator; yields its port."""
        command = [self.programs / "inferbench", "simulate", "--port", "0", *flags]
        if core:
            command = ["taskset", "-c", core, *command]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            yield int(process.stdout.readline().rsplit(":", 1)[1])
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait()

    @contextlib.contextmanager
    def canned(self, tokens, core=SERVER_CORE):
        """Runs canned_server; yields a dictionary with its url. After the server has ended, the
        dictionary also has the server's totals."""
        command = [self.programs / "canned_server", "--tokens", str(tokens),
                   "--unix", self.folder / f"socket-{next(self.number)}"]
        if core:
            command = ["taskset", "-c", core, *command]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        cost = {"url": process.stdout.readline().split()[-1]}
        try:
            yield cost
        finally:
            process.send_signal(signal.SIGTERM)
            cost.update(json.loads(process.communicate()[0]))

    def measure(self, command, core=CLIENT_CORE, rss=False, output=True):
        """Runs the command. Returns its CPU seconds, its output, unless `output` is false, and, if
        `rss`, its peak resident memory."""
        if core:
            command = ["taskset", "-c", core, *command]
        number = next(self.number)
        out, err = self.folder / f"out-{number}", self.folder / f"err-{number}"
        out.touch()
        with open(out if output else os.devnull, "w") as to, open(err, "w") as errors:
            process = subprocess.Popen([str(c) for c in command], stdout=to, stderr=errors)
            peak = Peak(process.pid) if rss else None
            _, status, used = os.wait4(process.pid, 0)
            peak_kib = peak.end() if peak else None
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            raise SystemExit(f"{' '.join(map(str, command))}\nexit status "
                             f"{process.returncode}\n{err.read_text()}")
        text = out.read_text()
        out.unlink()
        err.unlink()
        return {"cpu_s": used.ru_utime + used.ru_stime, "user_s": used.ru_utime,
                "system_s": used.ru_stime, "text": text, "rss_kib": peak_kib}

    def raw(self, port, *flags, program="raw_client", **kept):
        """Runs raw_client or another program of bench/ with the same command line."""
        cost = self.measure([self.programs / program, "--port", port, *flags], **kept)
        said = json.loads(cost["text"])
        said.update(cpu_s=cost["cpu_s"], user_s=cost["user_s"], system_s=cost["system_s"])
        return said

    def ours(self, ports, requests, streams=None, tokens=256, rate=None, more=(),
             addresses=("127.0.0.1",), **kept):
        """Runs inferbench serve; returns its cost and its result. `ports`: a port, a URL, or a list
        of ports."""
        ports = ports if isinstance(ports, list) else [ports]
        file = self.folder / f"result-{next(self.number)}.json"
        command = [self.programs / "inferbench", "serve", "--backend", "openai", "--model", "m",
                   "--base-url", *[p if isinstance(p, str) else f"http://{a}:{p}" for p in ports
                                 for a in addresses],
                   "--tokenizer-mode", "bytes", "--dataset-name", "random",
                   "--random-input-len", 32, "--random-output-len", tokens, "--ignore-eos",
                   "--temperature", 0, "--num-prompts", requests, "--request-id-prefix", "r-",
                   "--journal", "none", "--disable-tqdm", "--save-result",
                   "--result-dir", self.folder, "--result-filename", file.name, *more]
        if streams:
            command += ["--max-concurrency", streams]
        if rate:
            command += ["--request-rate", rate]
        cost = self.measure(command, **kept)
        result = json.loads(file.read_text())
        file.unlink()
        if result["completed"] != requests:
            raise SystemExit(f"{result['completed']} of {requests} requests were answered:"
                             f" {result['inferbench']['facts']['errors'][:3]}")
        cost.update(requests=requests, events=result["total_output_tokens"],
                    wall_s=result["duration"], result=result)
        cost["requests_per_s"] = requests / result["duration"]
        cost["events_per_s"] = cost["events"] / result["duration"]
        return cost

    def wrk(self, port, streams, seconds, tokens=1):
        """Runs wrk with one thread. Its request has the same members as a request of ours(),
        because the server's answer depends on them: without `include_usage`, for instance, the
        answer would be shorter."""
        body = json.dumps({"model": "m", "prompt": "a" * 32, "repetition_penalty": 1.0,
                           "max_tokens": tokens, "logprobs": None, "stream": True,
                           "stream_options": {"include_usage": True}, "ignore_eos": True,
                           "temperature": 0.0}, separators=(",", ":"))
        headers = {"User-Agent": "wrk", "Accept": "*/*", "Accept-Encoding": "identity",
                   "Content-Type": "application/json", "x-request-id": "r-0"}
        script = self.folder / "post.lua"
        script.write_text("wrk.method = 'POST'\n" + f"wrk.body = '{body}'\n" +
                          "".join(f"wrk.headers['{k}'] = '{v}'\n" for k, v in headers.items()) +
                          "done = function(s) io.write(string.format('REQUESTS %d %d %d\\n',"
                          " s.requests, s.duration, s.errors.status)) end\n")
        cost = self.measure(["wrk", "-t1", f"-c{streams}", f"-d{seconds}s", "-s", script,
                             f"http://127.0.0.1:{port}/v1/completions"])
        line = next(l for l in cost["text"].splitlines() if l.startswith("REQUESTS"))
        requests, micros, errors = map(int, line.split()[1:])
        if errors:
            raise SystemExit(f"wrk counts {errors} bad answers")
        cost.update(requests=requests, wall_s=micros / 1e6,
                    requests_per_s=requests / micros * 1e6)
        return cost

    def interleaved(self, **contenders):
        """Calls the functions in turn, `runs` times each; returns the results of each by name."""
        seen = {name: [] for name in contenders}
        for turn in range(self.runs):
            for name, run in contenders.items():
                self.tell(f"{turn + 1} of {self.runs}: {name}")
                seen[name].append(run())
        self.tell("")
        return seen

    @staticmethod
    def tell(what):
        """Shows progress on the terminal."""
        if sys.stderr.isatty():
            print(f"\r\033[K{what}", end="", file=sys.stderr, flush=True)


class Peak:
    """Reads the peak resident memory of a process every 20 ms while the process runs, so it misses
    growth in the last 20 ms. It reads VmHWM, because ru_maxrss would include the memory of the
    process that forked the measured process."""

    def __init__(self, pid):
        self.pid, self.kib, self.over = pid, 0, threading.Event()
        self.thread = threading.Thread(target=self.follow)
        self.thread.start()

    def follow(self):
        while not self.over.wait(0.02):
            with contextlib.suppress(OSError, StopIteration):
                with open(f"/proc/{self.pid}/status", encoding="ascii") as status:
                    line = next(l for l in status if l.startswith("VmHWM"))
                    self.kib = max(self.kib, int(line.split()[1]))

    def end(self):
        self.over.set()
        self.thread.join()
        return self.kib


def client_of(cost):
    """The fact "client" of the result; empty if the result does not have it."""
    return cost["result"]["inferbench"]["facts"].get("client", {}) if "result" in cost else {}


def worker_cpu(cost):
    """CPU seconds of the worker threads; None if the result does not contain them."""
    workers = client_of(cost).get("workers")
    return sum(w["cpu_s"] for w in workers) if workers else None


def per_million(cost):
    return cost["cpu_s"] / cost["events"] * 1e6


def per_request(cost):
    """CPU time in microseconds per request."""
    return cost["cpu_s"] / cost["requests"] * 1e6


def middle(costs, what):
    """The median of what(cost), or of the member `what`; None if any of the values is None."""
    values = [what(c) if callable(what) else c[what] for c in costs]
    return None if None in values else statistics.median(values)


def ratio(seen, what, name=OURS, limit=LIMIT):
    """The median of the ratios of neighbouring runs. A disturbance that slows both runs has no effect
    on their ratio."""
    return statistics.median(what(a) / what(b) for a, b in zip(seen[name], seen[limit]))


def cell(value, form="{:.3g}"):
    return "-" if value is None else form.format(value)


def table(head, rows):
    """Prints a markdown table; the cells are texts."""
    print("| " + " | ".join(head) + " |")
    print("|" + " --- |" * len(head))
    for row in rows:
        print("| " + " | ".join(row) + " |", flush=True)
    print(flush=True)
