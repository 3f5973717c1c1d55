// A straight line through points that a few outliers cannot turn: Theil (1950) and Sen (1968), the
// median of the slopes of all pairs.

import {percentiles} from "./select.js";

/** A small generator of the same numbers on every machine (mulberry32). */
export function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/**
 * @typedef {object} Fit
 * @property {number} slope
 * @property {number} lower  95 % interval of the slope (Sen 1968, from the variance of Kendall's S
 *     without ties); it takes the points as independent
 * @property {number} upper
 * @property {number} intercept  the median of y - slope * x
 * @property {number} n  number of points
 * @property {number} pairs  number of pairs with different x that were looked at
 * @property {boolean} sampled  whether the pairs are a sample of all pairs
 */

/**
 * @param {Float64Array} x
 * @param {Float64Array} y  points with NaN in x or y are left out
 * @returns {Fit | null} null with fewer than three points or a single value of x
 */
export function theilSen(x, y, {most = 100_000, seed = 1} = {}) {
  const kept = [];
  for (let i = 0; i < x.length; ++i) if (x[i] === x[i] && y[i] === y[i]) kept.push(i);
  const n = kept.length;
  if (n < 3) return null;
  const all = n * (n - 1) / 2;
  const sampled = all > most;
  const slopes = new Float64Array(sampled ? most : all);
  let count = 0;
  const take = (a, b) => {
    const run = x[b] - x[a];
    if (run !== 0) slopes[count++] = (y[b] - y[a]) / run;
  };
  if (sampled) {
    const next = random(seed);
    for (let k = 0; k < most; ++k) {
      const a = Math.floor(next() * n);
      const b = Math.floor(next() * (n - 1));
      take(kept[a], kept[b < a ? b : b + 1]);
    }
  } else {
    for (let a = 0; a < n; ++a) for (let b = a + 1; b < n; ++b) take(kept[a], kept[b]);
  }
  if (count === 0) return null;
  const spread = 1.96 * Math.sqrt(n * (n - 1) * (2 * n + 5) / 18) / all * 50;
  const [lower, slope, upper] = percentiles(slopes.subarray(0, count),
    [Math.max(0, 50 - spread), 50, Math.min(100, 50 + spread)]);
  const rest = Float64Array.from(kept, (i) => y[i] - slope * x[i]);
  const [intercept] = percentiles(rest, [50]);
  return {slope, lower, upper, intercept, n, pairs: count, sampled};
}
