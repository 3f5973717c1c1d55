import assert from "node:assert/strict";
import test from "node:test";

import {readReport} from "../../src/data/model.js";

const titleOf = (title, ...labels) => readReport(() => JSON.stringify({format: 1, title,
  runs: labels.map((label, i) => ({label, name: `run-${i}`}))})).title;

test("a page of several runs has their labels as title, unless the user gave one", () => {
  assert.equal(titleOf("run-0-and-1-more", "runA", "runB"), "runA, runB");
  assert.equal(titleOf("run-0-and-1-more", "", "runB"), "run-0, runB");
  assert.equal(titleOf("run-0-and-2-more", "a", "a", "b"), "a, b");
  assert.equal(titleOf("r-and-5-more", "a", "b", "c", "d", "e", "f"), "a, b, c, d and 2 more");
  assert.equal(titleOf("My title", "runA", "runB"), "My title");
  assert.equal(titleOf("run-0-and-1-more", "runA"), "run-0-and-1-more");
});
