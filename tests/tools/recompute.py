#!/usr/bin/env python3
"""Recomputes the figures of a result file from its own per-request arrays.

    recompute.py RESULT.json [--goodput KEY:MS ...] [--tolerance 1e-9]

Reads the result of a run with --save-detailed (one JSON object per line). Computes every
figure that the arrays determine, with a second implementation that shares no code with
the program, and compares. Prints each difference. The exit status is 0 without differences,
and 1 if there is a difference or the file is invalid. Without --goodput the limits of the
goodput are read from the file. The steady state is computed, too. For the exact peak of
concurrency only a lower bound is computed: the program counts a request until its answer is
complete, but the arrays contain only the time of the last token. Duration, rtfx, cached
tokens and the number of inputs of pooling requests are not computed, because the arrays do
not contain the data.
"""
import argparse
import json
import math
import re
import sys
from collections import Counter

SUMMARIES = ("ttft", "tpot", "itl", "e2el", "client_queue_time", "e2el_including_client_queue")


def reject_constant(name):
    raise ValueError(f"{name} is not JSON")


def no_duplicates(pairs):
    keys = Counter(key for key, _ in pairs)
    twice = [key for key, count in keys.items() if count > 1]
    if twice:
        raise ValueError(f"keys written twice: {', '.join(twice)}")
    return dict(pairs)


def ns(seconds):
    return round(seconds * 1e9)


def percentile(values, p):
    ordered = sorted(values)
    if not ordered:
        return 0.0
    h = (len(ordered) - 1) * p / 100
    low = math.floor(h)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (h - low) * (ordered[high] - ordered[low])


def mean(values):
    return math.fsum(values) / len(values) if values else 0.0


def deviation(values):
    center = mean(values)
    return math.sqrt(math.fsum((v - center) ** 2 for v in values) / len(values)) if values else 0.0


class Check:
    """Collects the differences between the figures of a result and the figures computed from its
    arrays."""

    def __init__(self, result, tolerance):
        self.result = result
        self.tolerance = tolerance
        self.differences = []
        self.compared = 0

    def differ(self, text):
        self.differences.append(text)

    def take(self, where, inner):
        """Adds the differences of `inner`, which checked the member `where` of this result."""
        self.compared += inner.compared
        self.differences += [where + text for text in inner.differences]

    def equal(self, key, derived):
        self.compared += 1
        if key not in self.result:
            self.differ(f"{key}: missing, should be {derived!r}")
            return
        found = self.result[key]
        if isinstance(derived, int) and not isinstance(found, int):
            self.differ(f"{key}: {found!r} is not a whole number")
        elif not isinstance(found, (int, float)):
            self.differ(f"{key}: {found!r} is not a number, should be {derived!r}")
        elif abs(found - derived) > self.tolerance * max(1.0, abs(found), abs(derived)):
            self.differ(f"{key}: {found!r}, should be {derived!r}")


def output_times(result, i):
    """Times of the events of request i in ns."""
    at = ns(result["start_times"][i]) + ns(result["ttfts"][i])
    times = [at]
    for gap in result["itls"][i]:
        at += ns(gap)
        times.append(at)
    return times


def peaks(result, good):
    """The largest numbers of events, of output tokens and of running requests in one second.

    Seconds are counted from the first start. The tokens of a request are distributed evenly over
    its events, rounded to 2^-24 of a token.
    """
    if not good:
        return 0.0, 0.0, 0
    first = min(ns(result["start_times"][i]) for i in good)
    events, tokens, touching = Counter(), Counter(), Counter()
    for i in good:
        times = output_times(result, i)
        share = math.floor(result["output_lens"][i] / len(times) * 2**24 + 0.5) / 2**24
        for at in times:
            events[(at - first) // 10**9] += 1
            tokens[(at - first) // 10**9] += share
        start = ns(result["start_times"][i])
        end = start + ns(result["latencies"][i])
        touching.update(range((start - first) // 10**9, (end - first) // 10**9 + 1))
    return float(max(events.values())), float(max(tokens.values())), max(touching.values())


def open_at_once(spans, threshold):
    """The largest number of spans open at the same time, and the window with `threshold` or more.

    The window begins when the number first reaches the threshold and ends when it last falls
    below it. If a span ends and another starts at the same instant, the end counts first. The
    window is None if the number never reaches the threshold.
    """
    marks = sorted([(end, 0) for _, end in spans] + [(begin, 1) for begin, _ in spans])
    now, most, begin, end = 0, 0, None, None
    for at, starts in marks:
        if starts:
            now += 1
            if now == threshold and begin is None:
                begin = at
            most = max(most, now)
        else:
            now -= 1
            if now == threshold - 1 and begin is not None:
                end = at
    return most, (None if begin is None else (begin, end))


def check_peak(check, spans):
    """`spans`: the spans of all requests; the span of a failed request is empty."""
    told = check.result.get("inferbench", {}).get("facts", {}).get("peak_concurrency")
    if told is None:
        return
    check.compared += 1
    least, _ = open_at_once(spans, 1)
    if not least <= told["requests"] <= len(spans):
        check.differ(f"peak_concurrency: {told['requests']}, should be {least} to {len(spans)}")


def steady_sums(result, good, spans, window):
    """The numbers of requests, input tokens and events of the requests `good` in the window."""
    begin, end = window

    def inside(at):
        return begin <= at < end

    started = [i for i in good if inside(spans[i][0])]
    pooling = "total_input_sequences" in result
    events = 0
    if not pooling:
        events = sum(inside(at) for i in good for at in output_times(result, i)
                     if has_events(result, i))
    return {
        "started": started,
        "completed": sum(inside(spans[i][1]) for i in good),
        "input": sum(result["input_lens"][i] for i in started),
        "events": events,
    }


def has_events(result, i):
    return result["ttfts"][i] > 0 or bool(result["itls"][i])


def check_steady_state(check, good, spans):
    """Checks the steady state by the rule of vLLM's second client, which requires a limit of
    concurrency and an infinite rate."""
    result = check.result
    cap = result.get("max_concurrency")
    if "steady_state" not in result:
        return
    if cap is None or result["request_rate"] != "inf":
        check.differ("steady_state: present without a cap and an infinite rate")
        return
    told = result["steady_state"]
    facts = result.get("inferbench", {}).get("facts", {})
    threshold = 0.95 if told is None else told["window"]["threshold"]
    wanted = max(1, math.ceil(threshold * cap))
    most, window = open_at_once([spans[i] for i in good], wanted)
    sums = None
    if window is not None and window[1] is not None:
        sums = steady_sums(result, good, spans, window)
    if sums is None or not sums["started"] or not sums["completed"]:
        check.compared += 1
        if told is not None:
            check.differ("steady_state: present, but there was none")
        return
    if told is None:
        if "exact" not in facts.get("steady_state_missing", ""):  # a bounded run has none
            check.differ("steady_state: null, but there was one")
        return

    first = min(spans[i][0] for i in good)
    length = (window[1] - window[0]) / 1e9
    inner = Check(told["window"], check.tolerance)
    for key, derived in (
        ("start_s", (window[0] - first) / 1e9),
        ("end_s", (window[1] - first) / 1e9),
        ("duration_s", length),
        ("target_concurrency", cap),
        ("threshold_abs", wanted),
        ("observed_peak", most),
        ("requests_started_in_window", len(sums["started"])),
        ("requests_completed_in_window", sums["completed"]),
        ("requests_total", len(good)),
    ):
        inner.equal(key, derived)
    check.take("steady_state.window.", inner)

    inner = Check(told, check.tolerance)
    for key, amount in (("request_throughput", sums["completed"]),
                        ("input_throughput", sums["input"]),
                        ("output_throughput", sums["events"]),
                        ("total_token_throughput", sums["input"] + sums["events"])):
        inner.equal(key, amount / length)
    if "total_input_sequences" not in result:
        ttft = [result["ttfts"][i] * 1000 for i in sums["started"]]
        inner.equal("mean_ttft_ms", mean(ttft))
        inner.equal("median_ttft_ms", percentile(ttft, 50))
        for k, (p, value) in enumerate(told["percentiles_ttft_ms"]):
            inner.result[f"p{k}"] = value
            inner.equal(f"p{k}", percentile(ttft, p))
        tpot = [(result["latencies"][i] - result["ttfts"][i]) * 1000
                / (result["output_lens"][i] - 1)
                for i in sums["started"] if result["output_lens"][i] > 1]
        inner.equal("mean_tpot_ms", mean(tpot))
        inner.equal("median_tpot_ms", percentile(tpot, 50))
        inner.equal("p90_tpot_ms", percentile(tpot, 90))
        inner.equal("p99_tpot_ms", percentile(tpot, 99))
    check.take("steady_state.", inner)


def require_arrays(check, names):
    result = check.result
    missing = [name for name in names if not isinstance(result.get(name), list)]
    if missing:
        check.differ(f"no arrays {', '.join(missing)}: was the run made with save-detailed?")
        return False
    lengths = {name: len(result[name]) for name in names}
    if len(set(lengths.values())) != 1:
        check.differ(f"arrays of different lengths: {lengths}")
        return False
    return True


def check_accounting(check, count, good):
    accounting = check.result.get("inferbench", {}).get("facts", {}).get("accounting")
    if accounting is None:
        return
    a = accounting
    for name, found, derived in (
        ("sent", a["sent"], count),
        ("ok", a["ok"], len(good)),
        ("planned", a["planned"], a["sent"] + a["never_sent"]),
        ("sent", a["sent"], a["ok"] + a["failed"] + a["cancelled"]),
    ):
        check.compared += 1
        if found != derived:
            check.differ(f"accounting.{name}: {found}, should be {derived}")


def check_goodput(check, good, sets, limits):
    result = check.result
    if not limits:
        limits = result.get("inferbench", {}).get("facts", {}).get("goodput_limits_ms", {})
    if result.get("request_goodput") is None:
        if limits:
            check.differ("request_goodput: null although there are limits")
        return
    if not limits:
        check.differ("request_goodput: present, but nothing says what the limits were")
        return
    # Compares whole ns, so that a value equal to the limit meets the limit.
    met = sum(
        all(round(sets[name][i] * 1e9) <= round(ms * 1e6) for name, ms in limits.items())
        for i in good
    )
    check.equal("request_goodput", met / result["duration"])


def check_statistics(check, sets):
    for name in SUMMARIES:
        if f"mean_{name}_ms" not in check.result:
            continue
        values = [v * 1000 for v in sets[name]]
        check.equal(f"mean_{name}_ms", mean(values))
        check.equal(f"median_{name}_ms", percentile(values, 50))
        check.equal(f"std_{name}_ms", deviation(values))
        for key in check.result:
            match = re.fullmatch(rf"p([0-9.e+-]+)_{name}_ms", key)
            if match:
                check.equal(key, percentile(values, float(match[1])))


def check_generation(check, limits):
    result = check.result
    if not require_arrays(check, ("input_lens", "output_lens", "ttfts", "itls", "latencies",
                                  "start_times", "queue_times", "generated_texts", "errors")):
        return
    count = len(result["errors"])
    good = [i for i in range(count) if result["errors"][i] == ""]
    duration = result["duration"]
    outputs = result["output_lens"]
    ttfts, latencies, itls = result["ttfts"], result["latencies"], result["itls"]

    for i in range(count):
        if result["errors"][i] != "" and outputs[i] != 0:
            check.differ(f"output_lens[{i}]: {outputs[i]} for a failure")
    for i in good:
        rest = latencies[i] - ttfts[i] - math.fsum(itls[i])
        if abs(rest) > 1e-12:
            check.differ(f"request {i}: latency - ttft differs from the sum of itl by {rest!r} s")

    total_in = sum(result["input_lens"][i] for i in good)
    total_out = sum(outputs[i] for i in good)
    check.equal("completed", len(good))
    check.equal("failed", count - len(good))
    check.equal("total_input_tokens", total_in)
    check.equal("total_output_tokens", total_out)
    check.equal("request_throughput", len(good) / duration)
    check.equal("output_throughput", total_out / duration)
    check.equal("total_token_throughput", (total_in + total_out) / duration)
    events, tokens, touching = peaks(result, good)
    check.equal("max_output_tokens_per_s", events)
    check.equal("max_concurrent_requests", touching)
    ours = result.get("inferbench", {}).get("metrics")
    if ours is not None and all(has_events(result, i) for i in good):
        inner = Check(ours, check.tolerance)
        inner.equal("peak_output_tokens_per_s", tokens)
        check.take("inferbench.metrics.", inner)

    tpot = {i: (latencies[i] - ttfts[i]) / (outputs[i] - 1) if outputs[i] > 1 else 0.0
            for i in good}
    check_goodput(check, good, {"ttft": ttfts, "tpot": tpot, "e2el": latencies}, limits)
    check_statistics(check, {
        "ttft": [ttfts[i] for i in good],
        "tpot": [tpot[i] for i in good if outputs[i] > 1],
        "itl": [gap for i in good for gap in itls[i]],
        "e2el": [latencies[i] for i in good],
        "client_queue_time": [result["queue_times"][i] for i in good],
        "e2el_including_client_queue": [latencies[i] + result["queue_times"][i] for i in good],
    })
    spans = [(ns(start), ns(start) + ns(latency))
             for start, latency in zip(result["start_times"], latencies)]
    check_peak(check, spans)
    check_steady_state(check, good, spans)
    check_accounting(check, count, good)


def check_pooling(check):
    result = check.result
    if not require_arrays(check, ("input_lens", "latencies", "queue_times", "errors")):
        return
    count = len(result["errors"])
    good = [i for i in range(count) if result["errors"][i] == ""]
    duration = result["duration"]
    total_in = sum(result["input_lens"][i] for i in good)
    check.equal("completed", len(good))
    if "failed" in result:
        check.equal("failed", count - len(good))
    check.equal("total_input_tokens", total_in)
    check.equal("request_throughput", len(good) / duration)
    check.equal("input_sequence_throughput", result["total_input_sequences"] / duration)
    check.equal("total_token_throughput", total_in / duration)
    check_statistics(check, {
        "e2el": [result["latencies"][i] for i in good],
        "client_queue_time": [result["queue_times"][i] for i in good],
        "e2el_including_client_queue":
            [result["latencies"][i] + result["queue_times"][i] for i in good],
        "ttft": [], "tpot": [], "itl": [],
    })
    check_accounting(check, count, good)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file")
    parser.add_argument("--goodput", nargs="+", default=[], metavar="KEY:MS")
    parser.add_argument("--tolerance", type=float, default=1e-9)
    args = parser.parse_args()
    limits = {key: float(ms) for key, ms in (item.split(":", 1) for item in args.goodput)}

    with open(args.file, encoding="ascii") as file:
        lines = file.read().split("\n")
    differences = 0
    for number, line in enumerate(lines, 1):
        try:
            result = json.loads(line, parse_constant=reject_constant,
                                object_pairs_hook=no_duplicates)
        except ValueError as error:
            print(f"{args.file}:{number}: {error}")
            differences += 1
            continue
        check = Check(result, args.tolerance)
        if "total_input_sequences" in result:
            check_pooling(check)
        else:
            check_generation(check, limits)
        for text in check.differences:
            print(f"{args.file}:{number}: {text}")
        differences += len(check.differences)
        if not check.differences:
            print(f"{args.file}:{number}: {check.compared} figures agree")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
