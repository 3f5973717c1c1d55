// Runs that are compared, for tests.

/** A run with throughput and TTFT. */
export function runOf(label, {rate = 80, ttft = 20, verdict = "VALID", bound = 0.1, starved = 0, ...more} = {}) {
  const scalar = (name, title, value) => ({name, title, label: title, unit: "req/s", value, flags: {upstream: true}});
  const metrics = [scalar("completed", "Completed", 100), scalar("total_output_tokens", "Output", more.tokens ?? 6000),
    scalar("request_throughput", "Request Throughput", rate),
    {name: "ttft", label: "TTFT", unit: "ms", value: ttft, median: ttft, count: 100, percentiles: [[90, 2 * ttft], [99, 3 * ttft]],
      flags: {summary: true, upstream: true, selected: true}}];
  return {name: label, label, title: label, started_unix_ms: 1, metrics, intervals: [], config: more.config ?? {},
    description: {flags: more.flags ?? {}}, environment: more.environment ?? {}, interrupted: Boolean(more.interrupted),
    metric: (name) => metrics.find((each) => each.name === name),
    facts: {accounting: {sent: 100, planned: 100, failed: more.failed ?? 0}, series: more.series, certainty: more.certainty,
      client: verdict === null ? undefined : {verdict, reasons: more.reasons ?? [], error_bound_ms: {ttft: {median: bound, p99: bound}},
        limits: [{name: "error_bound", figure: bound / 0.5, suspect: 1, invalid: 10},
          {name: "starved", figure: starved, suspect: 0.001, invalid: 0.01}]}}};
}

export const reportOf = (...runs) => ({runs, axes: [], points: runs.map((_, i) => ({axes: {}, runs: [i], figures: []}))});
