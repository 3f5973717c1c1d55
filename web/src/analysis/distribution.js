// Distribution of a latency: the values of a metric, its curve at as many places as a chart can
// show, and the confidence band.
import {bandHalf, shareInterval} from "./binomial.js";

/** @typedef {import("../data/model.js").Run} Run */

/** The metrics that can be chosen; `figure` is the name in the result file. */
export const METRICS = [
  {value: "ttft", label: "Time to first token (TTFT)", short: "TTFT"},
  {value: "tpot", label: "Time per output token (TPOT)", short: "TPOT"},
  {value: "itl", label: "Inter-token latency (ITL)", short: "ITL"},
  {value: "e2el", label: "End-to-end latency (E2EL)", short: "E2EL"},
];

/**
 * A sample: `sorted` values with the number of values up to each of them. From a histogram, the
 * value is the upper edge of a bin.
 * @typedef {object} Sample
 * @property {Float64Array} sorted
 * @property {Float64Array} upTo  cumulative counts; the last one is `count`
 * @property {number} count
 * @property {boolean} grouped  true: the values are edges of a histogram
 */

const empty = () => ({sorted: new Float64Array(0), upTo: new Float64Array(0), count: 0,
  grouped: false});

/** @param {Float64Array} values no NaN; sorted in place @returns {Sample} */
export function sampleOf(values) {
  values.sort();
  const upTo = new Float64Array(values.length);
  for (let i = 0; i < upTo.length; ++i) upTo[i] = i + 1;
  return {sorted: values, upTo, count: values.length, grouped: false};
}

/** @returns {Sample} @param {{edges_ms: number[], counts: number[]}} histogram */
export function sampleOfHistogram(histogram) {
  const edges = histogram?.edges_ms ?? [];
  const counts = histogram?.counts ?? [];
  const values = [];
  const upTo = [];
  let sum = 0;
  for (let i = 0; i < counts.length; ++i) {
    if (!(counts[i] > 0)) continue;
    sum += counts[i];
    values.push(edges[Math.min(i + 1, edges.length - 1)]);
    upTo.push(sum);
  }
  return {sorted: Float64Array.from(values), upTo: Float64Array.from(upTo), count: sum,
    grouped: true};
}

/** The sample of a metric in a run whose rows have been read; successful requests only.
 *  @param {Run} run @returns {Sample} */
export function sampleOfRun(run, metric) {
  const rows = run.rows;
  if (!rows) return empty();
  if (metric === "itl") {
    const kind = run.gaps?.kind ?? "none";
    if (kind === "some") return sampleOfHistogram(run.gaps.histogram);
    if (kind !== "all") return empty();
    let total = 0;
    for (let i = 0; i < rows.count; ++i)
      if (rows.ok(i)) total += rows.gapsOf(i)?.length ?? 0;
    const all = new Float64Array(total);
    let n = 0;
    for (let i = 0; i < rows.count; ++i) {
      if (!rows.ok(i)) continue;
      const gaps = rows.gapsOf(i);
      if (gaps === null) continue;
      all.set(gaps, n);
      n += gaps.length;
    }
    return sampleOf(all);
  }
  const values = rows[metric];
  const kept = new Float64Array(rows.count);
  let n = 0;
  for (let i = 0; i < rows.count; ++i)
    if (rows.ok(i) && values[i] === values[i]) kept[n++] = values[i];
  return sampleOf(kept.slice(0, n));
}

/**
 * How many independent observations a sample has.
 * @param {any} facts facts of the run
 * @param {number | null} percent the percentile of which something is said; null: the whole
 *     distribution, for which the smallest number that the program found is taken
 * @returns {{count: number, known: boolean, confidence: number}}
 *     known: the program computed the number; otherwise it is the count
 */
export function independent(facts, metric, count, percent = null) {
  const certainty = facts?.certainty;
  const own = certainty?.figures?.[metric];
  const confidence = certainty?.confidence > 0 && certainty.confidence < 1 ? certainty.confidence
    : 0.99;
  // The program's number belongs to its own count, which may differ from the rows' count.
  const each = (own?.percentiles ?? []).find((one) => Number(one?.percentile) === percent)?.effective_count;
  const all = [own?.effective_count, ...(own?.percentiles ?? []).map((one) => one?.effective_count)]
    .filter((n) => n > 0);
  const effective = each > 0 ? each : Math.min(...all);
  if (effective > 0 && Number.isFinite(effective) && own.count > 0)
    return {count: Math.min(count, count * effective / own.count), known: true, confidence};
  return {count, known: false, confidence};
}

/** A number of independent observations as it is shown: rounded down, but at least the one there is. */
export function wholeEffective(count) {
  return Math.max(1, Math.floor(count + 1e-9));
}

/**
 * The places of a curve at which it is drawn: as many in the body as in each tenth of the tail, so
 * that both a linear and a logarithmic axis of shares look whole. First and last are included.
 * @param {number} length @returns {Int32Array} ascending indices
 */
export function places(length, each = 250) {
  if (length <= 0) return new Int32Array(0);
  const chosen = new Set([0, length - 1]);
  for (let i = 0; i <= each; ++i) {
    chosen.add(Math.round(i / each * (length - 1)));
    // The i-th place from the end, by powers of ten.
    chosen.add(length - Math.max(1, Math.round(length ** (i / each))));
  }
  return Int32Array.from(chosen).sort();
}

/** Up to this number of different values each of them is a step of the curve. */
const mostSteps = 200_000;

/**
 * The steps of the distribution function and of the tail. If there are more than `most` different
 * values, those are left out between which a share changes by less than a pixel can show (1/4000).
 * @param {Sample} sample
 * @returns {{x: Float64Array, share: Float64Array, over: Float64Array}} different values in order;
 *     share: part of values up to x, valid from x to the next value. over: part of values of at least
 *     x, valid from the value before up to x; so the largest value has 1/n, not 0
 */
export function stepsOf(sample, most = mostSteps) {
  const {sorted, upTo, count} = sample;
  let n = 0;
  for (let i = 0; i < sorted.length; ++i) if (i === 0 || sorted[i] !== sorted[i - 1]) ++n;
  const x = new Float64Array(n);
  const share = new Float64Array(n);
  const over = new Float64Array(n);
  for (let i = 0, at = -1; i < sorted.length; ++i) {
    if (i === 0 || sorted[i] !== sorted[i - 1]) {
      x[++at] = sorted[i];
      over[at] = (count - (i === 0 ? 0 : upTo[i - 1])) / count;
    }
    share[at] = upTo[i] / count;
  }
  if (n <= most) return {x, share, over};
  const kept = places(n, 4000);
  const pick = (list) => Float64Array.from(kept, (at) => list[at]);
  return {x: pick(x), share: pick(share), over: pick(over)};
}

/**
 * The bounds of a sample's curve.
 * @param {Sample} sample @param {{count: number, confidence: number}} sure
 * @returns {{x: Float64Array, share: Float64Array, over: Float64Array, low: Float64Array,
 *     high: Float64Array, overLow: Float64Array, overHigh: Float64Array}}
 *     share: part of values up to x; low, high: band of the whole curve (DKW). over: part of values
 *     of at least x (so the largest value has 1/n, not 0); overLow, overHigh: interval at each x.
 */
export function curve(sample, sure) {
  const steps = stepsOf(sample, Infinity);
  const at = places(steps.x.length);
  const n = at.length;
  const half = bandHalf(sure.count, sure.confidence);
  const out = {x: new Float64Array(n), share: new Float64Array(n), over: new Float64Array(n),
    low: new Float64Array(n), high: new Float64Array(n), overLow: new Float64Array(n),
    overHigh: new Float64Array(n)};
  for (let j = 0; j < n; ++j) {
    const i = at[j];
    const share = steps.share[i];
    const over = steps.over[i];
    out.x[j] = steps.x[i];
    out.share[j] = share;
    out.over[j] = over;
    out.low[j] = Math.max(0, share - half);
    out.high[j] = Math.min(1, share + half);
    const [low, high] = shareInterval(over * sure.count, sure.count, sure.confidence);
    out.overLow[j] = low;
    out.overHigh[j] = high;
  }
  return out;
}

/** The number of values over a limit. @param {Sample} sample */
export function countOver(sample, limit) {
  let low = 0;
  let high = sample.sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sample.sorted[middle] <= limit) low = middle + 1;
    else high = middle;
  }
  return sample.count - (low === 0 ? 0 : sample.upTo[low - 1]);
}

/** The value below which `percent` of the sample lie (numpy's definition); NaN: no values. */
export function percentile(sample, percent) {
  if (sample.count === 0) return NaN;
  const rank = percent / 100 * (sample.count - 1);
  const valueAt = (k) => {  // the k-th value, from 0
    let low = 0;
    let high = sample.upTo.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (sample.upTo[middle] > k) high = middle;
      else low = middle + 1;
    }
    return sample.sorted[low];
  };
  const below = Math.floor(rank);
  const value = valueAt(below);
  return rank === below ? value : value + (valueAt(below + 1) - value) * (rank - below);
}

/** The goals about a latency that facts.thresholds holds for a metric, in ms. */
export function goalsFor(facts, metric) {
  const scale = {ms: 1, s: 1000, us: 0.001, "µs": 0.001};
  return (Array.isArray(facts?.thresholds) ? facts.thresholds : []).filter((goal) =>
    goal?.figure === metric && Number.isFinite(goal.limit) && scale[goal.unit ?? "ms"] !== undefined)
    .map((goal) => ({...goal, limitMs: goal.limit * scale[goal.unit ?? "ms"]}));
}
