import assert from "node:assert/strict";
import {test} from "node:test";
import {DIMENSIONS, fairness, groupFigures, usefulDimensions} from "../../src/analysis/groups.js";
import {fewRows} from "./few-rows.mjs";

const strings = {class: ["a", "b<script>"], session: ["s1"], server: ["http://x"]};
const rows = fewRows([
  {start: 0, first: 10, last: 110, output: 11, klass: 1, turn: 0, server: 0},
  {start: 0, first: 30, last: 130, output: 11, klass: 1, turn: 1, server: 0},
  {start: 0, sent: 1, end: 5, klass: 1, turn: 0, status: 5, http: 500, server: 0},
  {start: 0, first: 50, last: 1050, output: 11, klass: 0, turn: 0, server: 0},
  {start: 0, sent: 1, end: 5, status: 6, server: 0},
]);

test("groups have their counts, shares of errors and percentiles, the largest first", () => {
  const groups = groupFigures(rows, strings, DIMENSIONS.class);
  assert.deepEqual(groups.map(({name, n, failed}) => [name, n, failed]), [["b<script>", 3, 1], ["a", 1, 0]]);
  assert.equal(groups[0].errors, 1 / 3);
  assert.deepEqual(groups[0].ttft, [20, NaN, NaN]);
  assert.deepEqual(groups[0].counts, [2, 2, 2]);
  assert.deepEqual(groups[1].e2el, [NaN, NaN, NaN]);
  assert.ok(Math.abs(groups[0].speed - 22 / 0.24) < 1e-9);
});

test("outcomes are named with their HTTP status", () => {
  assert.deepEqual(groupFigures(rows, strings, DIMENSIONS.status).map(({name}) => name),
    ["ok, HTTP 200", "remote, HTTP 500", "timeout, no answer"]);
});

test("only the first groups are kept, and unknown texts do no harm", () => {
  assert.equal(groupFigures(rows, strings, DIMENSIONS.class, 1).length, 1);
  assert.equal(groupFigures(rows, {}, DIMENSIONS.class)[0].name, "(unknown)");
});

test("dimensions with a single value are left out", () => {
  assert.deepEqual(usefulDimensions(rows), ["class", "turn", "status"]);
  assert.deepEqual(usefulDimensions(fewRows([])), []);
});

test("Jain's index is 1 for equal values and 1/n if one has everything", () => {
  assert.deepEqual(fairness([2, 2, 2, NaN]), {index: 1, n: 3});
  assert.deepEqual(fairness([0, 0, 5, 0]), {index: 0.25, n: 4});
  assert.ok(Number.isNaN(fairness([5]).index));
  assert.ok(Number.isNaN(fairness([0, 0]).index));
});
