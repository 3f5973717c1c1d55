import assert from "node:assert/strict";
import {test} from "node:test";

import {logTicks} from "../../src/ui/chart/ticks.js";
import {lowerBound, thinLine, thinPoints, visible} from "../../src/ui/chart/thin.js";
import {randomness} from "../synthetic.mjs";

test("a thinned line keeps first, lowest, highest and last value of each column", () => {
  const random = randomness(3);
  const y = Float64Array.from({length: 200_000}, random);
  y[123_456] = 99;
  y[77] = -99;
  const column = (i) => Math.floor(i / 200);
  const kept = thinLine(y, 0, y.length, column);
  assert.ok(kept.length <= 4 * 1000);
  assert.ok(kept.includes(123_456) && kept.includes(77));
  for (let k = 1; k < kept.length; ++k) assert.ok(kept[k] > kept[k - 1]);
  const set = new Set(kept);
  for (let c = 0; c < 1000; ++c) {
    const part = y.subarray(c * 200, c * 200 + 200);
    assert.ok(set.has(c * 200) && set.has(c * 200 + 199));
    assert.ok(set.has(c * 200 + part.indexOf(Math.max(...part))));
    assert.ok(set.has(c * 200 + part.indexOf(Math.min(...part))));
  }
});

test("a thinned line keeps gaps as one index", () => {
  const y = [1, 2, NaN, NaN, 3];
  assert.deepEqual(
    thinLine(y, 0, 5, (i) => i),
    [0, 1, 2, 4],
  );
  assert.deepEqual(
    thinLine([NaN, NaN], 0, 2, (i) => i),
    [],
  );
  assert.deepEqual(
    thinLine([7], 0, 1, () => 0),
    [0],
  );
});

test("thinned points keep one point for each place and count the others", () => {
  const x = [0.1, 0.2, 5, 50, NaN],
    y = [0.1, 0.2, 5, 5, 5];
  const {indices, counts} = thinPoints(
    5,
    (i) => x[i],
    (i) => y[i],
    10,
    10,
    1,
  );
  assert.deepEqual([...indices], [0, 2]);
  assert.deepEqual([...counts], [2, 1]);
});

test("every outlier of 200,000 points keeps its place", () => {
  const random = randomness(4);
  const x = Float64Array.from({length: 200_000}, () => random() * 1000);
  const y = Float64Array.from({length: 200_000}, () => 150 + random() * 40);
  const outliers = [5, 777, 123_456, 199_999];
  outliers.forEach((i, k) => (y[i] = 10 + 20 * k));
  const {indices} = thinPoints(
    x.length,
    (i) => x[i],
    (i) => y[i],
    1000,
    200,
    1,
  );
  const kept = new Set(indices);
  for (const i of outliers) assert.ok(kept.has(i));
  assert.ok(kept.size < 60_000);
});

test("the visible part has one point more on each side", () => {
  const x = [0, 1, 2, 3, 4];
  assert.equal(lowerBound(x, 2), 2);
  assert.deepEqual(visible(x, 1.5, 2.5), [1, 4]);
  assert.deepEqual(visible([], 0, 1), [0, 0]);
  assert.deepEqual(visible(x, 10, 20), [4, 5]);
});

test("logarithmic ticks are few, inside and round", () => {
  assert.deepEqual(logTicks(12, 1100, 8), [20, 50, 100, 200, 500, 1000]);
  assert.deepEqual(logTicks(1, 1e6, 4), [1, 100, 1e4, 1e6]);
  assert.deepEqual(logTicks(9, 21, 8), [9, 10, 15, 20]);
  for (const [low, high] of [
    [1e-5, 1e5],
    [3, 3.1],
    [0.99, 1.01],
    [7, 7000],
  ])
    for (const tick of logTicks(low, high, 6)) assert.ok(tick >= low * 0.99 && tick <= high * 1.01);
});
