import assert from "node:assert/strict";
import {test} from "node:test";
import {random, theilSen} from "../../src/analysis/slope.js";

test("a line is found through outliers", () => {
  const x = Float64Array.from({length: 100}, (_, i) => i);
  const y = x.map((v) => 3 * v + 7);
  y[3] = 1e6;
  y[90] = -1e6;
  const fit = theilSen(x, y);
  assert.ok(Math.abs(fit.slope - 3) < 1e-9);
  assert.ok(Math.abs(fit.intercept - 7) < 1e-6);
  assert.equal(fit.n, 100);
  assert.equal(fit.sampled, false);
});

test("many points are fitted from a sample that is the same each time", () => {
  const next = random(1);
  const n = 20_000;
  const x = Float64Array.from({length: n}, () => next() * 1000);
  const y = x.map((v) => 0.5 * v + 20 + (next() - 0.5) * 50);
  const fit = theilSen(x, y);
  assert.ok(fit.sampled);
  assert.ok(Math.abs(fit.slope - 0.5) < 0.01);
  assert.ok(fit.lower <= fit.slope && fit.slope <= fit.upper);
  assert.deepEqual(theilSen(x, y), fit);
});

test("the interval contains the slope in 19 of 20 samples", () => {
  const next = random(11);
  let hits = 0;
  for (let k = 0; k < 400; ++k) {
    const x = Float64Array.from({length: 40}, () => next());
    const y = x.map((v) => 2 * v + next() + next());
    const fit = theilSen(x, y);
    if (fit.lower <= 2 && 2 <= fit.upper) ++hits;
  }
  assert.ok(hits >= 366 && hits <= 394, `${hits} of 400`);
});

test("without two different x or three points there is no line", () => {
  assert.equal(theilSen(Float64Array.of(1, 2), Float64Array.of(1, 2)), null);
  assert.equal(theilSen(Float64Array.of(5, 5, 5, 5), Float64Array.of(1, 2, 3, 4)), null);
  assert.equal(theilSen(Float64Array.of(1, NaN, 3, 4), Float64Array.of(NaN, 2, 3, 4)), null);
});
