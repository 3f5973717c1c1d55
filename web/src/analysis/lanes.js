// Puts requests into lanes: a lane holds requests (or conversations) that do not overlap.

import {endOf} from "./status.js";

/** A heap of small numbers ordered by a key, on typed arrays. */
class Heap {
  constructor(capacity, key) {
    this.items = new Int32Array(capacity);
    this.key = key;
    this.size = 0;
  }
  get top() { return this.items[0]; }
  push(item) {
    const {items, key} = this;
    let at = this.size++;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (key[items[parent]] <= key[item]) break;
      items[at] = items[parent];
      at = parent;
    }
    items[at] = item;
  }
  pop() {
    const {items, key} = this;
    const out = items[0];
    const item = items[--this.size];
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= this.size) break;
      if (child + 1 < this.size && key[items[child + 1]] < key[items[child]]) ++child;
      if (key[item] <= key[items[child]]) break;
      items[at] = items[child];
      at = child;
    }
    items[at] = item;
    return out;
  }
}

/** A text of at most `most` characters: what is too long is cut in the middle, where names differ least. */
export function cutMiddle(text, most) {
  const all = String(text);
  if (all.length <= most) return all;
  const end = Math.floor((most - 1) / 2);
  return `${all.slice(0, most - 1 - end)}…${all.slice(all.length - end)}`;
}

/** The number of characters with which all texts begin. */
function commonPrefix(texts) {
  let length = texts[0].length;
  for (const text of texts) {
    let at = 0;
    while (at < length && text[at] === texts[0][at]) ++at;
    length = at;
  }
  return length;
}

/**
 * Short texts for the names of lanes that stay different. If a name is too long, the beginning that
 * all have in common is left out, and what is still too long is cut in the middle.
 * @param {ArrayLike<string>} names
 * @returns {string[]} at most `most` characters each; a number if the cut names were alike
 */
export function shortNames(names, most = 14) {
  const all = Array.from(names, String);
  if (all.every((name) => name.length <= most)) return all;
  const different = (texts) => new Set(texts).size === new Set(all).size;
  const prefix = all.length > 1 ? commonPrefix(all) : 0;
  // The digits of a number stay together, so that "12" does not become "2".
  let whole = prefix;
  while (whole > 0 && /[0-9]/.test(all[0][whole - 1])) --whole;
  for (const from of [whole, prefix]) {
    const cut = all.map((name) => cutMiddle(name.slice(from) || name, most));
    if (different(cut)) return cut;
  }
  return all.map((_, at) => `#${at + 1}`);
}

/** The orders in which lanes can be shown. `largest`: the largest value comes first. */
export const ORDERS = {
  start: {label: "start", largest: false, of: (rows, i) => rows.start[i]},
  duration: {label: "duration", largest: true, of: (rows, i) => endOf(rows, i) - rows.start[i]},
  ttft: {label: "time to first token", largest: true, of: (rows, i) => rows.ttft[i]},
  gap: {label: "longest gap", largest: true, of: (rows, i) => rows.longestGap[i]},
};

/**
 * The indices 0..count-1 ordered by a key; NaN comes last, equal keys keep their order.
 * @param {Float64Array} keys
 */
export function orderBy(keys, largest) {
  const out = new Uint32Array(keys.length);
  for (let i = 0; i < out.length; ++i) out[i] = i;
  const worth = Float64Array.from(keys, (key) => (key !== key ? Infinity : largest ? -key : key));
  // Starts are nearly in order, and insertion needs only a few moves for them.
  let moves = 8 * out.length;
  for (let i = 1; i < out.length && moves > 0; ++i) {
    const item = out[i];
    let at = i;
    for (; at > 0 && worth[out[at - 1]] > worth[item] && moves > 0; --at, --moves) out[at] = out[at - 1];
    out[at] = item;
  }
  return moves > 0 ? out : out.sort((a, b) => {
    const x = worth[a];
    const y = worth[b];
    return x < y ? -1 : x > y ? 1 : a - b;
  });
}

/**
 * The units that are put into lanes: with `nested` the requests of a session that follow each other
 * are a unit, and requests of a session that overlap are units of their own; otherwise each request
 * is a unit. Requests that never began are in no unit.
 * @returns {{count: number, of: Int32Array, session: Int32Array, begin: Float64Array, end: Float64Array}}
 *   of: the unit of each request, -1 if it is in none; session: of each unit, -1 if it has none
 */
export function unitsOf(rows, nested, shown) {
  const of = new Int32Array(rows.count).fill(-1);
  const session = new Int32Array(rows.count).fill(-1);
  const begin = new Float64Array(rows.count);
  const end = new Float64Array(rows.count);
  const bySession = new Map();
  let count = 0;
  for (const i of orderBy(rows.start, false)) {
    const start = rows.start[i];
    if (start !== start || (shown && !shown[i])) continue;
    const own = nested ? rows.session[i] : -1;
    let units = own >= 0 ? bySession.get(own) : undefined;
    if (own >= 0 && units === undefined) bySession.set(own, units = []);
    let unit = units?.find((each) => end[each] <= start);
    if (unit === undefined) {
      unit = count++;
      units?.push(unit);
      session[unit] = own;
      begin[unit] = Math.min(start, rows.due[i] === rows.due[i] ? rows.due[i] : start);
    }
    end[unit] = endOf(rows, i);
    of[i] = unit;
  }
  return {count, of, session: session.subarray(0, count), begin: begin.subarray(0, count), end: end.subarray(0, count)};
}

/** The key by which each unit is ordered: the best of its requests, or of those of its session. */
function keysOf(rows, units, by) {
  const keys = new Float64Array(units.count).fill(NaN);
  const best = new Map();
  const better = (key, than) => than !== than || (by.largest ? key > than : key < than);
  for (let i = 0; i < rows.count; ++i) {
    const unit = units.of[i];
    if (unit < 0) continue;
    const key = by.of(rows, i);
    if (key !== key) continue;
    const session = units.session[unit];
    if (session < 0) keys[unit] = key;
    else if (better(key, best.get(session) ?? NaN)) best.set(session, key);
  }
  for (let unit = 0; unit < keys.length; ++unit) if (units.session[unit] >= 0) keys[unit] = best.get(units.session[unit]) ?? NaN;
  return keys;
}

/**
 * The fewest lanes in which no two units overlap: each unit, in order of its begin, takes the free
 * lane with the smallest number (greedy colouring of an interval graph, which is optimal).
 * @returns {{lanes: number, of: Int32Array}}
 */
export function pack(begin, end) {
  const order = orderBy(begin, false);
  const of = new Int32Array(begin.length);
  const free = new Float64Array(begin.length);  // when a lane gets free
  const number = new Float64Array(begin.length);
  for (let i = 0; i < number.length; ++i) number[i] = i;
  const busy = new Heap(begin.length, free);
  const idle = new Heap(begin.length, number);
  let lanes = 0;
  for (const unit of order) {
    while (busy.size > 0 && free[busy.top] <= begin[unit]) idle.push(busy.pop());
    const lane = idle.size > 0 ? idle.pop() : lanes++;
    of[unit] = lane;
    free[lane] = Math.max(end[unit], begin[unit]);
    busy.push(lane);
  }
  return {lanes, of};
}

/**
 * @typedef {object} Layout
 * @property {number} lanes number of lanes
 * @property {Uint32Array} requests the requests lane by lane, in order of their start within a lane;
 *   no two requests of a lane overlap
 * @property {Uint32Array} offsets lanes + 1 places in `requests`
 * @property {Int32Array} lane the lane of each request; -1: not shown
 */

/**
 * @param {import("../data/model.js").Rows} rows
 * @param {{order?: string, packed?: boolean, nested?: boolean, shown?: Uint8Array | null}} how
 *   packed: several units share a lane (only in the order of start)
 * @returns {Layout}
 */
export function layOut(rows, {order = "start", packed = false, nested = true, shown = null} = {}) {
  const units = unitsOf(rows, nested, shown);
  const by = ORDERS[order] ?? ORDERS.start;
  let lanes = units.count;
  let laneOf;
  if (packed && order === "start") {
    ({lanes, of: laneOf} = pack(units.begin, units.end));
  } else {
    const keys = keysOf(rows, units, by);
    const sorted = orderBy(keys, by.largest);
    laneOf = new Int32Array(units.count);
    for (let at = 0; at < sorted.length; ++at) laneOf[sorted[at]] = at;
  }
  const lane = units.of;
  const offsets = new Uint32Array(lanes + 1);
  for (let i = 0; i < lane.length; ++i) {
    if (lane[i] < 0) continue;
    lane[i] = laneOf[lane[i]];
    ++offsets[lane[i] + 1];
  }
  for (let at = 0; at < lanes; ++at) offsets[at + 1] += offsets[at];
  const next = offsets.slice();
  const requests = new Uint32Array(offsets[lanes]);
  for (const i of orderBy(rows.start, false)) if (lane[i] >= 0) requests[next[lane[i]]++] = i;
  return {lanes, requests, offsets, lane};
}
