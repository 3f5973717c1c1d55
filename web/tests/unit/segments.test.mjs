import assert from "node:assert/strict";
import {test} from "node:test";
import {KIND, forEachSegment, gapClass, segmentAt} from "../../src/analysis/segments.js";
import {PHASES, endOf, phaseOf, statusName} from "../../src/analysis/status.js";
import {fewRows} from "./few-rows.mjs";

const limits = [25, 50];
const segments = (rows, i, whole) => {
  const out = [];
  forEachSegment(rows, i, limits, (kind, from, to) => { out.push([kind, from, to]); }, whole);
  return out;
};

test("a request passes queue, connect, prefill and a segment for each gap", () => {
  const rows = fewRows([{due: 0, start: 10, sent: 12, first: 100, last: 200, gaps: [24, 25, 51], output: 4}]);
  assert.deepEqual(segments(rows, 0), [[KIND.queue, 0, 10], [KIND.connect, 10, 12], [KIND.prefill, 12, 100],
    [KIND.low, 100, 124], [KIND.mid, 124, 149], [KIND.high, 149, 200]]);
  assert.deepEqual(segments(rows, 0, true).at(-1), [KIND.high, 100, 200]);
});

test("a limit belongs to the class above it", () => {
  assert.deepEqual([24.999, 25, 49.999, 50].map((gap) => gapClass(gap, limits)), [0, 1, 1, 2]);
});

test("a request whose gaps are not kept has the worst class of its counts", () => {
  const rows = fewRows([{start: 0, first: 5, last: 50, gapCounts: [3, 1, 0]}, {start: 0, first: 5, last: 50}]);
  assert.deepEqual(segments(rows, 0).at(-1), [KIND.mid, 5, 50]);
  assert.deepEqual(segments(rows, 1).at(-1), [KIND.answer, 5, 50]);
});

test("a request that fails ends in a failed segment, wherever it was", () => {
  const rows = fewRows([
    {start: 0, sent: NaN, end: 7, status: 3}, {start: 0, sent: 1, end: 7, status: 6},
    {start: 0, sent: 0, first: 4, last: 6, end: 9, gaps: [2], status: 4}, {start: NaN, sent: NaN, status: 7},
  ]);
  assert.deepEqual(segments(rows, 0), [[KIND.failed, 0, 7]]);
  assert.deepEqual(segments(rows, 1), [[KIND.connect, 0, 1], [KIND.failed, 1, 7]]);
  assert.deepEqual(segments(rows, 2).at(-1), [KIND.failed, 6, 9]);
  assert.deepEqual(segments(rows, 3), []);
  assert.deepEqual([0, 1, 2, 3].map((i) => PHASES[phaseOf(rows, i)]),
    ["connecting and sending", "waiting for the answer", "in the answer", "not sent"]);
});

test("an answer that comes whole is one segment", () => {
  const rows = fewRows([{start: 0, sent: 0, end: 30}]);
  assert.deepEqual(segments(rows, 0), [[KIND.answer, 0, 30]]);
  assert.equal(endOf(rows, 0), 30);
});

test("a visit that returns true ends the segments", () => {
  const rows = fewRows([{due: 0, start: 10, first: 100, last: 200, gaps: [100]}]);
  let calls = 0;
  forEachSegment(rows, 0, limits, () => ++calls === 1);
  assert.equal(calls, 1);
});

test("the segment under the pointer is found, narrow ones within reach", () => {
  const rows = fewRows([{start: 0, first: 100, last: 200, gaps: [0.5, 99.5]}]);
  assert.deepEqual(segmentAt(rows, 0, limits, 50, 1), {kind: KIND.prefill, from: 0, to: 100});
  assert.deepEqual(segmentAt(rows, 0, limits, 100.2, 1), {kind: KIND.low, from: 100, to: 100.5});
  assert.equal(segmentAt(rows, 0, limits, 300, 1), null);
});

test("the codes of outcomes have the names of the result file", () => {
  assert.deepEqual([0, 5, -5, 65536 - 6, 10, 99].map(statusName), ["ok", "remote", "remote", "timeout", "data", "internal"]);
});
