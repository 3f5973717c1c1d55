"""Compares a client's time stamps with the simulator's ground truth."""
import json


def percentile(values, p):
    ordered = sorted(values)
    h = (len(ordered) - 1) * p / 100
    low = int(h)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (h - low) * (ordered[high] - ordered[low])


def stamps_of(cost, folder):
    """For each request id: (start, [events], sent minus due) in ns, of inferbench or the raw reader.
    For inferbench `sent minus due` is None."""
    out = {}
    if "result" in cost:
        result = cost["result"]
        origin = result["inferbench"]["started_ns"]
        for i, start in enumerate(result["start_times"]):
            at = origin + start * 1e9
            events = [at + result["ttfts"][i] * 1e9]
            for gap in result["itls"][i]:
                events.append(events[-1] + gap * 1e9)
            out[f"r-{i}"] = (at, events, None)
        return out
    with open(folder / "stamps", encoding="ascii") as lines:
        for line in lines:
            said = json.loads(line)
            out[said["request_id"]] = (said["sent_ns"], said["event_ns"],
                                       said["sent_ns"] - said["due_ns"])
    return out


def errors_of(cost, log, folder):
    """The errors of a client in ms. `send...`: sent minus due; `ttft`: measured minus true, mean;
    `delay_...`: stamp minus time before the server's write; `itl_p99`: P99 measured minus P99 true.
    Without a ground-truth log only `send...`."""
    seen = stamps_of(cost, folder)
    errors = {}
    lags = [lag for _, _, lag in seen.values()]
    if None not in lags:
        errors["send"] = {"p50": percentile(lags, 50) / 1e6, "p99": percentile(lags, 99) / 1e6,
                          "max": max(lags) / 1e6}
        errors["send_p99"] = errors["send"]["p99"]
    else:
        errors["send_p99"] = cost["result"]["inferbench"]["metrics"]["send_lag"]["p99"]
    if log is None:
        return errors
    ttft, late, measured, true = [], [], [], []
    with open(log, encoding="utf-8") as lines:
        for line in lines:
            truth = json.loads(line)
            start, events, _ = seen.pop(truth["request_id"])
            written = truth["event_ns"]
            if "chat" in truth["path"]:
                del events[0]  # the role, which the server writes together with the first token
            if len(events) != len(written):
                raise SystemExit(f"{truth['request_id']}: {len(events)} events seen,"
                                 f" {len(written)} written")
            ttft.append((events[0] - start) - (written[0] - truth["received_ns"]))
            late.extend(s - w for s, w in zip(events, written))
            measured.extend(b - a for a, b in zip(events, events[1:]))
            true.extend(b - a for a, b in zip(written, written[1:]))
    if seen:
        raise SystemExit(f"{len(seen)} requests are not in the ground truth")
    errors.update(
        ttft=sum(ttft) / len(ttft) / 1e6, delay_mean=sum(late) / len(late) / 1e6,
        delay_p99=percentile(late, 99) / 1e6,
        itl_p99=(percentile(measured, 99) - percentile(true, 99)) / 1e6)
    return errors
