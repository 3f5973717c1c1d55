#!/usr/bin/env python3
"""Compares a result file with the simulator's ground-truth log.

    compare_truth.py RESULT.json TRUTH.jsonl PREFIX

RESULT was written with --save-detailed for a run of completions whose request ids are
PREFIX + index; TRUTH is the simulator's ground-truth log. Checks rules that hold on every
machine, whatever its speed: both files contain the same requests, with the same numbers of
events and tokens; no event was received before it was sent. An event has the time stamp of
the batch of ready sockets in which it was read, so bytes that arrive while the batch is
processed have a slightly early stamp. This may happen only rarely, and never by more than
the time that a batch can take. Then prints one JSON object with the errors of the measured
times in ms. The exit status is 0 if the files are consistent.
"""
import json
import sys

SLACK = 2e-6  # s; tolerance, because the result contains seconds as doubles
BATCH = 1.0   # s; longer than any batch, even at low priority beside other programs


def mean(values):
    values = list(values)
    return sum(values) / len(values) if values else 0.0


def percentile(values, p):
    ordered = sorted(values)
    h = (len(ordered) - 1) * p / 100
    low = int(h)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (h - low) * (ordered[high] - ordered[low])


def main():
    result = json.load(open(sys.argv[1], encoding="utf-8"))
    prefix = sys.argv[3]
    origin = result["inferbench"]["started_ns"] / 1e9
    truths = {}
    for line in open(sys.argv[2], encoding="utf-8"):
        truth = json.loads(line)
        if truth["request_id"].startswith(prefix):
            truths[int(truth["request_id"][len(prefix):])] = truth

    wrong = []
    count = len(result["errors"])
    if sorted(truths) != list(range(count)):
        wrong.append(f"{count} requests in the result, {len(truths)} on the server")
    ttft_measured, ttft_true, itl_measured, itl_true, late = [], [], [], [], []
    for i in range(count):
        truth = truths.get(i)
        if truth is None or result["errors"][i] != "":
            continue
        start = origin + result["start_times"][i]
        seen = [start + result["ttfts"][i]]
        for gap in result["itls"][i]:
            seen.append(seen[-1] + gap)
        written = [at / 1e9 for at in truth["event_ns"]]
        if len(seen) != len(written):
            wrong.append(f"request {i}: {len(seen)} events seen, {len(written)} written")
            continue
        if result["output_lens"][i] != truth["output_tokens"]:
            wrong.append(f"request {i}: output_len {result['output_lens'][i]},"
                         f" really {truth['output_tokens']}")
        if truth["received_ns"] / 1e9 < start - SLACK:
            wrong.append(f"request {i}: received before it was sent")
        late.extend(s - w for s, w in zip(seen, written))
        for k, (s, w) in enumerate(zip(seen, written)):
            if s < w - BATCH:
                wrong.append(f"request {i}, event {k}: seen {w - s:.9f} s before it was written")
        ttft_measured.append(result["ttfts"][i])
        ttft_true.append(written[0] - start)
        itl_measured.extend(result["itls"][i])
        itl_true.extend(b - a for a, b in zip(written, written[1:]))
    if late and percentile(late, 50) < -SLACK:
        wrong.append(f"events are seen {-percentile(late, 50):.9f} s before they are written")
    for text in wrong[:20]:
        print(text, file=sys.stderr)
    if not late:
        print("nothing to compare", file=sys.stderr)
        return 1
    print(json.dumps({
        "requests": len(ttft_measured),
        "events": len(late),
        "mean_ttft_error_ms": (mean(ttft_measured) - mean(ttft_true)) * 1e3,
        "mean_itl_error_ms": (mean(itl_measured) - mean(itl_true)) * 1e3,
        "p99_itl_error_ms": (percentile(itl_measured, 99) - percentile(itl_true, 99)) * 1e3
                            if itl_true else 0.0,
        "early_events": sum(d < -SLACK for d in late),
        "mean_event_delay_ms": mean(late) * 1e3,
        "p99_event_delay_ms": percentile(late, 99) * 1e3,
        "max_event_delay_ms": max(late) * 1e3,
    }))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
