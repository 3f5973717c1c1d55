import assert from "node:assert/strict";
import {test} from "node:test";
import {gapHistogram, gapMap, placeOfLongest, stallsOf, trim, withoutTogether} from "../../src/analysis/gap-figures.js";
import {wordsOf} from "../../src/lanes/heat-map.js";
import {format} from "../../src/ui/format.js";
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

test("the place of the longest gap is that of the event after it", () => {
  assert.equal(placeOfLongest(rows, 0), 4);
  assert.equal(placeOfLongest(rows, 2), -1);
  assert.equal(placeOfLongest(rows, -1), -1);
});

test("the map has each kept gap in the column of its place", () => {
  const map = gapMap(rows, {columns: 2, bins: 8});
  assert.equal(map.requests, 2);
  assert.deepEqual([...map.columns], [4, 1]);
  assert.deepEqual([...map.places], [2, 4, 6]);
  assert.equal(map.cells.reduce((a, b) => a + b), 4);
  assert.deepEqual([...map.together], [1, 0]);
  assert.ok(map.median[1] > 30 && map.median[1] < 120);
});

test("gaps of 0 are in no cell and are not the median", () => {
  const list = Array.from({length: 10}, () => ({start: 0, first: 1, last: 80, gaps: [0, 10, 12]}));
  const map = gapMap(fewRows(list));
  assert.deepEqual([...map.together], [10, 0, 0]);
  assert.equal(map.median[0], 0);
  assert.ok(map.edges[0] >= 0.9, "the lowest bin is that of the gaps that are not 0");
  assert.match(wordsOf(map, format), /^The median gap is 1\d\.\d ms before event 3 and 1\d\.\d ms before event 4; n = 10 answers\./);
  assert.match(wordsOf(map, format), /10 of 30 gaps have no cell because events came together, most of them before event 2 \(100 %/);
  assert.equal(gapMap(fewRows([{start: 0, first: 1, last: 1, gaps: [0, 0]}])), null);
});

test("gaps of 0 in the histogram of the file are counted by themselves", () => {
  assert.deepEqual(withoutTogether({edges_ms: [0, 0.001, 0.01, 0.02, 5], counts: [7, 2, 3, 1]}),
    {edges: Float64Array.of(0.01, 0.02, 5), counts: Float64Array.of(3, 1), together: 9});
  assert.equal(withoutTogether({edges_ms: [0, 0.001], counts: [7]}).counts.length, 0);
});

test("runs without tokens have no gaps", () => {
  const none = fewRows([{start: 0, sent: 0, end: 5}]);
  assert.equal(gapMap(none), null);
  assert.equal(gapHistogram(none).total, 0);
  assert.equal(stallsOf(none).requests, 0);
  assert.equal(stallsOf(fewRows([])).worst, -1);
});
