import assert from "node:assert/strict";
import test from "node:test";

import {conclusionOf} from "../../src/analysis/conclusion.js";
import {mainFigures, sidesOf} from "../../src/analysis/what-changed.js";
import {format} from "../../src/ui/format.js";
import {reportOf, runOf} from "./compared-runs.mjs";

const conclusion = (runs, settings = []) => {
  const report = reportOf(...runs);
  const sides = sidesOf(report);
  return conclusionOf(report, sides, mainFigures(report, sides), settings, format);
};
const limits = "One run a side, and the server's own settings are not seen: this does not prove the cause.";

test("the difference of two runs is a sentence with its limits", () => {
  assert.deepEqual(conclusion([runOf("A"), runOf("B", {rate: 40, ttft: 60})]),
    ["B is slower: request throughput ×0.500, median TTFT ×3.00.", limits]);
  assert.equal(conclusion([runOf("A"), runOf("B", {rate: 40, ttft: 10})])[0],
    "B is slower: request throughput ×0.500; better: median TTFT ×0.500.");
  assert.equal(conclusion([runOf("A"), runOf("B", {rate: 160, ttft: 60})])[0],
    "B is faster: request throughput ×2.00; worse: median TTFT ×3.00.");
  assert.equal(conclusion([runOf("A"), runOf("B")])[0],
    "B is about as fast as A; equal or nearly: request throughput, median TTFT.");
  assert.equal(conclusion([runOf("A"), runOf("B", {ttft: 60})])[0],
    "B is about as fast as A: worse: median TTFT ×3.00; equal or nearly: request throughput.");
});

test("a percentile is named where its median says another thing, if it is certain", () => {
  const b = runOf("B");
  b.metric("ttft").percentiles = [[99, 600]];
  assert.match(conclusion([runOf("A"), b])[0], /worse: P99 TTFT ×10\.0/);
  b.facts.certainty = {confidence: 0.99, figures: {ttft: {count: 100, percentiles: [{percentile: 99, bound: null}]}}};
  assert.doesNotMatch(conclusion([runOf("A"), b])[0], /P99/);
});

test("throughput and time of an answer that go two ways have no winner", () => {
  const slow = runOf("B", {rate: 160});
  const e2el = (value) => ({name: "e2el", label: "E2EL", unit: "ms", value, median: value, count: 100, percentiles: [],
    flags: {summary: true, upstream: true, selected: true}});
  const a = runOf("A");
  a.metrics.push(e2el(100));
  slow.metrics.push(e2el(300));
  assert.equal(conclusion([a, slow])[0], "B is better than A in some figures and worse in others: worse: median E2EL ×3.00; " +
    "better: request throughput ×2.00; equal or nearly: median TTFT.");
});

test("another load, failed requests and a spoiling client limit the sentence", () => {
  assert.match(conclusion([runOf("A"), runOf("B", {rate: 40, failed: 5})], [{name: "--request-rate", load: true}]).join(" "),
    /^At another load \(--request-rate\), B is slower: .*Failed requests, not in the latencies: 5 of 100 of B\./);
  assert.match(conclusion([runOf("A"), runOf("B", {rate: 40, verdict: "SUSPECT", starved: 0.005})])[0],
    /request throughput ×0\.500 \(perhaps by the client\)/);
  assert.deepEqual(conclusion([runOf("A"), runOf("B", {verdict: "INVALID", starved: 1})]),
    ["No figure can be compared, because the client of a run spoiled it."]);
});

test("more than two sides, or sides without a common figure, have no sentence", () => {
  assert.deepEqual(conclusion([runOf("A"), runOf("B"), runOf("C")]), []);
  assert.deepEqual(conclusion([runOf("A"), runOf("B", {rate: NaN, ttft: NaN})]), []);
});
