import assert from "node:assert/strict";
import test from "node:test";

import {binCount, bins, fewest, percentilesByBin, quarters, roundUp}
  from "../../src/analysis/time-bins.js";

test("a width is a round number that is not smaller", () => {
  assert.deepEqual([0.13, 1, 1.01, 2.2, 3, 6, 99].map(roundUp), [0.2, 1, 2, 2.5, 5, 10, 100]);
  assert.equal(roundUp(0), 1);
  assert.equal(roundUp(NaN), 1);
  assert.equal(roundUp(Infinity), 1);
});

test("bins cover the whole run, a run without length too", () => {
  const found = bins(10, 20);
  assert.equal(found.width, 0.5);
  assert.equal(found.count, 20);
  assert.equal(bins(0, 20).count * bins(0, 20).width >= 1, true);
  assert.equal(bins(NaN, 0).count, 1);
});

test("a short rest belongs to the bin before it", () => {
  const near = (list) => [...list].map((v) => Math.round(v * 1e6) / 1e6);
  assert.deepEqual(near(bins(4.2, 4).lengths), [2, 2.2]);
  assert.deepEqual(near(bins(5.3, 4).lengths), [2, 2, 1.3]);
  assert.deepEqual(near(bins(10.0000000001, 10).lengths), Array(10).fill(1));
  assert.deepEqual(near(bins(1.01, 1).lengths), [1.01]);
});

test("each percentile may have its own share of independent requests", () => {
  const at = [];
  const values = [];
  for (let i = 0; i < 400; ++i) at.push(i * 10), values.push(i < 200 ? 80 + i % 7 : 210 + i % 7);
  const found = quarters(at, values, 0, 3990, (percent) => percent === 50 ? 0.2 : 0.05);
  assert.equal(found.percent, 50);
  assert.equal(Math.round(found.first.effective), 20);
});

test("the number of bins grows with the requests and has a limit", () => {
  assert.deepEqual([0, 1, 100, 1499, 1500, 12000, 200000].map(binCount),
    [1, 1, 4, 20, 10, 80, 120]);
});

test("a percentile needs a value beyond it", () => {
  assert.deepEqual([50, 90, 99].map(fewest), [1, 10, 100]);
});

test("percentiles of bins are those of their values", () => {
  const into = bins(2, 2);  // 1 s each
  const at = [];
  const values = [];
  for (let i = 0; i < 101; ++i) at.push(500), values.push(i);
  at.push(1500, 1500, 1600, NaN, 1700);
  values.push(7, 9, NaN, 5, 11);
  const found = percentilesByBin(at, values, into, [50, 90, 99]);
  assert.deepEqual([...found.counts], [101, 3]);
  assert.deepEqual(found.percentiles.map((p) => p[0]), [50, 90, 99]);
  assert.equal(found.percentiles[0][1], 9);
  assert.ok(Number.isNaN(found.percentiles[1][1]));
  assert.ok(Number.isNaN(found.percentiles[2][1]));
});

test("requests beyond the last bin and before the first count in the nearest", () => {
  const found = percentilesByBin([-5, 9000], [1, 2], bins(2, 2), [50]);
  assert.deepEqual([...found.counts], [1, 1]);
});

test("a rise that the samples show is called a rise", () => {
  const at = [];
  const values = [];
  for (let i = 0; i < 400; ++i) {
    at.push(i * 10);
    values.push(i < 200 ? 80 + i % 7 : 210 + i % 7);
  }
  const found = quarters(at, values, 0, 3990, 1);
  assert.equal(found.percent, 90);
  assert.equal(found.change, "rose");
  assert.equal(quarters(at, values.map((v) => 300 - v), 0, 3990, 1).change, "fell");
});

test("the same difference is unclear if few of the requests are independent", () => {
  const at = [];
  const values = [];
  for (let i = 0; i < 400; ++i) at.push(i * 10), values.push(i < 200 ? 80 + i % 7 : 210 + i % 7);
  assert.equal(quarters(at, values, 0, 3990, 0.02).change, "unclear");
});

test("an equal run is never called changed, and empty quarters have no reading", () => {
  const at = Array.from({length: 2000}, (_, i) => i);
  const values = at.map((i) => (i * 7919) % 1000);
  assert.equal(quarters(at, values, 0, 1999, 1).change, "unclear");
  assert.equal(quarters([], [], 0, 0, 1), null);
  assert.equal(quarters([0], [5], 0, 0, 1), null);
  assert.equal(quarters([0, 1, 2], [5, NaN, NaN], 0, 2, 1), null);
});
