// Failed requests by kind, phase and time.

import {PHASES, endOf, phaseOf, statusName} from "./status.js";

/**
 * @typedef {object} FailureGroup  Failed requests of the same class, HTTP status and phase.
 * @property {string} status
 * @property {number} http  0: no answer
 * @property {string} phase
 * @property {number} count
 * @property {number} first  the row that failed first
 * @property {number} firstAt  in ms from the start of the run; NaN: no request of the group began
 * @property {number} lastAt
 * @property {number} error  index of the first row's text, -1 if it has none
 * @property {number} texts  number of different texts
 */

/**
 * The groups, the largest first, and the group of each row (-1: it did not fail).
 * @param {import("../data/model.js").Rows} rows
 * @returns {{groups: FailureGroup[], of: Int32Array, failed: number}}
 */
export function failures(rows) {
  const of = new Int32Array(rows.count).fill(-1);
  const byKey = new Map();
  const found = [];
  let failed = 0;
  for (let i = 0; i < rows.count; ++i) {
    if (rows.ok(i)) continue;
    ++failed;
    const phase = phaseOf(rows, i);
    const key = (rows.status[i] * 65536 + rows.http[i]) * 8 + phase;
    let at = byKey.get(key);
    if (at === undefined) {
      at = found.length;
      byKey.set(key, at);
      found.push({status: statusName(rows.status[i]), http: rows.http[i], phase: PHASES[phase], count: 0,
        first: i, firstAt: NaN, lastAt: NaN, error: rows.error[i], seen: new Set()});
    }
    const group = found[at];
    const end = endOf(rows, i);
    ++group.count;
    of[i] = at;
    if (rows.error[i] >= 0 && group.seen.size < 1000) group.seen.add(rows.error[i]);
    if (!(end >= group.firstAt)) {
      if (end === end) {
        group.firstAt = end;
        group.first = i;
        if (rows.error[i] >= 0) group.error = rows.error[i];
      }
    }
    if (!(end <= group.lastAt) && end === end) group.lastAt = end;
  }
  const order = found.map((_, at) => at).sort((a, b) => found[b].count - found[a].count || a - b);
  const place = new Int32Array(found.length);
  order.forEach((at, to) => { place[at] = to; });
  for (let i = 0; i < of.length; ++i) if (of[i] >= 0) of[i] = place[of[i]];
  const groups = order.map((at) => {
    const {seen, ...group} = found[at];
    return {...group, texts: seen.size};
  });
  return {groups, of, failed};
}

/** A name for a group: "timeout, waiting for the first token" or "remote 503, ...". */
export function groupName(group) {
  const what = group.http > 0 && group.http !== 200 ? `${group.status} (HTTP ${group.http})` : group.status;
  return `${what}, ${group.phase}`;
}

/** A step of 1, 2 or 5 times a power of ten of which at most `most` cover `range`. */
export function niceStep(range, most) {
  if (!(range > 0)) return 1;
  const rough = range / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 5, 10].map((n) => n * power).find((n) => n >= rough * (1 - 1e-9));
}

/**
 * Counts of failures over time, a layer for each of the first `most` groups and a layer for the
 * others, and the requests that ended well.
 * @returns {{edges: Float64Array, layers: {label: string, counts: Float64Array}[], ok: Float64Array}}
 *   edges in seconds of the run, one more than counts
 */
export function overTime(rows, {groups, of}, most = 6, bins = 120) {
  let end = 0;
  for (let i = 0; i < rows.count; ++i) {
    const at = endOf(rows, i);
    if (at > end) end = at;
  }
  const step = niceStep(Math.max(end, 1) / 1000, bins);
  const count = Math.max(1, Math.ceil(end / 1000 / step - 1e-9));
  const edges = Float64Array.from({length: count + 1}, (_, at) => at * step);
  const layers = groups.slice(0, most).map((group) => ({label: groupName(group), counts: new Float64Array(count)}));
  if (groups.length > most) layers.push({label: "other failures", counts: new Float64Array(count)});
  const ok = new Float64Array(count);
  for (let i = 0; i < rows.count; ++i) {
    const at = endOf(rows, i);
    if (at !== at) continue;
    const bin = Math.min(count - 1, Math.max(0, Math.floor(at / 1000 / step)));
    if (of[i] < 0) ++ok[bin];
    else ++layers[Math.min(of[i], layers.length - 1)].counts[bin];
  }
  return {edges, layers, ok};
}

/** Upper edges of the layers one above the other: the sums of each layer and the layers before it. */
export function stack(layers) {
  let below = null;
  return layers.map(({label, counts}) => {
    const lower = below ?? new Float64Array(counts.length);
    const upper = counts.map((value, at) => value + lower[at]);
    below = upper;
    return {label, counts, lower, upper};
  });
}

/**
 * How often each finish reason occurs, the most frequent first; "(none)" for requests without it.
 * @param {string[]} texts  the texts of the column
 */
export function finishReasons(rows, texts) {
  const ok = new Map();
  const failed = new Map();
  for (let i = 0; i < rows.count; ++i) {
    const into = rows.ok(i) ? ok : failed;
    into.set(rows.finish[i], (into.get(rows.finish[i]) ?? 0) + 1);
  }
  const all = new Set([...ok.keys(), ...failed.keys()]);
  return [...all]
    .map((at) => ({reason: at < 0 ? "(none)" : texts?.[at] ?? "(unknown)", ok: ok.get(at) ?? 0,
      failed: failed.get(at) ?? 0}))
    .sort((a, b) => b.ok + b.failed - a.ok - a.failed || (a.reason < b.reason ? -1 : 1));
}

/** A text of at most `most` characters, cut between code points, with an ellipsis if it was cut. */
export function cut(text, most) {
  const all = String(text);
  if (all.length <= most) return all;
  let end = most - 1;
  const unit = all.charCodeAt(end - 1);
  if (unit >= 0xd800 && unit < 0xdc00) --end;
  return all.slice(0, end) + "…";
}
