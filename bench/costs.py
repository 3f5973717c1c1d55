"""The rows of bench/run that measure costs: CPU and memory. Each function for a row measures it and
prints a markdown table."""
import contextlib
import math
import os
from concurrent import futures

from lab import (LIMIT, OURS, SERVER_CORE, cell, middle, per_million, per_request, ratio, table,
                 worker_cpu)


def streaming(lab, title, simulator, streams, requests, tokens, own_stamps=False):
    """CPU per million events of the raw reader and of inferbench. `own_stamps`: also of inferbench
    with --timestamps client."""
    client = f"{OURS} --timestamps client"
    rows = []
    for n in streams:
        with lab.server(*simulator) as port:
            plain = ["--streams", n, "--requests", requests, "--tokens", tokens]
            seen = lab.interleaved(**{
                "raw reader": lambda: lab.raw(port, *plain),
                LIMIT: lambda: lab.raw(port, *plain, "--json"),
                OURS: lambda: lab.ours(port, requests, n, tokens),
                **({client: lambda: lab.ours(port, requests, n, tokens,
                                             more=["--timestamps", "client"])}
                   if own_stamps else {})})
        threads = middle(seen[OURS], lambda c: worker_cpu(c) and worker_cpu(c) / c["events"] * 1e6)
        rows.append([str(n), *[cell(middle(s, per_million)) for s in seen.values()],
                     cell(threads), cell(ratio(seen, per_million), "{:.2f}"),
                     *[cell(middle(seen[who], "events_per_s"), "{:,.0f}")
                       for who in (LIMIT, OURS)]])
    print(f"### {title}\n")
    print(f"CPU seconds per million events, {requests:,} requests of {tokens} tokens; median of"
          f" {lab.runs}. Ratio: inferbench to the raw reader with JSON scan.\n")
    table(["streams", "raw reader", LIMIT, OURS, *([client] if own_stamps else []),
           "worker of inferbench alone", "ratio",
           "events/s, " + LIMIT, "events/s, " + OURS], rows)


def coalesced(lab):
    streaming(lab, "Events coalesced by the server", ["--ttft", "0", "--itl", "0", "--coalesce"],
              [64, 512, 2048], lab.count(16384), 256)


def packets(lab):
    streaming(lab, "Events as packets, unpaced", ["--ttft", "0", "--itl", "0"],
              [64, 512, 2048], lab.count(4096), 256)


def paced(lab):
    streaming(lab, "Events as packets, paced: 10,000 events/s, 1,000 streams",
              ["--ttft", "uniform(0,100ms)", "--itl", "100ms"], [1000], 1000, lab.count(256),
              own_stamps=True)


def one_token(lab):
    number, n = lab.count(100_000), 64
    plain = ["--streams", n, "--requests", number, "--tokens", 1]
    print("### One-token requests\n")
    print(f"{number:,} requests, {n} at once; median of {lab.runs}. us: CPU of the process.\n")
    for title, flags in [("The answer in one write: the client is the limit", ["--coalesce"]),
                         ("Head and event in a write each: the server is the limit", [])]:
        with lab.server("--ttft", "0", "--itl", "0", *flags) as port:
            seen = lab.interleaved(**{
                "raw reader": lambda: lab.raw(port, *plain),
                LIMIT: lambda: lab.raw(port, *plain, "--json"),
                OURS: lambda: lab.ours(port, number, n, 1),
                "inferbench --summary bounded":
                    lambda: lab.ours(port, number, n, 1, more=["--summary", "bounded"]),
                "inferbench --timestamps client":
                    lambda: lab.ours(port, number, n, 1, more=["--timestamps", "client"]),
                "wrk -t1": lambda: lab.wrk(port, n, max(1, int(3 * lab.scale)))})
        rows = []
        for name, costs in seen.items():
            threads = middle(costs, lambda c: worker_cpu(c) and worker_cpu(c) / c["requests"] * 1e6)
            kernel = middle(costs, lambda c: c["system_s"] / c["requests"] * 1e6)
            rows.append([name, cell(middle(costs, per_request)), cell(kernel), cell(threads),
                         cell(ratio(seen, per_request, name), "{:.2f}"),
                         cell(middle(costs, "requests_per_s"), "{:,.0f}")])
        print(f"{title}:\n")
        table(["client", "us a request", "the kernel's", "its worker alone", "ratio to " + LIMIT,
               "requests/s"], rows)


def memory(lab):
    rows = [row for many in (10_000, 50_000) for row in memory_of(lab, lab.count(many))]
    print("### Memory of open streams\n")
    print("Where the limit of open files is too low for them, inferbench has several workers, and"
          " several raw readers share the streams. A server for each.\n")
    table(["client", "open streams", "processes", "workers of each",
           f"MiB each with {FEW} streams", "MiB in all", "KiB a stream"], rows)


FEW = 100  # streams of the small run that is subtracted, to leave the memory of the streams


def memory_of(lab, many):
    """All streams are open before the first event of any stream."""
    parts = math.ceil(many / (lab.descriptors - 500))
    each = math.ceil(many / parts)
    # Each stream to one address of the server needs its own port of the client.
    hosts = [f"127.0.0.{i + 1}" for i in range(math.ceil(each / 20_000))]
    where = [word for host in hosts for word in ("--address", host)]
    flags = ["--host", "0.0.0.0", "--ttft", f"{max(2, many // 2500)}s", "--itl", "10ms"]

    def raw(port, n):
        return lab.raw(port, "--streams", n, "--requests", n, "--tokens", 4, "--json",
                       *where)["rss_kib"]

    def ours(ports, n):
        # More permits than requests: a worker without a permit would hold back requests that
        # another worker could send immediately.
        cost = lab.ours(ports, n, n + FEW * parts, tokens=4, addresses=hosts, rss=True,
                        more=["--workers", parts, "--connect-timeout", "60s"])
        open_at_once = cost["result"]["inferbench"]["facts"]["peak_concurrency"]["requests"]
        if open_at_once != n:
            raise SystemExit(f"only {open_at_once} of {n} streams were open at once")
        return cost["rss_kib"]

    def row(name, streams, processes, workers, base, full):
        return [name, f"{streams:,}", str(processes), str(workers), f"{base / 1024:.1f}",
                f"{full / 1024:.1f}",
                f"{(full - base * processes) / (streams - FEW * processes):.2f}"]

    with contextlib.ExitStack() as servers, futures.ThreadPoolExecutor(parts) as clients:
        ports = [servers.enter_context(lab.server(*flags)) for _ in range(parts)]
        full = sum(clients.map(lambda port: raw(port, each), ports))
        yield row(LIMIT, each * parts, parts, 1, raw(ports[0], FEW), full)
        yield row(OURS, many, 1, parts, ours(ports, FEW), ours(ports, many))


def kept(lab):
    """Measures the bytes that stay in memory for each event."""
    rows = []
    less, more = lab.count(4_000), lab.count(40_000)
    with lab.server("--ttft", "0", "--itl", "0", "--coalesce") as port:
        for mode in ("exact", "bounded"):
            small, large = [lab.ours(port, n, 64, 256, more=["--summary", mode], rss=True)
                            for n in (less, more)]
            grown = (large["rss_kib"] - small["rss_kib"]) * 1024
            rows.append([mode, f"{small['rss_kib'] / 1024:.1f}", f"{large['rss_kib'] / 1024:.1f}",
                         f"{grown / (large['events'] - small['events']):.2f}"])
    print("### What is kept of each event\n")
    table(["--summary", f"MiB, {less * 256:,} events", f"MiB, {more * 256:,} events",
           "bytes an event"], rows)


def requests(lab):
    """Measures the cost per request for different numbers of requests."""
    rows = []
    with lab.server("--ttft", "0", "--itl", "0") as port:
        for mode in ("exact", "bounded"):
            start = middle([lab.ours(port, 64, 64, 1, more=["--summary", mode])
                            for _ in range(lab.runs)], "cpu_s")
            for n in (10_000, 100_000, 1_000_000):
                n = lab.count(n)
                costs = [lab.ours(port, n, 64, 1, more=["--summary", mode], rss=True)
                         for _ in range(min(lab.runs, 3) if n > 100_000 else lab.runs)]
                rows.append([mode, f"{n:,}", cell(middle(costs, per_request)),
                             cell((middle(costs, "cpu_s") - start) / n * 1e6),
                             cell(middle(costs, "requests_per_s"), "{:,.0f}"),
                             cell(middle(costs, "rss_kib") / 1024, "{:.1f}")])
    print("### Cost per request against their number\n")
    print("One-token requests, 64 at once. us of CPU; the second without what 64 requests cost.\n")
    table(["--summary", "requests", "us a request", "without the start", "requests/s", "MiB"],
          rows)


def workers(lab):
    """Measures the events per second of one worker and of two workers. On a machine with at most
    three cores, client and server share all cores."""
    cores = os.cpu_count() or 2
    server, client = (SERVER_CORE, f"1-{cores - 1}") if cores > 3 else (None, None)
    events, n, rows = lab.count(40_000_000), 64, []

    def run(count, tokens):
        with lab.canned(tokens, core=server) as canned:
            cost = lab.ours(canned["url"], events // tokens, n, tokens, core=client,
                            more=["--workers", count, "--summary", "bounded"])
        cost["server_s"] = canned["cpu_s"]
        return cost

    for tokens in (256, 1024, 4096):
        seen = lab.interleaved(**{str(count): lambda count=count: run(count, tokens)
                                  for count in (1, 2)})
        gain = ratio(seen, lambda c: c["events_per_s"], "2", "1")
        for count, costs in seen.items():
            threads = middle(costs, lambda c: worker_cpu(c) and worker_cpu(c) / c["events"] * 1e6)
            rows.append([f"{tokens:,}", count, cell(middle(costs, "events_per_s"), "{:,.0f}"),
                         cell(middle(costs, per_million)), cell(threads),
                         cell(middle(costs, lambda c: c["server_s"] / c["events"] * 1e6)),
                         "1" if count == "1" else cell(gain, "{:.2f}")])
    print("### Workers\n")
    print(f"An answer in one write, by the canned server; {n} streams, {cores} cores, --summary"
          f" bounded; median of {lab.runs}. CPU seconds per million events.\n")
    table(["events of an answer", "workers", "events/s", OURS, "its workers alone", "the server",
           "gain"], rows)


def loops(lab):
    """Measures the same minimal client with different event loops and HTTP parsers."""
    programs = sorted(p.name for p in lab.programs.glob("loop_*"))
    fast, gap = ["--ttft", "0", "--itl", "0"], ["--ttft", "uniform(0,10ms)", "--itl", "10ms"]
    cases = [([*fast, "--coalesce"], 64, lab.count(8192), 256, per_million),
             (fast, 64, lab.count(2048), 256, per_million),
             (gap, 500, max(500, lab.count(2000)), 100, per_million),
             ([*fast, "--coalesce"], 64, lab.count(50_000), 1, per_request)]
    found = {}
    for flags, n, number, tokens, what in cases:
        with lab.server(*flags) as port:
            plain = ["--streams", n, "--requests", number, "--tokens", tokens, "--json"]
            seen = lab.interleaved(**{
                program: lambda program=program: lab.raw(port, *plain, program=program)
                for program in ["raw_client", *programs]})
        for program, costs in seen.items():
            found.setdefault(program, []).append(cell(middle(costs, what)))
    print("### Loops and parsers\n")
    print("CPU seconds per million events, us per one-token request, each with a JSON scan;"
          f" median of {lab.runs}. 64 streams, paced: 500 and 50,000 events/s.\n")
    table(["client", "coalesced", "packets, unpaced", "packets, paced", "one-token request"],
          [[name, *cells] for name, cells in found.items()])
