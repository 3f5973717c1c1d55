import assert from "node:assert/strict";
import test from "node:test";

import {namesText, scopeOf} from "../../src/analysis/client-scope.js";
import {answerOf} from "../../src/analysis/client-verdict.js";
import {runOf} from "./compared-runs.mjs";

const invalid = {verdict: "INVALID", reasons: ["P99 ITL may be off"]};

test("a run that is INVALID because of some figures names them", () => {
  const run = runOf("A", {...invalid, bound: 5.5, ttft: 30});
  assert.deepEqual(scopeOf(run), {spoiled: ["Median TTFT"],
    rest: "Perhaps affected: P99 TTFT. The error of the throughput is not known."});
});

test("a figure that the run does not show is named by the verdict", () => {
  const run = runOf("A", invalid);
  run.facts.client.limits[0].figure = 18;
  assert.equal(scopeOf(run), null, "nothing names it");
  run.facts.client.worst_error_bound = {figure: "P99 ITL", ms: 9, of_limit: 18};
  assert.deepEqual(scopeOf(run), {spoiled: ["P99 ITL"],
    rest: "The other latencies with a known error are usable. The error of the throughput is not known."});
  assert.equal(answerOf(run.facts.client, (v) => `${v} ms`, scopeOf(run)).text,
    "In part: the client was too late for P99 ITL; the client's own error is at most 9 ms, on P99 ITL. Do not use this figure. " +
    "The other latencies with a known error are usable. The error of the throughput is not known.");
});

test("a signal of the whole run reaches the other figures", () => {
  const run = runOf("A", {...invalid, bound: 9, starved: 0.005});
  assert.match(scopeOf(run).rest, /Each other figure may be affected/);
  assert.equal(scopeOf(runOf("A", {...invalid, bound: 9, starved: 0.5})), null);
  assert.equal(scopeOf(runOf("A")), null);
  assert.equal(scopeOf(runOf("A", {verdict: null})), null);
});

test("many names are counted", () => {
  assert.equal(namesText(["a", "b", "c"], 2), "a, b, c");
  assert.equal(namesText(["a", "b", "c", "d"], 2), "a, b and 2 more");
});
