"""The row of bench/run that tests the verdict. It runs `inferbench calibrate` under usual loads on a
machine without other load, and with deliberate disturbances of the client. The simulator's log proves
the delay that the client really added to each figure. This delay is compared with the bound that the
client reported."""
import contextlib
import json
import os
import signal
import socket
import subprocess
import threading
import time
from pathlib import Path

from lab import table

USUAL = {
    "100 at once": ["--num-prompts", 100],
    "1,000 at once": ["--num-prompts", 1000],
    "32 in flight": ["--num-prompts", 320, "--max-concurrency", 32],
    "256 in flight": ["--num-prompts", 1024, "--max-concurrency", 256],
    "200 a second": ["--num-prompts", 600, "--request-rate", 200],
    "100 a second, long answers": ["--num-prompts", 300, "--request-rate", 100,
                                   "--random-output-len", 128],
    "20 a second": ["--num-prompts", 80, "--request-rate", 20],
}
DISTURBED = ["--num-prompts", 200, "--request-rate", 50, "--random-output-len", 64]
# Tolerance for the comparison of two clocks and for a system call between two stamps.
SLACK_MS = 0.02
GROUP = Path("/sys/fs/cgroup/cpu/inferbench-verdict")


def verdict(lab):
    """Prints both tables."""
    rows = []
    for name, load in USUAL.items():
        runs = [calibrate(lab, load) for _ in range(lab.runs)]
        rows.append([name, *summary(runs), str(sum(false_alarm(r) for r in runs))])
    print("### The verdict on a quiet machine\n")
    print(f"{lab.runs} runs each. Late stamps, ms: the largest bound of a figure, and the largest part of"
          " an error that the server's log proves to be the client's.\n")
    table(["load", "VALID", "SUSPECT", "INVALID", "bound", "proven", "bound held",
           "false alarms"], rows)
    rows = []
    for name, (plant, words) in PLANTED.items():
        runs = [plant(lab) for _ in range(lab.runs)]
        if None in runs:
            rows.append([name, *["-"] * 6, "this machine does not allow it"])
            continue
        named = sum(names(r, words) for r in runs)
        rows.append([name, *summary(runs), f"{named} of {len(runs)}"])
    print("### The verdict on a disturbed client\n")
    print("50 requests a second of 64 tokens, 10 ms each; under the quota 1,000 in flight, 32 tokens."
          " Named: a reason, a cause or a warning mentions this disturbance.\n")
    table(["disturbance", "VALID", "SUSPECT", "INVALID", "bound", "proven", "bound held", "named"],
          rows)


def calibrate(lab, load, around=None, prefix=()):
    """Runs `inferbench calibrate` once. `around`: a function from the process to a context that
    disturbs it."""
    file = lab.folder / f"calibration-{next(lab.number)}.json"
    command = [*prefix, lab.programs / "inferbench", "calibrate", "--dataset-name", "random",
               "--random-input-len", 32, "--random-output-len", 32, "--tokenizer-mode", "bytes",
               "--disable-tqdm", "--save-result", "--result-dir", lab.folder, "--result-filename",
               file.name, *load]
    process = subprocess.Popen([str(c) for c in command], stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True)
    with around(process) if around else contextlib.nullcontext():
        text = process.communicate()[0]
    if process.returncode != 0:
        raise SystemExit(text)
    found = json.loads(file.read_text())
    file.unlink()
    return {"verdict": found["verdict"], "figures": figures_of(found),
            "said": found["reasons"] + found["causes"]}


def figures_of(found):
    """For each compared figure with a known bound: (value, bound, proven error) in ms."""
    out = []
    for name in ("ttft", "itl", "e2el"):
        for bound in (found["stamp_error_ms"][name] or {}).values():
            out.append((bound["figure"], bound["at_most"], bound["proven"]))
    return out


def summary(runs):
    """Cells of a row: the number of runs with each verdict, the largest bound, the largest proven error,
    and the number of runs in which all bounds held. Runs without known bounds are counted separately.
    """
    levels = [str(sum(r["verdict"] == level for r in runs))
              for level in ("VALID", "SUSPECT", "INVALID")]
    compared = [r["figures"] for r in runs if r["figures"] is not None]
    known = [figures for figures in compared if figures]
    if not compared:
        return [*levels, "-", "-", "-"]
    unknown = f"unknown in {len(compared) - len(known)}"
    if not known:
        return [*levels, "-", "-", unknown]
    held = sum(all(proven <= bound + SLACK_MS for _, bound, proven in figures) for figures in known)
    said = [f"{held} of {len(known)}", *([unknown] if len(known) < len(compared) else [])]
    return [*levels, f"{max(f[1] for figures in known for f in figures):.3f}",
            f"{max(f[2] for figures in known for f in figures):.3f}", ", ".join(said)]


def names(run, words):
    """True if a reason, a cause or a line of output contains one of `words`."""
    return any(each in sentence for sentence in run["said"] for each in words)


def false_alarm(run):
    """True if the verdict is not VALID although the error of every figure is within the tolerance."""
    right = all(proven <= max(0.5, 0.01 * value) for value, _, proven in run["figures"])
    return right and run["verdict"] != "VALID"


def stopped(milliseconds):
    """Stops the client four times a second for `milliseconds` each."""
    @contextlib.contextmanager
    def around(process):
        over = threading.Event()

        def stop():
            while not over.wait(0.25 - milliseconds / 1000):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process.pid, signal.SIGSTOP)
                    time.sleep(milliseconds / 1000)
                    os.kill(process.pid, signal.SIGCONT)
        thread = threading.Thread(target=stop)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()
    return lambda lab: calibrate(lab, DISTURBED, around)


def crowded(lab):
    """Runs beside six programs that use the CPU without a pause."""
    busy = [subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in range(6)]
    try:
        return calibrate(lab, DISTURBED)
    finally:
        for one in busy:
            one.kill()
            one.wait()


def small_buffers(lab):
    """Runs in a separate network namespace with socket buffers of 4 KiB, which the simulator also
    uses."""
    limits = "; ".join(f"echo 4096 4096 4096 > /proc/sys/net/ipv4/{name}"
                       for name in ("tcp_rmem", "tcp_wmem"))
    prefix = ["unshare", "--net", "sh", "-c", f'ip link set lo up && {limits} && exec "$@"', "sh"]
    if subprocess.run([*prefix, "true"], check=False, capture_output=True).returncode != 0:
        return None
    return calibrate(lab, DISTURBED, prefix=prefix)


def half_a_core(lab):
    """Runs with a CPU quota of 50 ms per 100 ms, which the client shares with the simulator, its
    child process."""
    try:
        GROUP.mkdir(exist_ok=True)
        (GROUP / "cpu.cfs_period_us").write_text("100000")
        (GROUP / "cpu.cfs_quota_us").write_text("50000")
    except OSError:
        return None
    prefix = ["sh", "-c", f'echo $$ > {GROUP}/cgroup.procs && exec "$@"', "sh"]
    try:
        return calibrate(lab, ["--num-prompts", 4000, "--max-concurrency", 1000], prefix=prefix)
    finally:
        GROUP.rmdir()


def slow_resolver(lab):
    """Runs with a name server that does not answer and that is asked before /etc/hosts. Uses `serve`
    against a simulator, because a calibration resolves no names. The figures have no ground truth.
    """
    mute = "127.0.0.53"
    files = {"resolv.conf": f"nameserver {mute}\noptions timeout:1 attempts:1\n",
             "nsswitch.conf": "hosts: dns files\n"}
    for name, text in files.items():
        (lab.folder / name).write_text(text)
    mounts = " && ".join(f"mount --bind {lab.folder / name} /etc/{name}" for name in files)
    prefix = ["unshare", "--mount", "sh", "-c", f'{mounts} && exec "$@"', "sh"]
    if subprocess.run([*prefix, "true"], check=False, capture_output=True).returncode != 0:
        return None
    file = lab.folder / "resolved.json"
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as silent, \
            lab.server("--ttft", "50ms", "--itl", "10ms", core=None) as port:
        silent.bind((mute, 53))
        command = [*prefix, lab.programs / "inferbench", "serve", "--backend", "openai", "--model",
                   "m", "--base-url", f"http://localhost:{port}", "--tokenizer-mode", "bytes",
                   "--dataset-name", "random", "--random-input-len", 32, "--random-output-len", 32,
                   "--num-prompts", 20, "--disable-tqdm", "--journal", "none", "--save-result",
                   "--result-dir", lab.folder, "--result-filename", file.name]
        done = subprocess.run([str(c) for c in command], check=True, capture_output=True, text=True)
    client = json.loads(file.read_text())["inferbench"]["facts"]["client"]
    file.unlink()
    return {"verdict": client["verdict"], "figures": None, "said": done.stderr.splitlines()}


STOOD_STILL = "did not look at its sockets"
# Each disturbance, and the words of which at least one must occur in the output of the run.
PLANTED = {
    "stopped for 80 ms, 4 times a second": (stopped(80), [STOOD_STILL]),
    "stopped for 50 ms, 4 times a second": (stopped(50), [STOOD_STILL]),
    "six busy programs": (crowded, [STOOD_STILL, "waited for a core"]),
    "socket buffers of 4 KiB": (small_buffers, ["got less than 32 KiB to receive"]),
    "a quota of half a core": (half_a_core, ["of the CPU quota"]),
    "a slow resolver": (slow_resolver, ["the resolver took"]),
}
