// Requests by time: bins of equal width, the percentiles of each bin, and what changed between the
// first and the last quarter of the run.
import {percentInterval} from "./binomial.js";
import {percentiles} from "./select.js";

const steps = [1, 2, 2.5, 5, 10];

/** The round number (1, 2, 2.5 or 5 times a power of ten) that is at least `value`. */
export function roundUp(value) {
  if (!(value > 0) || !Number.isFinite(value)) return 1;
  const power = 10 ** Math.floor(Math.log10(value) + 1e-9);
  for (const step of steps) if (step * power >= value * (1 - 1e-9)) return step * power;
  return 10 * power;
}

/**
 * How many bins a chart with percentiles should have: about 25 requests in each bin at least, and
 * 150 from 1,500 requests on, so that most bins can show a P99.
 */
export function binCount(requests) {
  return Math.max(1, requests < 1500 ? Math.min(20, Math.floor(requests / 25))
    : Math.min(120, Math.floor(requests / 150)));
}

/**
 * @typedef {object} Bins
 * @property {number} width  seconds
 * @property {number} count
 * @property {Float64Array} from  start of each bin in seconds
 * @property {Float64Array} lengths  seconds of the run in each bin: the width, but for the last bin
 *     from its start to the end of the run
 */

/**
 * Bins of a round width from 0 to `end` seconds. A rest of less than half a width belongs to the
 * bin before it, because a rate over a short rest would be noise.
 * @returns {Bins}
 */
export function bins(end, wanted) {
  const span = end > 0 && Number.isFinite(end) ? end : 1;
  const width = roundUp(span / Math.max(1, wanted));
  const count = Math.max(1, Math.floor(span / width + 0.5 + 1e-9));
  const from = new Float64Array(count);
  const lengths = new Float64Array(count).fill(width);
  for (let i = 0; i < count; ++i) from[i] = i * width;
  const last = span - from[count - 1];
  // What rounding leaves is no other length.
  if (Math.abs(last - width) > 1e-9 * span) lengths[count - 1] = last;
  return {width, count, from, lengths};
}

/** The fewest values for which a percentile is shown: those with one value beyond it. */
export function fewest(percent) {
  return percent > 50 ? Math.round(100 / (100 - percent)) : 1;
}

/**
 * Percentiles of the values in each bin.
 * @param {ArrayLike<number>} at  ms from the start of the run; NaN: left out
 * @param {ArrayLike<number>} values  NaN: left out
 * @param {Bins} into
 * @param {number[]} percents  ascending
 * @returns {{counts: Int32Array, percentiles: Float64Array[]}}  NaN where a bin has too few values
 */
export function percentilesByBin(at, values, into, percents) {
  const counts = new Int32Array(into.count);
  const place = new Int32Array(at.length).fill(-1);
  const perMs = 1 / (into.width * 1e3);
  let kept = 0;
  for (let i = 0; i < at.length; ++i) {
    if (values[i] !== values[i] || at[i] !== at[i]) continue;
    const bin = Math.min(into.count - 1, Math.max(0, Math.floor(at[i] * perMs)));
    place[i] = bin;
    ++counts[bin];
    ++kept;
  }
  const ends = new Int32Array(into.count);
  for (let b = 0, sum = 0; b < into.count; ++b) {
    ends[b] = sum;
    sum += counts[b];
  }
  const grouped = new Float64Array(kept);
  for (let i = 0; i < at.length; ++i) if (place[i] >= 0) grouped[ends[place[i]]++] = values[i];
  const out = percents.map(() => new Float64Array(into.count).fill(NaN));
  for (let b = 0; b < into.count; ++b) {
    if (counts[b] === 0) continue;
    const found = percentiles(grouped, percents, ends[b] - counts[b], ends[b]);
    percents.forEach((percent, i) => {
      if (counts[b] >= fewest(percent)) out[i][b] = found[i];
    });
  }
  return {counts, percentiles: out};
}

/**
 * @typedef {object} Part  The requests of a part of the run.
 * @property {number} count
 * @property {number} effective  independent observations among them
 * @property {number} value  the percentile
 * @property {number} low  its interval; NaN: not bounded by the sample
 * @property {number} high
 */

/** The highest of P99, P90 and P50 whose interval a sample bounds on both sides. */
function highest(effective, confidence) {
  return [99, 90, 50].find((percent) =>
    percentInterval(percent, effective(percent), confidence).every((end) => end === end)) ?? 50;
}

/**
 * The highest of P99, P90 and P50 that the first and the last quarter of the time can show, with
 * an interval each.
 * @param {ArrayLike<number>} at  ms; @param {ArrayLike<number>} values
 * @param {number} begin  ms; @param {number} end  ms
 * @param {number | ((percent: number) => number)} independent  effective number of observations
 *     divided by their number, 0..1, of all percentiles or of each
 * @returns {{percent: number, first: Part, last: Part, change: "rose" | "fell" | "unclear"} | null}
 *     null if a quarter has no values. "unclear": the intervals overlap or have an open end.
 */
export function quarters(at, values, begin, end, independent, confidence = 0.99) {
  const quarter = (end - begin) / 4;
  const pick = (from, to) => {
    const out = new Float64Array(at.length);
    let n = 0;
    for (let i = 0; i < at.length; ++i)
      if (at[i] >= from && at[i] <= to && values[i] === values[i]) out[n++] = values[i];
    return out.subarray(0, n);
  };
  const early = pick(begin, begin + quarter);
  const late = pick(end - quarter, end);
  const least = Math.min(early.length, late.length);
  if (least === 0 || !(quarter > 0)) return null;
  const share = typeof independent === "function" ? independent : () => independent;
  const percent = highest((each) => Math.max(1, least * share(each)), confidence);
  const part = (kept) => {
    const effective = Math.max(1, kept.length * share(percent));
    const [low, high] = percentInterval(percent, effective, confidence);
    const wanted = [low, percent, high].map((p) => p !== p ? p : Math.min(100, Math.max(0, p)));
    const known = wanted.filter((p) => p === p);
    const found = percentiles(kept, known);
    const of = (p) => p !== p ? NaN : found[known.indexOf(p)];
    return {count: kept.length, effective, value: of(percent), low: of(wanted[0]),
      high: of(wanted[2])};
  };
  const first = part(early);
  const last = part(late);
  const change = last.low > first.high ? "rose" : last.high < first.low ? "fell" : "unclear";
  return {percent, first, last, change};
}
