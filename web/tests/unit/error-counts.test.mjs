import assert from "node:assert/strict";
import {test} from "node:test";
import {cut, failures, finishReasons, groupName, niceStep, overTime, stack} from "../../src/analysis/error-counts.js";
import {fewRows} from "./few-rows.mjs";

const rows = fewRows([
  {start: 0, first: 100, last: 300, finish: 0},
  {start: 0, sent: 1, end: 2500, error: 1, status: 5, http: 503},
  {start: 0, sent: 1, end: 1500, error: 0, status: 5, http: 503},
  {start: 0, sent: 1, first: 900, last: 950, end: 4000, error: 2, status: 6, http: 200},
  {start: NaN, due: 0, sent: NaN, status: 7},
  {start: 10, first: 20, last: 30},
]);

test("failures are grouped by class, HTTP status and phase, the largest group first", () => {
  const {groups, of, failed} = failures(rows);
  assert.equal(failed, 4);
  assert.deepEqual(groups.map(groupName), ["remote (HTTP 503), answered with an error", "timeout, in the answer",
    "cancelled, not sent"]);
  assert.deepEqual([...of], [-1, 0, 0, 1, 2, -1]);
  const [remote, , cancelled] = groups;
  assert.deepEqual([remote.count, remote.first, remote.firstAt, remote.lastAt, remote.error, remote.texts],
    [2, 2, 1500, 2500, 0, 2]);
  assert.ok(Number.isNaN(cancelled.firstAt));
  assert.equal(cancelled.error, -1);
});

test("each failure that began is in one bin of time and one layer", () => {
  const found = failures(rows);
  const {edges, layers, ok} = overTime(rows, found, 1, 4);
  assert.deepEqual([...edges], [0, 1, 2, 3, 4]);
  assert.deepEqual(layers.map(({label, counts}) => [label, [...counts]]), [
    ["remote (HTTP 503), answered with an error", [0, 1, 1, 0]], ["other failures", [0, 0, 0, 1]]]);
  assert.deepEqual([...ok], [2, 0, 0, 0]);
  assert.deepEqual([...stack(layers)[1].upper], [0, 1, 1, 1]);
});

test("no failures are no groups", () => {
  const none = fewRows([{start: 0, first: 1}]);
  const found = failures(none);
  assert.equal(found.failed, 0);
  assert.deepEqual(overTime(none, found).layers, []);
  assert.deepEqual(failures(fewRows([])).groups, []);
});

test("finish reasons are counted apart for successful and failed requests", () => {
  assert.deepEqual(finishReasons(rows, ["stop"]), [{reason: "(none)", ok: 1, failed: 4}, {reason: "stop", ok: 1, failed: 0}]);
});

test("a long text is cut between characters", () => {
  assert.equal(cut("abc", 3), "abc");
  assert.equal(cut("abcd", 3), "ab…");
  assert.equal(cut("a\u{1f600}bc", 3), "a…");
});

test("steps are 1, 2 or 5 times a power of ten", () => {
  assert.deepEqual([niceStep(4, 4), niceStep(95, 10), niceStep(0.31, 100), niceStep(0, 5)], [1, 10, 0.005, 1]);
});
