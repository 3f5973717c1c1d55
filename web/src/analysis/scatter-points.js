// Points of a scatter: a figure against another, in groups that are coloured differently.

import {statusName} from "./status.js";

/** The ways to colour points. `of` returns an index into the names that `names` makes; -1: other. */
export const COLOURS = {
  none: {label: "one colour", groups: () => ({names: ["requests"], of: () => 0})},
  class: {label: "class", groups: (rows, strings) => byIndex(rows, rows.klass, strings.class ?? [], "no class")},
  server: {label: "server", groups: (rows, strings) => byIndex(rows, rows.server, strings.server ?? [], "no server")},
  cached: {
    label: "cached share of the prompt",
    groups: (rows) => ({
      names: ["nothing cached", "up to a third cached", "up to two thirds cached", "more than two thirds cached", "cached: unknown"],
      of: (i) => {
        if (!(rows.input[i] > 0) || rows.cached[i] < 0) return 4;
        const share = rows.cached[i] / rows.input[i];
        return share <= 0 ? 0 : share <= 1 / 3 ? 1 : share <= 2 / 3 ? 2 : 3;
      },
    }),
  },
  turn: {
    label: "turn of the conversation",
    groups: (rows) => ({
      names: ["turn 1", "turn 2", "turn 3", "turns 4 to 7", "turn 8 and later", "turn: unknown"],
      of: (i) => (rows.turn[i] < 0 ? 5 : rows.turn[i] < 3 ? rows.turn[i] : rows.turn[i] < 7 ? 3 : 4),
    }),
  },
  finish: {label: "finish reason", groups: (rows, strings) => byIndex(rows, rows.finish, strings.finish_reason ?? [], "no reason")},
};

const mostGroups = 6;

/** The most frequent values of a column among the successful requests, the others together. */
function byIndex(rows, indices, texts, none) {
  const counts = new Map();
  for (let i = 0; i < rows.count; ++i) if (rows.ok(i)) counts.set(indices[i], (counts.get(indices[i]) ?? 0) + 1);
  const order = [...counts.keys()].sort((a, b) => counts.get(b) - counts.get(a) || a - b);
  const kept = order.slice(0, order.length > mostGroups ? mostGroups - 1 : mostGroups);
  const place = new Map(kept.map((key, at) => [key, at]));
  const names = kept.map((key) => (key < 0 ? none : String(texts[key] ?? "(unknown)").slice(0, 60)));
  if (order.length > kept.length) names.push(`${order.length - kept.length} others`);
  return {names, of: (i) => place.get(indices[i]) ?? names.length - 1};
}

/** The ways to colour in which the points of a run differ; "none" first. */
export function usefulColours(rows, strings) {
  return Object.keys(COLOURS).filter((name) => {
    if (name === "none") return true;
    const {of} = COLOURS[name].groups(rows, strings);
    let first = null;
    for (let i = 0; i < rows.count; ++i) {
      if (!rows.ok(i)) continue;
      const group = of(i);
      if (first === null) first = group;
      else if (group !== first) return true;
    }
    return false;
  });
}

/**
 * The points of the successful requests that have both values, in groups.
 * @param {ArrayLike<number>} x  negative: unknown
 * @param {Float64Array} y
 * @returns {{groups: {label: string, x: Float64Array, y: Float64Array, rows: Uint32Array}[], x: Float64Array, y: Float64Array}}
 */
export function pointsOf(rows, strings, x, y, colour) {
  const {names, of} = (COLOURS[colour] ?? COLOURS.none).groups(rows, strings);
  const usable = (i) => rows.ok(i) && x[i] >= 0 && y[i] === y[i];
  const counts = new Uint32Array(names.length);
  for (let i = 0; i < rows.count; ++i) if (usable(i)) ++counts[of(i)];
  const total = counts.reduce((sum, count) => sum + count, 0);
  const groups = names.map((label, at) => ({label, x: new Float64Array(counts[at]), y: new Float64Array(counts[at]),
    rows: new Uint32Array(counts[at])}));
  const next = new Uint32Array(names.length);
  const out = {x: new Float64Array(total), y: new Float64Array(total)};
  let n = 0;
  for (let i = 0; i < rows.count; ++i) {
    if (!usable(i)) continue;
    const at = of(i);
    const to = next[at]++;
    groups[at].x[to] = out.x[n] = x[i];
    groups[at].y[to] = out.y[n++] = y[i];
    groups[at].rows[to] = i;
  }
  return {groups: groups.filter((group) => group.x.length > 0), ...out};
}

/**
 * How many requests are left out, and why, as words; "" if none.
 * @param {(n: number) => string} count  the text of a number
 */
export function leftOut(rows, x, y, count) {
  let failed = 0;
  let unknown = 0;
  const kinds = new Set();
  for (let i = 0; i < rows.count; ++i) {
    if (!rows.ok(i)) {
      ++failed;
      kinds.add(statusName(rows.status[i]));
    } else if (!(x[i] >= 0) || y[i] !== y[i]) {
      ++unknown;
    }
  }
  const parts = [];
  if (failed > 0) parts.push(`${count(failed)} failed (${[...kinds].join(", ")})`);
  if (unknown > 0) parts.push(`${count(unknown)} without these values`);
  return parts.length === 0 ? "" : `Not drawn: ${parts.join(", ")}.`;
}
