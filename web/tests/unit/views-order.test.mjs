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

test("a page of a search begins with the limit, and calls no run faster than another", () => {
  const search = {...reportOf(runOf("A"), runOf("B")), facts: {search: {probes: []}}};
  assert.deepEqual(first(search), ["load-search", "verdict", "side-by-side", "headline"]);
  assert.ok(!viewsOf(search).some((view) => view.id === "what-changed"));
  const one = {...reportOf(runOf("A")), facts: {search: {probes: []}}};
  assert.deepEqual(first(one), ["load-search", "verdict", "headline", "latency-over-time"]);
});

test("a page of a comparison begins with its verdicts, which have known error rates", () => {
  const comparison = {...reportOf(runOf("A"), runOf("B")), facts: {comparison: {}}};
  assert.deepEqual(first(comparison), ["paired-comparison", "verdict", "side-by-side", "headline"]);
  assert.ok(!viewsOf(comparison).some((view) => view.id === "what-changed"));
});
