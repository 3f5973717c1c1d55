import assert from "node:assert/strict";
import test from "node:test";

import {bandHalf, betaIncomplete, betaQuantile, lnGamma, percentInterval, shareBound, shareInterval}
  from "../../src/analysis/binomial.js";

const near = (a, b, by = 1e-9) => assert.ok(Math.abs(a - b) <= by, `${a} is not ${b}`);

test("lnGamma is the logarithm of the factorial", () => {
  near(lnGamma(1), 0);
  near(lnGamma(6), Math.log(120), 1e-12);
  near(lnGamma(0.5), Math.log(Math.sqrt(Math.PI)), 1e-12);
});

test("the incomplete beta function agrees with closed forms", () => {
  near(betaIncomplete(1, 1, 0.3), 0.3, 1e-12);
  near(betaIncomplete(2, 1, 0.3), 0.09, 1e-12);
  near(betaIncomplete(1, 5, 0.2), 1 - 0.8 ** 5, 1e-12);
  near(betaIncomplete(30, 70, 0.3) + betaIncomplete(70, 30, 0.7), 1, 1e-12);
  assert.equal(betaIncomplete(2, 3, 0), 0);
  assert.equal(betaIncomplete(2, 3, 1), 1);
  near(betaIncomplete(3.5, 2.25, betaQuantile(3.5, 2.25, 0.2)), 0.2, 1e-12);
});

test("no request of 459 over a limit bounds the share at one percent", () => {
  // 459 is the smallest sample that certifies a P99 at 0.99: 0.99^459 < 0.01 < 0.99^458.
  assert.ok(shareBound(0, 459, 0.99) <= 0.01);
  assert.ok(shareBound(0, 458, 0.99) > 0.01);
  near(shareBound(0, 459, 0.99), 1 - 0.01 ** (1 / 459), 1e-12);
});

test("an interval of a share is Clopper and Pearson's", () => {
  const [low, high] = shareInterval(4, 20, 0.95);
  near(low, 0.0573, 5e-5);
  near(high, 0.4366, 5e-5);
  assert.deepEqual(shareInterval(0, 0, 0.95), [0, 1]);
  assert.equal(shareInterval(0, 10, 0.95)[0], 0);
  assert.equal(shareInterval(10, 10, 0.95)[1], 1);
});

test("a band shrinks with the root of the sample", () => {
  near(bandHalf(400, 0.99) * 2, bandHalf(100, 0.99), 1e-12);
  assert.equal(bandHalf(0, 0.99), 1);
  assert.equal(bandHalf(1, 0.99), 1);
});

test("the interval of a percentile is open where the sample is too small", () => {
  const [low, high] = percentInterval(99, 100, 0.99);
  assert.ok(low > 90 && low < 99);
  assert.ok(Number.isNaN(high));
  const [a, b] = percentInterval(50, 100, 0.95);
  assert.ok(a > 38 && a < 41, String(a));
  assert.ok(b > 59 && b < 62, String(b));
  assert.ok(percentInterval(99, 100000, 0.99).every((p) => Math.abs(p - 99) < 0.2));
});

test("the interval of a percentile covers the true value as often as it says", () => {
  let seed = 7;
  const random = () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 2 ** 32;
  };
  const n = 60;
  const [low, high] = percentInterval(75, n, 0.9);
  const ranks = [low, high].map((p) => Math.round(p / 100 * n + 0.5));
  let covered = 0;
  for (let trial = 0; trial < 4000; ++trial) {
    const values = Float64Array.from({length: n}, random).sort();
    if (values[ranks[0] - 1] <= 0.75 && values[ranks[1] - 1] >= 0.75) ++covered;
  }
  assert.ok(covered / 4000 >= 0.89 && covered / 4000 < 0.97, String(covered / 4000));
});
