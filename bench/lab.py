"""What the rows of bench/run are made of: servers, clients, and what each of them cost.

The server has core 0, the client core 1. Costs are those of the whole process, from exec
to exit, as the kernel accounts for them: user and system time together.
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
LIMIT, OURS = "raw reader, JSON scan", "inferbench"  # names of contenders


class Lab:
    """Where the programs lie, and a folder for what they write."""

    def __init__(self, build, runs, scale):
        self.programs = Path(build).resolve() / "bin"
        self.runs = runs
        self.scale = scale
        self.folder = Path(tempfile.mkdtemp(prefix="inferbench-bench-"))
        self.number = itertools.count()  # of runs, for file names
        _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        for self.descriptors in (max(200_000, hard), hard):
            with contextlib.suppress(ValueError, OSError):
                resource.setrlimit(resource.RLIMIT_NOFILE, (self.descriptors,) * 2)
                break

    def close(self):
        shutil.rmtree(self.folder)

    def count(self, full):
        """`full`, or less of it with --quick."""
        return max(1, int(full * self.scale))

    @contextlib.contextmanager
    def server(self, *flags, core=SERVER_CORE):
        """A simulator; its port."""
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
        """A server with one prepared answer, the cheapest that there can be: its url, and
        what it cost once it has ended."""
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

    def measure(self, command, core=CLIENT_CORE, rss=False):
        """Runs it. CPU seconds, what it printed, and its largest size if `rss`."""
        if core:
            command = ["taskset", "-c", core, *command]
        number = next(self.number)
        out, err = self.folder / f"out-{number}", self.folder / f"err-{number}"
        with open(out, "w") as to, open(err, "w") as errors:
            process = subprocess.Popen([str(c) for c in command], stdout=to, stderr=errors)
            peak = Peak(process.pid) if rss else None
            _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            raise SystemExit(f"{' '.join(map(str, command))}\nexit status "
                             f"{process.returncode}\n{err.read_text()}")
        text = out.read_text()
        out.unlink()
        err.unlink()
        return {"cpu_s": used.ru_utime + used.ru_stime, "user_s": used.ru_utime,
                "system_s": used.ru_stime, "text": text, "rss_kib": peak.end() if peak else None}

    def raw(self, port, *flags, program="raw_client", **kept):
        """A program of ours that takes the raw reader's command line."""
        cost = self.measure([self.programs / program, "--port", port, *flags], **kept)
        said = json.loads(cost["text"])
        said.update(cpu_s=cost["cpu_s"], user_s=cost["user_s"], system_s=cost["system_s"])
        return said

    def ours(self, ports, requests, streams=None, tokens=256, rate=None, more=(),
             addresses=("127.0.0.1",), **kept):
        """inferbench serve, and what its result says. `ports`: one, or a list; or a URL."""
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
        """wrk with one thread, and the request that `ours` sends: one that asks for less, such as
        no usage, would have another answer."""
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
        """Each in turn, as often as there are runs: what every contender returned."""
        seen = {name: [] for name in contenders}
        for turn in range(self.runs):
            for name, run in contenders.items():
                self.tell(f"{turn + 1} of {self.runs}: {name}")
                seen[name].append(run())
        self.tell("")
        return seen

    @staticmethod
    def tell(what):
        """A line for those who wait."""
        if sys.stderr.isatty():
            print(f"\r\033[K{what}", end="", file=sys.stderr, flush=True)


class Peak:
    """Follows a process's largest resident size while it lives: VmHWM, which unlike
    ru_maxrss knows nothing of the process that forked it."""

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
    """What the client says about itself; empty where the result has nothing of it."""
    return cost["result"]["inferbench"]["facts"].get("client", {}) if "result" in cost else {}


def worker_cpu(cost):
    """CPU seconds of the client threads alone, where the result tells."""
    workers = client_of(cost).get("workers")
    return sum(w["cpu_s"] for w in workers) if workers else None


def per_million(cost):
    return cost["cpu_s"] / cost["events"] * 1e6


def per_request(cost):
    """Microseconds."""
    return cost["cpu_s"] / cost["requests"] * 1e6


def middle(costs, what):
    """The median of what(cost), or of that member; none if any is unknown."""
    values = [what(c) if callable(what) else c[what] for c in costs]
    return None if None in values else statistics.median(values)


def ratio(seen, what, name=OURS, limit=LIMIT):
    """Median of the ratios of neighbouring runs: what slows both cancels."""
    return statistics.median(what(a) / what(b) for a, b in zip(seen[name], seen[limit]))


def cell(value, form="{:.3g}"):
    return "-" if value is None else form.format(value)


def table(head, rows):
    """A markdown table; `rows` of texts."""
    print("| " + " | ".join(head) + " |")
    print("|" + " --- |" * len(head))
    for row in rows:
        print("| " + " | ".join(row) + " |", flush=True)
    print(flush=True)
