// The figures of a synthetic run, by the formulas of framework/metrics/table.cpp.
import {percentile} from "./synthetic.mjs";

const wanted = [50, 90, 99, 99.9];

function summary(name, title, label, help, values, flags = {}) {
  const sorted = Float64Array.from(values).sort();
  const n = sorted.length;
  let mean = 0;
  for (const value of sorted) mean += value / n;
  let square = 0;
  for (const value of sorted) square += (value - mean) ** 2 / n;
  return {
    name,
    unit: "ms",
    title,
    label,
    help,
    flags: {integer: false, summary: true, selected: true, upstream: true, ...flags},
    value: n ? mean : null,
    count: n,
    min: n ? sorted[0] : null,
    max: n ? sorted[n - 1] : null,
    std: n ? Math.sqrt(square) : null,
    median: percentile(sorted, 50),
    percentiles: wanted.map((p) => [p, percentile(sorted, p)]),
  };
}

function scalar(name, unit, title, label, help, value, integer = false, upstream = true) {
  return {
    name,
    unit,
    title,
    label,
    help,
    value,
    flags: {integer, summary: false, selected: true, upstream},
  };
}

export const good = (row) => row.status === 0;
const ms = (us) => us / 1000;

/** Values of the latencies of all requests that succeeded, in ms; of many rows, the gaps of some. */
export function latencies(rows) {
  const step = Math.ceil(rows.length / 20000);
  const streams = rows.filter((row) => good(row) && row.first !== undefined);
  return {
    ttft: streams.map((row) => ms(row.first)),
    tpot: streams
      .filter((row) => row.output > 1)
      .map((row) => ms((row.last - row.first) / (row.output - 1))),
    itl: streams.filter((_, i) => i % step === 0).flatMap((row) => row.gaps.map(ms)),
    e2el: rows.filter(good).map((row) => ms(row.last ?? row.end)),
    ttft_from_due: streams.map((row) => ms(row.first + row.due)),
  };
}

/** `duration` in s. */
export function makeMetrics(rows, duration) {
  const done = rows.filter(good);
  const sum = (name) => done.reduce((total, row) => total + (row[name] ?? 0), 0);
  const input = sum("input"),
    output = sum("output");
  const rate = (value) => (duration ? value / duration : null);
  const values = latencies(rows);
  const edges = [];
  for (const row of rows) edges.push([row.start, 1], [row.start + (row.end ?? 0), -1]);
  edges.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  let now = 0,
    peak = 0;
  for (const [, step] of edges) peak = Math.max(peak, (now += step));
  return [
    scalar(
      "duration",
      "s",
      "Benchmark Duration",
      "Duration",
      "Time from just before the first request until the last one has ended.",
      duration,
    ),
    scalar(
      "completed",
      "1",
      "Successful Requests",
      "Completed",
      "Requests that succeeded.",
      done.length,
      true,
    ),
    scalar(
      "failed",
      "1",
      "Failed Requests",
      "Failed",
      "Requests that were sent and did not succeed.",
      rows.length - done.length,
      true,
    ),
    scalar(
      "total_input_tokens",
      "token",
      "Total Input Tokens",
      "Input tokens",
      "Sum of prompt tokens, by the server's count where it gave one.",
      input,
      true,
    ),
    scalar(
      "total_output_tokens",
      "token",
      "Total Generated Tokens",
      "Output tokens",
      "Sum of output tokens.",
      output,
      true,
    ),
    scalar(
      "request_throughput",
      "req/s",
      "Request Throughput",
      "Requests",
      "completed / duration",
      rate(done.length),
    ),
    scalar(
      "output_throughput",
      "token/s",
      "Output Token Throughput",
      "Output tokens",
      "total_output_tokens / duration",
      rate(output),
    ),
    scalar(
      "total_token_throughput",
      "token/s",
      "Total Token Throughput",
      "Tokens",
      "(total_input_tokens + total_output_tokens) / duration",
      rate(input + output),
    ),
    scalar(
      "peak_concurrency",
      "1",
      "Exact Peak Concurrency",
      "Peak concurrency",
      "Most requests between start_ns and end_ns at one instant, failed ones included.",
      peak,
      true,
      false,
    ),
    summary(
      "ttft",
      "Time to First Token",
      "TTFT",
      "First token - start_ns, for each request.",
      values.ttft,
    ),
    summary(
      "tpot",
      "Time per Output Token (excl. 1st token)",
      "TPOT",
      "(last token - first token) / (output tokens - 1), for requests of two or more.",
      values.tpot,
    ),
    summary(
      "itl",
      "Inter-token Latency",
      "ITL",
      "Time between neighbouring tokens, of all requests together.",
      values.itl,
    ),
    summary(
      "e2el",
      "End-to-end Latency",
      "E2EL",
      "Last token - start_ns; for pooling end_ns - start_ns.",
      values.e2el,
    ),
    summary(
      "ttft_from_due",
      "Time to First Token from Due Time",
      "TTFT from due",
      "First text - due_ns.",
      values.ttft_from_due,
      {upstream: false},
    ),
  ];
}
