import assert from "node:assert/strict";
import test from "node:test";

import {endOf, marginOf, placesOf, ticksOf} from "../../src/analysis/forest.js";

const ratio = (value, low = NaN, high = NaN) => ({value, low, high});
const near = (a, b) => assert.ok(Math.abs(a - b) < 1e-9, `${a}, not ${b}`);

test("each ratio is on the axis, and equal ratios are in the middle", () => {
  const all = [ratio(0.5), ratio(1.1, 1.05, 1.2), ratio(1)];
  const end = endOf(all, 0.02);
  for (const each of all) {
    const {at, from, to} = placesOf(each, end);
    assert.ok(at > 0 && at < 1 && from <= at && at <= to);
  }
  near(placesOf(ratio(1), end).at, 0.5);
});

test("a ratio and its inverse are equally far from the middle", () => {
  const end = endOf([ratio(2)], NaN);
  near(placesOf(ratio(2), end).at - 0.5, 0.5 - placesOf(ratio(0.5), end).at);
});

test("an interval that would flatten the others is cut, and says so", () => {
  const wide = ratio(1.1, 0.01, 100);
  const end = endOf([ratio(1.02, 1.01, 1.03), ratio(1.01, 1, 1.02), wide], 0.02);
  assert.ok(end < 1.3, `${end}`);
  const places = placesOf(wide, end);
  assert.deepEqual([places.from, places.to, places.cutLow, places.cutHigh], [0, 1, true, true]);
  const whole = placesOf(ratio(1.02, 1.01, 1.03), end);
  assert.deepEqual([whole.cutLow, whole.cutHigh], [false, false]);
});

test("a ratio that is not known has no place, and a ratio without an interval has no bar", () => {
  for (const value of [NaN, 0, -1, Infinity]) assert.equal(placesOf(ratio(value), 1.1), null);
  const {at, from, to} = placesOf(ratio(1.05), 1.1);
  assert.deepEqual([from, to], [at, at]);
});

test("the margin is around the middle and on the axis, also without ratios", () => {
  const {from, to} = marginOf(0.02, endOf([], 0.02));
  near(0.5 - from, to - 0.5);
  assert.ok(from > 0 && from < 0.5);
  assert.equal(marginOf(NaN, 1.1), null);
  assert.deepEqual(marginOf(5, 1.1), {from: 0, to: 1}, "a margin wider than the axis ends with it");
});

test("there is an axis for nothing at all", () => {
  const end = endOf([ratio(NaN)], NaN);
  assert.ok(end > 1 && Number.isFinite(end));
  assert.ok(ticksOf(end).some(({value, at}) => value === 1 && Math.abs(at - 0.5) < 1e-9));
});
