import assert from "node:assert/strict";
import test from "node:test";

import {countOver, curve, goalsFor, independent, percentile, places, sampleOf, sampleOfHistogram,
  sampleOfRun, stepsOf, wholeEffective} from "../../src/analysis/distribution.js";

const upTo = (n) => Float64Array.from({length: n}, (_, i) => i + 1);

test("the last values are all drawn, and a long sample is thinned", () => {
  const at = places(200000);
  assert.ok(at.length < 1000);
  assert.deepEqual([...at.slice(-3)], [199997, 199998, 199999]);
  assert.equal(at[0], 0);
  for (let i = 1; i < at.length; ++i) assert.ok(at[i] > at[i - 1]);
  assert.deepEqual([...places(1)], [0]);
  assert.deepEqual([...places(0)], []);
});

test("the largest value is reached by one value of n, not by none", () => {
  const found = curve(sampleOf(upTo(1000)), {count: 1000, confidence: 0.99});
  const last = found.x.length - 1;
  assert.equal(found.over[last], 0.001);
  assert.equal(found.share[last], 1);
  assert.ok(found.overLow[last] < 0.001 && found.overHigh[last] > 0.001);
  assert.equal(found.over[0], 1);
});

test("fewer independent values make a wider band", () => {
  const sample = sampleOf(upTo(1000));
  const wide = curve(sample, {count: 50, confidence: 0.99});
  const narrow = curve(sample, {count: 1000, confidence: 0.99});
  const middle = wide.x.length >> 1;
  assert.ok(wide.high[middle] - wide.low[middle] > narrow.high[middle] - narrow.low[middle]);
  assert.ok(wide.overHigh[middle] > narrow.overHigh[middle]);
});

test("percentiles are numpy's", () => {
  assert.equal(percentile(sampleOf(Float64Array.of(4, 1, 3, 2)), 50), 2.5);
  assert.equal(percentile(sampleOf(Float64Array.of(7)), 99), 7);
  assert.ok(Number.isNaN(percentile(sampleOf(new Float64Array(0)), 50)));
  assert.equal(percentile(sampleOf(upTo(101)), 99), 100);
});

test("values at a limit are not over it", () => {
  const sample = sampleOf(Float64Array.of(1, 2, 2, 3));
  assert.deepEqual([0, 1, 2, 3].map((limit) => countOver(sample, limit)), [4, 3, 1, 0]);
});

test("a histogram is a sample with the upper edges as values", () => {
  const sample = sampleOfHistogram({edges_ms: [0, 5, 10, 20], counts: [3, 0, 1]});
  assert.equal(sample.count, 4);
  assert.deepEqual([...sample.sorted], [5, 20]);
  assert.equal(percentile(sample, 50), 5);
  assert.equal(countOver(sample, 5), 1);
  assert.equal(sampleOfHistogram(undefined).count, 0);
});

test("only requests that succeeded count", () => {
  const rows = {count: 3, ttft: Float64Array.of(5, 9, NaN), ok: (i) => i !== 1};
  assert.deepEqual([...sampleOfRun({rows}, "ttft").sorted], [5]);
  assert.equal(sampleOfRun({rows: null}, "ttft").count, 0);
});

test("token gaps come whole or as a histogram", () => {
  const rows = {count: 2, ok: () => true, gapsOf: (i) => i === 0 ? Float64Array.of(3, 1) : null};
  assert.deepEqual([...sampleOfRun({rows, gaps: {kind: "all"}}, "itl").sorted], [1, 3]);
  const histogram = {edges_ms: [0, 1], counts: [9]};
  assert.equal(sampleOfRun({rows, gaps: {kind: "some", histogram}}, "itl").count, 9);
  assert.equal(sampleOfRun({rows, gaps: {kind: "none"}}, "itl").count, 0);
});

test("the number of independent values is the program's, scaled to the rows", () => {
  const facts = {certainty: {confidence: 0.95, figures: {ttft: {count: 200, effective_count: 50}}}};
  assert.deepEqual(independent(facts, "ttft", 100), {count: 25, known: true, confidence: 0.95});
  assert.deepEqual(independent({}, "ttft", 100), {count: 100, known: false, confidence: 0.99});
  assert.equal(independent({certainty: {confidence: 7}}, "ttft", 1).confidence, 0.99);
});

test("each percentile has its own number of independent values, the whole curve the smallest", () => {
  const figure = {count: 200, effective_count: 100, percentiles: [{percentile: 50, effective_count: 20},
    {percentile: 99, effective_count: 160}, {percentile: 90, effective_count: null}]};
  const of = (percent) => independent({certainty: {figures: {ttft: figure}}}, "ttft", 200, percent).count;
  assert.deepEqual([50, 99, 90, 95, undefined].map(of), [20, 160, 20, 20, 20]);
  const unknown = {count: 200, effective_count: null, percentiles: [{percentile: 50, effective_count: null}]};
  assert.equal(independent({certainty: {figures: {ttft: unknown}}}, "ttft", 200).known, false);
});

test("the number of independent values is rounded down", () => {
  assert.deepEqual([0.4, 1.99, 2, 7.9999999999].map(wholeEffective), [1, 1, 2, 8]);
});

test("the curve has a step for each different value", () => {
  const found = stepsOf(sampleOf(Float64Array.of(5, 1, 1, 3, 9)));
  assert.deepEqual([...found.x], [1, 3, 5, 9]);
  assert.deepEqual([...found.share], [0.4, 0.6, 0.8, 1]);
  assert.deepEqual([...found.over], [1, 0.6, 0.4, 0.2]);
  const many = stepsOf(sampleOf(upTo(200_000)));
  assert.equal(many.x.length, 200_000);
  assert.equal(many.share[123_455], 123_456 / 200_000);
  const thinned = stepsOf(sampleOf(upTo(200_000)), 1000);
  for (let i = 1; i < thinned.x.length; ++i) assert.ok(thinned.share[i] - thinned.share[i - 1] < 1 / 3900);
  assert.equal(stepsOf(sampleOf(new Float64Array(0))).x.length, 0);
});

test("goals are in ms, and goals without a limit are left out", () => {
  const goal = (more) => ({goal: "g", figure: "ttft", ...more});
  const facts = {thresholds: [goal({limit: 0.2, unit: "s"}), goal({limit: 5, unit: "ms"}),
    goal({limit: null}), {goal: "x", figure: "failed", limit: 0.01, unit: "1"}, null]};
  assert.deepEqual(goalsFor(facts, "ttft").map((g) => g.limitMs), [200, 5]);
  assert.deepEqual(goalsFor({}, "ttft"), []);
});
