import assert from "node:assert/strict";
import {test} from "node:test";
import {leftOut, pointsOf, usefulColours} from "../../src/analysis/scatter-points.js";
import {fewRows} from "./few-rows.mjs";

const list = [];
for (let i = 0; i < 20; ++i) list.push({start: 0, first: 10 + i, last: 100, input: 100 + i, output: 5, klass: i % 10, cached: i % 2 ? 90 : 0});
list.push({start: 0, sent: 1, end: 5, status: 6, input: 10}, {start: 0, first: 5, last: 9, klass: 0});
const rows = fewRows(list);
const strings = {class: Array.from({length: 10}, (_, at) => `class ${at}`)};

test("each usable request is a point in one group", () => {
  for (const colour of ["none", "class", "cached", "nonsense"]) {
    const {groups, x, y} = pointsOf(rows, strings, rows.input, rows.ttft, colour);
    assert.equal(x.length, 20);
    assert.equal(y.length, 20);
    assert.deepEqual(groups.flatMap((group) => [...group.rows]).sort((a, b) => a - b), Array.from({length: 20}, (_, i) => i));
  }
});

test("many classes are put together", () => {
  const {groups} = pointsOf(rows, strings, rows.input, rows.ttft, "class");
  assert.equal(groups.length, 6);
  assert.equal(groups.at(-1).label, "5 others");
});

test("only colours that distinguish requests are offered", () => {
  assert.deepEqual(usefulColours(rows, strings), ["none", "class", "cached"]);
  assert.deepEqual(usefulColours(fewRows([]), {}), ["none"]);
});

test("what is not drawn is said", () => {
  assert.equal(leftOut(rows, rows.input, rows.ttft, String), "Not drawn: 1 failed (timeout), 1 without these values.");
  assert.equal(leftOut(fewRows([]), [], [], String), "");
});
