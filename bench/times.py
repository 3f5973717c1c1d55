"""The rows of bench/run that measure delays and errors. Each function for a row measures it and
prints a markdown table."""
import json
import selectors
import socket
import statistics
import subprocess
import time

from lab import CLIENT_CORE, LIMIT, OURS, ROOT, cell, client_of, middle, table
from truth import errors_of


def startup(lab):
    """Measures the time from exec to the first bytes of the first request."""
    samples = {}
    datasets = {
        "random": ["--dataset-name", "random", "--random-input-len", "32"],
        "ShareGPT": ["--dataset-name", "sharegpt",
                     "--dataset-path", "tests/fixtures/datasets/sharegpt.json"]}
    for name, flags in datasets.items():
        for _ in range(max(lab.runs, 5) * 2):
            samples.setdefault(name, []).append(first_bytes(lab, flags))
    print("### From exec to the first bytes of a request\n")
    table(["dataset", "median ms", "largest ms"],
          [[name, f"{sorted(s)[len(s) // 2]:.1f}", f"{max(s):.1f}"] for name, s in samples.items()])


def first_bytes(lab, flags):
    """Milliseconds from exec to the first bytes of the first request, which this process receives.
    With --model and --tokenizer-mode, the client sends nothing before that request."""
    listener = socket.create_server(("127.0.0.1", 0), backlog=512)
    command = ["taskset", "-c", CLIENT_CORE, lab.programs / "inferbench", "serve",
               "--backend", "openai", "--model", "m", "--base-url",
               f"http://127.0.0.1:{listener.getsockname()[1]}", "--tokenizer-mode", "bytes",
               "--journal", "none", "--disable-tqdm", "--num-prompts", "100", "--max-concurrency",
               "1", "--result-dir", lab.folder, *flags]
    ready = selectors.DefaultSelector()
    ready.register(listener, selectors.EVENT_READ)
    peers = []
    with open(lab.folder / "err", "w") as errors:
        begin = time.monotonic_ns()
        client = subprocess.Popen([str(c) for c in command], cwd=ROOT, stdout=subprocess.DEVNULL,
                                  stderr=errors)
        try:
            while client.poll() is None:
                for key, _ in ready.select(timeout=1):
                    if key.fileobj is listener:
                        peers.append(listener.accept()[0])
                        ready.register(peers[-1], selectors.EVENT_READ)
                    elif key.fileobj.recv(4096):
                        return (time.monotonic_ns() - begin) / 1e6
                    else:
                        ready.unregister(key.fileobj)
            raise SystemExit("the client ended without a request: "
                             + (lab.folder / "err").read_text())
        finally:
            client.kill()
            client.wait()
            for peer in [listener, *peers]:
                peer.close()


def accuracy(lab):
    """Measures errors against the ground truth, with 100 events per second in each stream."""
    rows = []
    for load in (20_000, 40_000, 100_000):
        tokens, seconds = 200, max(2, int(10 * lab.scale))
        rate = load / tokens
        n = int(rate * seconds)

        def against_truth(run):
            log = lab.folder / "truth"
            log.unlink(missing_ok=True)
            with lab.server("--ttft", "50ms", "--itl", "10ms", "--ground-truth", log) as port:
                cost = run(port)
            errors = errors_of(cost, log, lab.folder)
            return {**errors, "verdict": client_of(cost).get("verdict", "-")}

        def raw(port):
            return lab.raw(port, "--streams", int(rate * 2.2), "--requests", n, "--tokens", tokens,
                           "--rate", rate, "--stamps", lab.folder / "stamps")

        def ours(*more):
            return lambda port: lab.ours(port, n, None, tokens, rate,
                                         more=["--save-detailed", *more])
        seen = lab.interleaved(**{
            LIMIT: lambda: against_truth(raw),
            OURS: lambda: against_truth(ours()),
            "inferbench --timestamps client":
                lambda: against_truth(ours("--timestamps", "client"))})
        for name, errors in seen.items():
            rows.append([f"{load:,}", name, *[
                cell(middle(errors, key), "{:+.3f}")
                for key in ("ttft", "itl_p99", "delay_mean", "delay_p99", "send_p99")],
                " ".join(sorted({e["verdict"] for e in errors}))])
    print("### Error against the ground truth\n")
    print(f"Streams of {tokens} tokens, one each 10 ms, requests as a Poisson process; ms, median"
          f" of {lab.runs}. TTFT: measured minus (first event written minus request read by the"
          " server), mean. ITL: P99 measured minus P99 true. Seen late: stamp minus time before"
          " the write. Sent late: sent minus due, P99.\n")
    table(["events/s", "client", "TTFT", "ITL P99", "seen late, mean", "P99", "sent late",
           "verdict"], rows)


def pacing(lab):
    """Measures sent minus due at 2,000 requests per second."""
    n = lab.count(20_000)

    def ours(port):
        cost = lab.ours(port, n, None, 1, 2000, more=["--metric-percentiles", "50,99,99.9"])
        lag = cost["result"]["inferbench"]["metrics"]["send_lag"]
        return {"p50": lag["p50"], "p99": lag["p99"], "max": lag["max"]}

    def raw(port):
        cost = lab.raw(port, "--streams", 64, "--requests", n, "--tokens", 1, "--rate", 2000,
                       "--stamps", lab.folder / "stamps")
        return errors_of(cost, None, lab.folder)["send"]
    with lab.server("--ttft", "0", "--itl", "0") as port:
        seen = lab.interleaved(**{LIMIT: lambda: raw(port), OURS: lambda: ours(port)})
    print("### Sent minus due at 2,000 requests/s\n")
    print(f"{n:,} one-token requests as a Poisson process; ms, median of {lab.runs}.\n")
    table(["client", "P50", "P99", "largest"],
          [[name, *[cell(middle(s, key), "{:.3f}") for key in ("p50", "p99", "max")]]
           for name, s in seen.items()])


def burst(lab):
    """Measures the time to send requests that are all due at the same time."""
    n = lab.count(1000)

    def ours(port):
        cost = lab.ours(port, n, None, 1)
        return cost["result"]["inferbench"]["facts"]["burst"]["seconds"] * 1e3

    def raw(port):
        lab.raw(port, "--streams", n, "--requests", n, "--tokens", 1, "--stamps",
                lab.folder / "stamps")
        with open(lab.folder / "stamps", encoding="ascii") as lines:
            sent = [json.loads(line)["sent_ns"] for line in lines]
        return (max(sent) - min(sent)) / 1e6
    # The server answers no request before the last request has been sent.
    with lab.server("--ttft", "500ms", "--itl", "0") as port:
        seen = lab.interleaved(**{LIMIT: lambda: raw(port), OURS: lambda: ours(port)})
    print("### A burst\n")
    print(f"{n:,} requests at once, over open connections; ms from the first byte of the first to"
          f" that of the last, {lab.runs} runs.\n")
    table(["client", "median", "least", "most"],
          [[name, *[cell(of(values), "{:.1f}") for of in (statistics.median, min, max)]]
           for name, values in seen.items()])
