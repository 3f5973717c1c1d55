// The facts of a synthetic run: what framework/metrics writes into ifb_summary.facts_json.
import {good, latencies} from "./metrics.mjs";
import {percentile, randomness} from "./synthetic.mjs";

const classes = {3: "io", 4: "protocol", 5: "remote", 6: "timeout"};

function errorsOf(rows, strings) {
  const found = new Map();
  for (const row of rows) {
    if (good(row)) continue;
    const key = `${row.status} ${row.http} ${row.error}`;
    const entry = found.get(key) ?? {
      class: classes[row.status] ?? "internal",
      http_status: row.http,
      count: 0,
      first: strings.error[row.error - 1],
    };
    ++entry.count;
    found.set(key, entry);
  }
  return [...found.values()].sort((a, b) => b.count - a.count);
}

/** One-sided upper bounds by order statistics (normal approximation of the binomial). */
function certaintyOf(rows) {
  const figures = {};
  for (const [name, values] of Object.entries(latencies(rows))) {
    const sorted = Float64Array.from(values).sort();
    const n = sorted.length;
    const effective = name === "itl" ? n * 0.12 : n * 0.8;
    figures[name] = {
      count: n,
      effective_count: effective,
      percentiles: [50, 90, 99, 99.9].map((p) => {
        const q = p / 100;
        const rank =
          (n * (effective * q + 2.326 * Math.sqrt(effective * q * (1 - q)) + 1)) / effective;
        const certain = effective > 0 && q ** effective < 0.01 && rank <= n;
        return {percentile: p, bound: certain ? sorted[Math.ceil(rank) - 1] : null};
      }),
    };
  }
  return {confidence: 0.99, figures};
}

function seriesOf(rows, duration, random) {
  const at = [];
  for (let t = 0; t <= duration && at.length < 20000; t += 1) at.push(t);
  const running = at.map(() => 0);
  const waiting = at.map(() => 0);
  const tokens = at.map(() => 0);
  for (const row of rows) {
    const first = (row.start + (row.first ?? row.end ?? 0)) / 1e6;
    const end = (row.start + (row.end ?? 0)) / 1e6;
    for (let t = Math.ceil(row.start / 1e6); t <= end && t < at.length; ++t)
      ++(t < first ? waiting : running)[t];
    if (row.output && Math.floor(end) < at.length) tokens[Math.floor(end)] += row.output;
  }
  const labels = {model_name: "llama"};
  const series = (name, unit, metric, values) => ({
    name,
    unit,
    metric,
    labels,
    values: values.map((v, i) => (i % 61 === 40 ? null : v)),
  });
  return {
    interval_s: 1,
    sources: [
      {
        url: "http://10.0.0.1:8000/metrics",
        server: "vllm",
        scrapes: at.length,
        failed: Math.floor(at.length / 61),
        first_error: at.length > 61 ? "HTTP 503 Service Unavailable" : null,
        at_s: at,
        series: [
          series("running", "1", "vllm:num_requests_running", running),
          series("waiting", "1", "vllm:num_requests_waiting", waiting),
          series(
            "kv_cache_usage",
            "1",
            "vllm:kv_cache_usage_perc",
            running.map((v) => Math.min(1, v * 0.008 + random() * 0.01)),
          ),
          series(
            "prefix_hit_rate",
            "1",
            "vllm:prefix_cache_hits_total",
            at.map(() => 0.3 + random() * 0.2),
          ),
          series(
            "preemptions",
            "1/s",
            "vllm:num_preemptions_total",
            running.map((v) => (v > 90 ? Math.floor(random() * 3) : 0)),
          ),
          series("generation_tokens", "token/s", "vllm:generation_tokens_total", tokens),
        ],
      },
      {
        url: "http://10.0.0.1:9400/metrics",
        server: "",
        scrapes: at.length,
        failed: 0,
        first_error: null,
        at_s: at,
        series: [
          series(
            "power_w",
            "W",
            "DCGM_FI_DEV_POWER_USAGE",
            running.map((v) => 110 + 500 * Math.min(1, v / 80) + random() * 20),
          ),
          series(
            "gpu_utilization",
            "1",
            "DCGM_FI_DEV_GPU_UTIL",
            running.map((v) => Math.min(1, v / 40)),
          ),
        ],
      },
    ],
  };
}

function clientOf(rows, duration, limited) {
  const verdict = limited ? "INVALID" : "VALID";
  const bound = limited ? 14.2 : 0.031;
  const bounds = (factor) => ({
    mean: 0.4 * bound * factor,
    median: 0.3 * bound * factor,
    p50: 0.3 * bound * factor,
    p90: 0.6 * bound * factor,
    p99: bound * factor,
    "p99.9": 1.4 * bound * factor,
  });
  const summary = (median) => ({
    count: rows.length,
    mean: median * 1.1,
    p50: median,
    p90: median * 1.6,
    p99: median * 3,
    "p99.9": median * 6,
    max: median * 9,
  });
  return {
    verdict,
    reasons: limited
      ? ["the error bound of P99 TTFT is 14.2 ms, which is 12.1 times its limit"]
      : [],
    causes: limited
      ? ["one thread of the client is busy for 99 % of a second; --workers 4 gives it more threads"]
      : [],
    error_bound_ms: {
      ttft: bounds(1),
      tpot: bounds(0.01),
      itl: bounds(1.5),
      e2el: bounds(1.1),
      ttft_from_due: bounds(1.6),
    },
    answers_without_bound: 0,
    worst_error_bound: {figure: "P99 TTFT", ms: bound, of_limit: limited ? 12.1 : 0.062},
    limits: [
      {name: "error_bound", figure: limited ? 12.1 : 0.062, suspect: 1, invalid: 10},
      {name: "local_failures", figure: 0, suspect: 0, invalid: 0},
      {name: "retransmits", figure: 0, suspect: 0.001, invalid: null},
      {name: "starved", figure: limited ? 0.02 : 0, suspect: 0.001, invalid: 0.01},
    ],
    signs: [
      {name: "longest_standstill_ms", figure: 0, told_above: 0},
      {name: "run_delay", figure: 0.004, told_above: 0.01},
      {name: "cpu_busiest_second", figure: limited ? 0.99 : 0.36, told_above: 0.9},
      {name: "cpu", figure: limited ? 0.93 : 0.29, told_above: 0.9},
      {name: "loop_lag_p99_ms", figure: limited ? 8.7 : 0.02, told_above: 0.5},
    ],
    timestamps: "auto",
    workers: [0, 1].map((i) => ({
      loop_lag_ms: summary(limited ? 2.9 : 0.004),
      launch_lag_ms: summary(limited ? 9 : 0.03),
      kernel_to_client_ms: summary(0.013),
      receive_queue_bytes: summary(220),
      turns: 900000 + i,
      full_batches: 0,
      starved: limited ? 812 : 0,
      stalled: 0,
      standstills: 0,
      longest_standstill_s: 0,
      cpu_s: duration * (limited ? 0.93 : 0.29),
      run_delay_s: 0.004 * duration,
      wall_s: duration,
      cpu_busiest_second: limited ? 0.99 : 0.36,
      longest_wait_in_a_second: 0.01,
    })),
    connections: [0, 1].map((i) => ({
      server: `http://10.0.0.${i + 1}:8000`,
      requests: Math.ceil(rows.length / 2),
      connects: 64,
      opened_ahead: 64,
      reuses: Math.ceil(rows.length / 2),
      closed_idle: 2,
      not_reusable: 0,
      sent_again: 0,
      retransmits: 1,
      small_buffers: 0,
    })),
    local_failures: 0,
    process: {cpu_s: duration * 0.7, wall_s: duration, cores: 0.7},
    cgroup: {throttled_periods: 0, throttled_s: 0},
  };
}

function thresholdsOf(rows, fails) {
  const values = latencies(rows);
  const n = values.ttft.length;
  const sorted = Float64Array.from(values.ttft).sort();
  const p99 = percentile(sorted, 99);
  const failed = rows.length
    ? (100 * (rows.length - rows.filter(good).length)) / rows.length
    : null;
  const goal = (text, figure, statistic, limit, unit, value, certain, reason) => ({
    goal: text,
    figure,
    statistic,
    relation: text.includes("<=") ? "<=" : "<",
    limit,
    unit,
    value,
    passed: value !== null && value <= limit,
    certain,
    count: n,
    effective_count: n * 0.8,
    reason,
  });
  const limit = fails ? 40 : 900;
  return [
    goal(
      `ttft.p99<${limit}ms`,
      "ttft",
      "p99",
      limit,
      "ms",
      p99,
      n > 460,
      n > 460 ? null : "459 independent observations are needed",
    ),
    goal(
      "failed<=2%",
      "failed",
      "value",
      2,
      "%",
      failed,
      false,
      "the bound of the share at 0.99 is 2.4 %",
    ),
  ];
}

function steadyOf(rows, duration) {
  if (rows.length < 100)
    return {
      method: "MSER-5",
      found: false,
      begin_s: null,
      end_s: null,
      requests: 0,
      reason: "100 requests are too few to find a steady state",
      figures: {},
    };
  const begin = duration * 0.08,
    end = duration * 0.9;
  const inside = rows.filter((row) => row.start / 1e6 >= begin && row.start / 1e6 < end);
  const figures = {};
  for (const [name, values] of Object.entries(latencies(inside))) {
    const sorted = Float64Array.from(values).sort();
    figures[name] = {
      mean: values.reduce((a, b) => a + b, 0) / values.length,
      p50: percentile(sorted, 50),
      p99: percentile(sorted, 99),
    };
  }
  figures.request_throughput = inside.length / (end - begin);
  figures.output_throughput =
    inside.reduce((sum, row) => sum + (row.output ?? 0), 0) / (end - begin);
  return {
    method: "MSER-5",
    found: true,
    begin_s: begin,
    end_s: end,
    requests: inside.length,
    reason: null,
    figures,
  };
}

/** Options: those of makeReport, with the seed of the run. */
export function makeFacts(rows, strings, duration, options) {
  const ok = rows.filter(good).length;
  const random = randomness(options.seed + 77);
  const facts = {
    accounting: {
      planned: rows.length + (options.interrupted ? 50 : 0),
      sent: rows.length,
      never_sent: options.interrupted ? 50 : 0,
      ok,
      failed: rows.length - ok,
      cancelled: 0,
      sent_again: 0,
      without_end_mark: 0,
      shorter_than_promised: 0,
    },
    errors: errorsOf(rows, strings),
    output_tokens_from: {server: ok, text: 0, assumed: 0},
    client: clientOf(rows, duration, options.clientLimited),
    certainty: certaintyOf(rows),
    thresholds: thresholdsOf(rows, options.thresholdFails),
    steady: steadyOf(rows, duration),
  };
  if (options.series !== false) facts.series = seriesOf(rows, duration, random);
  return facts;
}
