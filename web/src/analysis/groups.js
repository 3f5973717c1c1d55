// Figures of groups of requests: by class, turn, session, status or server.

import {percentiles} from "./select.js";
import {statusName} from "./status.js";

/**
 * The ways to group requests. `of` returns the key of a request (a number, -1: none), `name` the
 * text of a key.
 */
export const DIMENSIONS = {
  class: {label: "class (LoRA, tenant)", of: (rows, i) => rows.klass[i], name: (key, strings) => strings.class?.[key]},
  turn: {label: "turn of the conversation", of: (rows, i) => rows.turn[i], name: (key) => `turn ${key + 1}`},
  session: {label: "session", of: (rows, i) => rows.session[i], name: (key, strings) => strings.session?.[key]},
  status: {
    label: "outcome", of: (rows, i) => rows.status[i] * 65536 + rows.http[i],
    name: (key) => {
      const http = key % 65536;
      const status = statusName(Math.round((key - http) / 65536));
      return http > 0 ? `${status}, HTTP ${http}` : `${status}, no answer`;
    },
  },
  server: {label: "server", of: (rows, i) => rows.server[i], name: (key, strings) => strings.server?.[key]},
};

/**
 * The group of each request.
 * @returns {{of: Int32Array, keys: number[], counts: number[]}} groups in order of their first
 *   request; of: -1 for a request without a key
 */
export function groupsOf(rows, dimension) {
  const of = new Int32Array(rows.count);
  const places = new Map();
  const keys = [];
  const counts = [];
  for (let i = 0; i < rows.count; ++i) {
    const key = dimension.of(rows, i);
    if (key < 0) {
      of[i] = -1;
      continue;
    }
    let at = places.get(key);
    if (at === undefined) {
      places.set(key, at = keys.length);
      keys.push(key);
      counts.push(0);
    }
    of[i] = at;
    ++counts[at];
  }
  return {of, keys, counts};
}

/** The dimensions in which the requests differ, in their order. */
export function usefulDimensions(rows) {
  return Object.keys(DIMENSIONS).filter((name) => {
    const dimension = DIMENSIONS[name];
    let first = null;
    for (let i = 0; i < rows.count; ++i) {
      const key = dimension.of(rows, i);
      if (key < 0) continue;
      if (first === null) first = key;
      else if (key !== first) return true;
    }
    return false;
  });
}

const percents = [50, 90, 99];

/** The fewest values that show a percentile, 1/(1-q): one of them is beyond it. */
export function fewestOf(percent) {
  return Math.ceil(100 / (100 - percent) - 1e-9);
}

/** Values of the successful requests put together by group, without NaN. */
function byGroup(rows, of, count, values) {
  const offsets = new Uint32Array(count + 1);
  const counts = (i) => of[i] >= 0 && rows.ok(i) && values[i] === values[i];
  for (let i = 0; i < rows.count; ++i) if (counts(i)) ++offsets[of[i] + 1];
  for (let at = 0; at < count; ++at) offsets[at + 1] += offsets[at];
  const next = offsets.slice();
  const sorted = new Float64Array(offsets[count]);
  for (let i = 0; i < rows.count; ++i) if (counts(i)) sorted[next[of[i]]++] = values[i];
  return {sorted, offsets};
}

/**
 * @typedef {object} Group
 * @property {number} key
 * @property {string} name
 * @property {number} n  requests that were sent or due
 * @property {number} failed
 * @property {number} errors  share of failed requests
 * @property {number[]} ttft  P50, P90 and P99 in ms of the successful requests; NaN with fewer values
 *     than fewestOf says
 * @property {number[]} tpot
 * @property {number[]} e2el
 * @property {[number, number]} medianE2el  95 % interval of the median of E2EL from order statistics
 *     (David and Nagaraja 2003, 7.1), which takes the requests as independent
 * @property {[number, number, number]} counts  values behind ttft, tpot and e2el
 * @property {number} speed  output tokens of the successful requests divided by the sum of their
 *     E2EL in seconds; requests divided by that sum if the run has no output tokens
 */

/**
 * The groups of a dimension, the largest first.
 * @returns {Group[]}
 */
export function groupFigures(rows, strings, dimension, most = Infinity) {
  const {of, keys, counts} = groupsOf(rows, dimension);
  const order = keys.map((_, at) => at).sort((a, b) => counts[b] - counts[a] || keys[a] - keys[b]);
  const kept = order.slice(0, most);
  const place = new Int32Array(keys.length).fill(-1);
  kept.forEach((at, to) => { place[at] = to; });
  for (let i = 0; i < of.length; ++i) if (of[i] >= 0) of[i] = place[of[i]];
  const failed = new Float64Array(kept.length);
  const tokens = new Float64Array(kept.length);
  const time = new Float64Array(kept.length);
  const ok = new Float64Array(kept.length);
  let anyTokens = false;
  for (let i = 0; i < rows.count; ++i) {
    if (of[i] < 0) continue;
    if (!rows.ok(i)) {
      ++failed[of[i]];
      continue;
    }
    if (!(rows.e2el[i] > 0)) continue;
    ++ok[of[i]];
    time[of[i]] += rows.e2el[i] / 1000;
    if (rows.output[i] > 0) {
      tokens[of[i]] += rows.output[i];
      anyTokens = true;
    }
  }
  const tables = [rows.ttft, rows.tpot, rows.e2el].map((values) => byGroup(rows, of, kept.length, values));
  return kept.map((at, to) => {
    const [ttft, tpot, e2el] = tables.map(({sorted, offsets}) =>
      percentiles(sorted, percents, offsets[to], offsets[to + 1]).map((value, p) =>
        offsets[to + 1] - offsets[to] < fewestOf(percents[p]) ? NaN : value));
    const [, , {sorted, offsets}] = tables;
    const half = 98 / Math.sqrt(Math.max(1, offsets[to + 1] - offsets[to]));
    const medianE2el = percentiles(sorted, [Math.max(0, 50 - half), Math.min(100, 50 + half)], offsets[to], offsets[to + 1]);
    return {
      medianE2el, key: keys[at], name: String(dimension.name(keys[at], strings) ?? "(unknown)"), n: counts[at],
      failed: failed[to], errors: failed[to] / counts[at], ttft, tpot, e2el,
      counts: tables.map(({offsets}) => offsets[to + 1] - offsets[to]),
      speed: time[to] > 0 ? (anyTokens ? tokens[to] : ok[to]) / time[to] : NaN,
    };
  });
}

/**
 * Jain's fairness index (Jain, Chiu and Hawe 1984), (sum x)^2 / (n * sum x^2): 1 if all values are
 * equal, 1/n if one has everything.
 * @param {ArrayLike<number>} values  NaN is left out
 * @returns {{index: number, n: number}} NaN with fewer than two values or if all are 0
 */
export function fairness(values) {
  let n = 0;
  let sum = 0;
  let squares = 0;
  for (let i = 0; i < values.length; ++i) {
    if (values[i] !== values[i]) continue;
    ++n;
    sum += values[i];
    squares += values[i] * values[i];
  }
  return {index: n < 2 || squares === 0 ? NaN : sum * sum / (n * squares), n};
}
