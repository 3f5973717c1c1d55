// The facts of a search, for tests and screenshots.

const goalOf = (goal, observed, count, verdict, more = {}) => ({goal, kind: "certified", verdict, allowed: 0.01,
  over: Math.round(observed * count), count, observed: Math.round(observed * count) / count, all_over: Math.round(observed * count),
  correlation_time: 1, would_pass: verdict === "failed" ? null : 0.0055, would_fail: 0.017,
  more_needed: verdict === "undecided" ? 51234.5 : null, text: "", ...more});

const tried = [[50, 0.4, 40, "failed"], [7.07, 0, 1300, "passed"], [18.8, 0.21, 60, "failed"], [11.5, 0.0012, 2600, "passed"],
  [14.7, 0.031, 700, "failed"], [13, 0.0102, 10000, "undecided"], [12.2, 0.0023, 1300, "passed"], [12.6, 0.0041, 2900, "passed"]];

/** @returns {object} `facts.search`; its probes have the first runs of the table, as far as there are any */
export function makeSearch(runs = 0) {
  return {
    over: "request_rate", between: [1, 50], goals: ["ttft.p99<200ms", "e2el.p99<5s"], alpha: 0.01, max_probes: 12, precision: 0.01,
    limit: 12.6, upper: 14.7, certified: true, ended: "probes_used",
    conclusion: ["limit: 12.6 requests/s, the largest request rate that met the goal",
      "rests on: 12.6 requests/s: ttft.p99<200ms: 0.414 % of 2900 independent requests were over, 1 % allowed; up to 0.55 % would have passed",
      "interval: 12.6 requests/s to 14.7 requests/s, the smallest request rate that failed, after 700 independent requests",
      "undecided: 13 requests/s, counted as not passed: the largest number of requests was reached",
      "error: a chance of at most 1 % that the limit is too high, over 12 probes, if neighbours have a correlation of at most 0.5",
      "missed: any request rate between 12.6 requests/s and 14.7 requests/s that meets the goal"],
    probes: tried.map(([load, observed, count, verdict], i) => ({load, verdict, requests: count + 500, warm_up: 500, step: 1,
      independent: count, hit_rate: i === 3 ? null : 0.02, client: "VALID", duration_s: (count + 500) / load, journal: `probes/${i}.journal`,
      run: i < runs ? i : null, reason: verdict === "undecided" ? "requests" : "proved",
      goals: [goalOf("ttft.p99<200ms", observed, count, verdict),
        goalOf("e2el.p99<5s", observed / 3, count, verdict === "failed" ? "undecided" : verdict)]})),
  };
}
