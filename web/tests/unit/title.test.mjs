import assert from "node:assert/strict";
import test from "node:test";

import {readReport} from "../../src/data/model.js";

const titleOf = (title, ...labels) => readReport(() => JSON.stringify({format: 1, title,
  runs: labels.map((label, i) => ({label, name: `run-${i}`}))})).title;

test("a page of several runs has their labels as title, unless the user gave one", () => {
  assert.equal(titleOf("run-0-and-1-more", "runA", "runB"), "Comparison: runA, runB");
  assert.equal(titleOf("run-0-and-1-more", "", "runB"), "Comparison: run-0, runB");
  assert.equal(titleOf("run-0-and-2-more", "a", "a", "b"), "Comparison: a, b");
  assert.equal(titleOf("r-and-5-more", "a", "b", "c", "d", "e", "f"), "Comparison: a, b, c, d and 2 more");
  assert.equal(titleOf("My title", "runA", "runB"), "My title");
  assert.equal(titleOf("run-0-and-1-more", "runA"), "run-0-and-1-more");
});
