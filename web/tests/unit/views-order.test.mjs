import assert from "node:assert/strict";
import test from "node:test";

import {viewsOf} from "../../src/views/index.js";
import {reportOf, runOf} from "./compared-runs.mjs";

const first = (report) => viewsOf(report).slice(0, 4).map((view) => view.id);

test("a page of one run has no comparison at its beginning", () => {
  const ids = viewsOf(reportOf(runOf("A"))).map((view) => view.id);
  assert.deepEqual(ids.slice(0, 2), ["verdict", "headline"]);
  assert.ok(!ids.includes("what-changed"));
});

test("a page of several runs begins with what changed", () => {
  const two = reportOf(runOf("A"), runOf("B"));
  assert.deepEqual(first(two), ["what-changed", "verdict", "side-by-side", "headline"]);
  assert.equal(new Set(viewsOf(two)).size, viewsOf(reportOf(runOf("A"))).length + 1);
});

test("a sweep has its frontier before the runs side by side", () => {
  const sweep = reportOf(...["a", "b", "c", "d", "e"].map((label) => runOf(label)));
  assert.deepEqual(first(sweep), ["what-changed", "verdict", "side-by-side", "headline"]);
  sweep.axes = [{name: "rate", unit: "req/s"}];
  assert.deepEqual(first(sweep), ["what-changed", "verdict", "frontier", "side-by-side"]);
});
