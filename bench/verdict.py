"""The row of bench/run that tries the verdict: `inferbench calibrate` under usual loads on a quiet
machine, and with something planted that disturbs the client. The simulator's log says what the
client really added to each figure; that is held against the bound that the client gave."""
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
    "32 under way": ["--num-prompts", 320, "--max-concurrency", 32],
    "256 under way": ["--num-prompts", 1024, "--max-concurrency", 256],
    "200 a second": ["--num-prompts", 600, "--request-rate", 200],
    "100 a second, long answers": ["--num-prompts", 300, "--request-rate", 100,
                                   "--random-output-len", 128],
    "20 a second": ["--num-prompts", 80, "--request-rate", 20],
}
DISTURBED = ["--num-prompts", 200, "--request-rate", 50, "--random-output-len", 64]
# The error of comparing two clocks, and of a system call between two stamps.
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
    print("50 requests a second of 64 tokens, 10 ms each; under the quota 1,000 under way, 32 tokens."
          " Named: a reason, a cause or a warning has the words for this very disturbance.\n")
    table(["disturbance", "VALID", "SUSPECT", "INVALID", "bound", "proven", "bound held", "named"],
          rows)


def calibrate(lab, load, around=None, prefix=()):
    """One run; `around`, a context that is given its process, disturbs it."""
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
    """Of each compared figure with a known bound: (its value, the bound, its proven error), ms."""
    out = []
    for name in ("ttft", "itl", "e2el"):
        for bound in (found["stamp_error_ms"][name] or {}).values():
            out.append((bound["figure"], bound["at_most"], bound["proven"]))
    return out


def summary(runs):
    """Cells: verdicts, the largest bound and proven error, how often all bounds held. A run without
    known bounds has kept none."""
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
    """Whether the run says one of `words`: any other sentence does not name the disturbance."""
    return any(each in sentence for sentence in run["said"] for each in words)


def false_alarm(run):
    """The verdict is not VALID though no figure is off by more than is tolerated."""
    right = all(proven <= max(0.5, 0.01 * value) for value, _, proven in run["figures"])
    return right and run["verdict"] != "VALID"


def stopped(milliseconds):
    """Four times a second the client does not run for so long."""
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
    """Six programs that do nothing but run."""
    busy = [subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in range(6)]
    try:
        return calibrate(lab, DISTURBED)
    finally:
        for one in busy:
            one.kill()
            one.wait()


def small_buffers(lab):
    """Sockets of 4 KiB in a network of its own, in which the simulator is as well."""
    limits = "; ".join(f"echo 4096 4096 4096 > /proc/sys/net/ipv4/{name}"
                       for name in ("tcp_rmem", "tcp_wmem"))
    prefix = ["unshare", "--net", "sh", "-c", f'ip link set lo up && {limits} && exec "$@"', "sh"]
    if subprocess.run([*prefix, "true"], check=False, capture_output=True).returncode != 0:
        return None
    return calibrate(lab, DISTURBED, prefix=prefix)


def half_a_core(lab):
    """A quota of 50 ms in each 100, for the client and the simulator, which is its child."""
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
    """A name server that does not answer is asked before /etc/hosts. Against a simulator, since a
    calibration resolves nothing; so there is no truth to hold it against."""
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
# A disturbance to plant, and the words of which the run has to say one.
PLANTED = {
    "stopped for 80 ms, 4 times a second": (stopped(80), [STOOD_STILL]),
    "stopped for 50 ms, 4 times a second": (stopped(50), [STOOD_STILL]),
    "six busy programs": (crowded, [STOOD_STILL, "waited for a core"]),
    "socket buffers of 4 KiB": (small_buffers, ["got less than 32 KiB to receive"]),
    "a quota of half a core": (half_a_core, ["of the CPU quota"]),
    "a slow resolver": (slow_resolver, ["the resolver took"]),
}
