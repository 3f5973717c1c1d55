// The facts of a comparison, for tests and screenshots.

const metrics = [
  ["output_throughput", "Output Token Throughput", "token/s", 2210, 1.031, 1.018, 1.044, "faster", 0.019, null],
  ["ttft.p99", "P99 TTFT", "ms", 182, 1.042, 0.96, 1.131, "cannot tell", 0.12, 29],
  ["tpot.median", "Median TPOT", "ms", 14.2, 1.003, 0.996, 1.01, "same", 0.011, null],
  ["e2el.p99", "P99 E2EL", "ms", 4210, 1.062, 1.03, 1.095, "slower", 0.048, null],
];

/** @returns {object} `facts.comparison` */
export const makeComparison = () => ({
  command: "inferbench compare --run A.toml B.toml --blocks 8",
  groups: ["baseline", "candidate"].map((name) => ({name, benchmark: "serve", runs: []})),
  settings_that_differ: [{name: "backend.max-num-seqs", values: [[256], [512]]}, {name: "server.dtype", values: [[], ["fp8"]]}],
  doubts: ["candidate fails 0.4 % of its requests, baseline none."],
  notes: ["1 run of baseline belongs to no whole block."],
  gate_status: 5,
  comparison: {
    base: "baseline", same_within: 0.02, error_rate: 0.05, tests: 4, gate_status: 5,
    candidates: [{name: "candidate", conclusion: "mixed",
      text: "candidate is slower than baseline on 1 of 4 metrics (P99 E2EL +6.2 %) and faster on 1 (Output Token Throughput " +
        "+3.1 %), same within 2 % on 1 (Median TPOT). 8 blocks; a difference below 12 % would have been missed.",
      paired: true, descriptive: false, blocks: 8, base_runs: 16, candidate_runs: 16,
      metrics: metrics.map(([name, title, unit, base, ratio, low, high, verdict, found, needed]) => ({name, title, unit,
        higher_is_better: name === "output_throughput", verdict, untested: null, base, candidate: base * ratio, ratio, low, high,
        deviation: 0.015, p: 0.002, p_holm: 0.01, p_same: 0.4, p_sign_flip: 0.008, found_80: 0.9 * found, found_90: found, needed}))}],
  },
});
