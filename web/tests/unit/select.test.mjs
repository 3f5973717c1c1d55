import assert from "node:assert/strict";
import {test} from "node:test";
import {percentiles, percentilesOf, select} from "../../src/analysis/select.js";
import {random} from "../../src/analysis/slope.js";

const reference = (values, percent) => {
  const sorted = Float64Array.from(values).sort();
  const rank = percent / 100 * (sorted.length - 1);
  const below = Math.floor(rank);
  const above = Math.min(below + 1, sorted.length - 1);
  return sorted[below] + (sorted[above] - sorted[below]) * (rank - below);
};

test("percentiles agree with a sorted array", () => {
  const next = random(7);
  for (const n of [1, 2, 3, 10, 101, 1000]) {
    const values = Float64Array.from({length: n}, () => Math.floor(next() * n));
    const wanted = [0, 1, 50, 90, 99, 99.9, 100];
    assert.deepEqual(percentilesOf(values, wanted), wanted.map((p) => reference(values, p)));
  }
});

test("equal, ascending and descending values are selected", () => {
  const n = 5000;
  for (const make of [() => 4, (i) => i, (i) => n - i]) {
    const values = Float64Array.from({length: n}, (_, i) => make(i));
    assert.equal(select(values.slice(), 1234), values.slice().sort()[1234]);
  }
});

test("a range of an array leaves the rest alone", () => {
  const values = Float64Array.of(9, 3, 1, 2, 0);
  assert.deepEqual(percentiles(values, [50], 1, 4), [2]);
  assert.equal(values[0], 9);
  assert.equal(values[4], 0);
});

test("no values have no percentiles, and NaN is left out", () => {
  assert.deepEqual(percentilesOf([], [50, 99]), [NaN, NaN]);
  assert.deepEqual(percentilesOf([NaN, 5, NaN], [50]), [5]);
});
