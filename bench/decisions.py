"""The rows of bench/run that measure decisions: the limit that `inferbench find` finds over a simulator
whose limit is known, and the error rates of searches and comparisons in virtual time."""
import json
import subprocess

from lab import table

# Users of the simulator, and the delay of each, ms. With n users every request takes n delays.
USERS, DELAY_MS = (40, 73, 120, 157, 200), 2


def searched(lab, port, users):
    """The result of a search for the largest number of users. The goal lies half a delay above the
    latency of `users`, so `users` is the only right answer."""
    limit_ms = (users + 0.5) * DELAY_MS
    file = lab.folder / f"find-{next(lab.number)}.json"
    # A search that finds no limit has an exit status of its own.
    subprocess.run([str(word) for word in (
        lab.programs / "inferbench", "find", "--base-url", f"http://127.0.0.1:{port}",
        "--backend", "openai", "--model", "m", "--tokenizer-mode", "bytes",
        "--dataset-name", "random", "--random-input-len", 32, "--random-output-len", 1,
        "--temperature", 0, "--goal", f"ttft.p90<{limit_ms}ms", "--over", "max_concurrency",
        "--between", 1, 256, "--max-probes", 14, "--settle", "0s",
        "--result-dir", lab.folder, "--json", file)],
        check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return json.loads(file.read_text())


def find(lab):
    """Prints the limits that are found."""
    rows = []
    with lab.server("--ttft", f"0ms + {DELAY_MS}ms*active", "--itl", "0") as port:
        for users in USERS:
            found = []
            for turn in range(lab.runs):
                lab.tell(f"{turn + 1} of {lab.runs}: {users} users")
                found.append(searched(lab, port, users))
            exact = sum(one["limit"] == users and one["upper"] == users + 1 for one in found)
            rows.append([str(users), ", ".join(f"{one['limit'] or 0:.0f}" for one in found),
                         f"{exact} of {len(found)}",
                         f"{max(len(one['probes']) for one in found)}",
                         f"{max(sum(p['requests'] for p in one['probes']) for one in found)}"])
    lab.tell("")
    print("### The largest number of users\n")
    print(f"A search between 1 and 256 users over the simulator, in which each request takes"
          f" {DELAY_MS} ms for each user. Exact: the limit is the true number, and the next number"
          " failed.\n")
    table(["true limit", "found", "exact", "probes, at most", "requests, at most"], rows)


def searches(lab):
    """Prints the error rates of searches in virtual time."""
    print(lab.measure([lab.programs / "limit_search", *(["--quick"] if lab.scale < 1 else [])],
                      core=None)["text"])


def comparisons(lab):
    """Prints the error rates of comparisons of simulated runs."""
    print(lab.measure([lab.programs / "paired_comparison", lab.count(20_000)],
                      core=None)["text"])
