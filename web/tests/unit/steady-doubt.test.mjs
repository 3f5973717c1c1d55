import assert from "node:assert/strict";
import test from "node:test";

import {steadyDoubt} from "../../src/analysis/steady-doubt.js";
import {fewRows} from "./few-rows.mjs";

const format = {rate: (v) => v.toFixed(1), ms: (v) => `${v.toFixed(0)} ms`};

/** Requests every 100 ms; `latency` gives the time of request i in ms. */
function runWith(latency, more = {}) {
  const rows = fewRows(Array.from({length: 400}, (_, i) =>
    ({start: i * 100, first: i * 100 + latency(i) / 2, last: i * 100 + latency(i), output: 10})));
  return {rows, total: rows.count, config: {}, description: {request_rate: 10},
    facts: {steady: {found: true, begin_s: 4, end_s: 36}}, ...more};
}

test("a server that keeps up is not doubted", () => {
  assert.equal(steadyDoubt(runWith(() => 500), format), null);
});

test("a window in which more is offered than served is doubted", () => {
  assert.match(steadyDoubt(runWith((i) => 500 + 20 * i), format),
    /10\.0 requests\/s were offered and only 8\.\d served/);
});

test("a latency that rises in the window is doubted, also without a rate", () => {
  const run = runWith((i) => 500 + 2 * i, {description: {}});
  assert.match(steadyDoubt(run, format),
    /median TTFT still rises, from \d+ ms in its first quarter to \d+ ms in its last/);
});

test("nothing is said without a window, without rows, and of a part of the rows", () => {
  const run = runWith((i) => 500 + 20 * i);
  assert.equal(steadyDoubt({...run, facts: {}}, format), null);
  assert.equal(steadyDoubt({...run, facts: {steady: {found: false}}}, format), null);
  assert.equal(steadyDoubt({...run, rows: null}, format), null);
  assert.equal(steadyDoubt({...run, total: 4000}, format), null);
});

test("requests served after the end of the schedule do not count as kept up with", () => {
  const run = runWith((i) => 500 + 200 * i);
  run.facts.steady = {found: true, begin_s: 0, end_s: 120};
  assert.match(steadyDoubt(run, format), /10\.0 requests\/s were offered and only 3\.\d served/);
  // Long answers are in flight at the beginning of a run that keeps up.
  assert.equal(steadyDoubt(runWith(() => 5000, {facts: {steady: {found: true, begin_s: 0, end_s: 45}}}), format), null);
});
