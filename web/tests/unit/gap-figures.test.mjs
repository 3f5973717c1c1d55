import assert from "node:assert/strict";
import {test} from "node:test";
import {gapHistogram, gapMap, placeOfLongest, stallsOf, trim} from "../../src/analysis/gap-figures.js";
import {fewRows} from "./few-rows.mjs";

const rows = fewRows([
  {start: 0, first: 1, last: 80, gaps: [10, 20, 60]},
  {start: 0, first: 1, last: 80, gaps: [0, 0.02]},
  {start: 0, first: 1, last: 80, gapCounts: [5, 0, 2], longestGap: 900},
  {start: 0, sent: 1, end: 3, status: 6},
]);

test("every kept gap is counted once", () => {
  const found = gapHistogram(rows);
  assert.equal(found.total, 5);
  assert.equal(found.together, 1);
  assert.equal(found.counts.reduce((a, b) => a + b), 4);
  found.counts.forEach((count, at) => {
    if (count > 0) assert.ok([0.02, 10, 20, 60].some((gap) => gap >= found.edges[at] * 0.9999 && gap <= found.edges[at + 1]));
  });
  const cut = trim(found);
  assert.ok(cut.counts[0] > 0 && cut.counts.at(-1) > 0);
  assert.equal(cut.edges.length, cut.counts.length + 1);
});

test("stalls are gaps at or above the upper limit", () => {
  const found = stallsOf(rows);
  assert.deepEqual([found.requests, found.stalled, found.gaps, found.stalls, found.worst], [3, 2, 12, 3, 2]);
  assert.deepEqual(found.bins, [{label: "0", count: 1}, {label: "1", count: 1}, {label: "2", count: 1}]);
});

test("the place of the longest gap is that of the token after it", () => {
  assert.equal(placeOfLongest(rows, 0), 4);
  assert.equal(placeOfLongest(rows, 2), -1);
  assert.equal(placeOfLongest(rows, -1), -1);
});

test("the map has each kept gap in the column of its place", () => {
  const map = gapMap(rows, {columns: 2, bins: 8});
  assert.equal(map.requests, 2);
  assert.deepEqual([...map.columns], [4, 1]);
  assert.deepEqual([...map.places], [2, 4, 6]);
  assert.equal(map.cells.reduce((a, b) => a + b), 5);
  assert.ok(map.median[1] > 30 && map.median[1] < 120);
});

test("runs without tokens have no gaps", () => {
  const none = fewRows([{start: 0, sent: 0, end: 5}]);
  assert.equal(gapMap(none), null);
  assert.equal(gapHistogram(none).total, 0);
  assert.equal(stallsOf(none).requests, 0);
  assert.equal(stallsOf(fewRows([])).worst, -1);
});
