// What a request did from its due time to its end, as segments of the swim lanes.

import {endOf} from "./status.js";

/** The kinds of segments. A larger number wins where several segments share a pixel. */
export const KIND = {wait: 0, queue: 1, connect: 2, prefill: 3, answer: 4, low: 5, mid: 6, high: 7, failed: 8};
export const KINDS = Object.keys(KIND);

/**
 * The class of a gap: 0 below the first limit, 2 at or above the second (a limit belongs to the
 * class above it, as in `vllm bench serve --plot-timeline`).
 * @param {number[]} limits two times in ms
 */
export function gapClass(gap, limits) {
  return gap < limits[0] ? 0 : gap < limits[1] ? 1 : 2;
}

/** The classes of a request's gaps by their counts: the worst class that occurs, or -1 without gaps. */
export function worstClass(rows, i) {
  const [low, mid, high] = rows.gapCounts;
  return high[i] > 0 ? 2 : mid[i] > 0 ? 1 : low[i] > 0 ? 0 : -1;
}

/**
 * Calls visit(kind, from, to) for each segment of request `i` in order of time; times in ms from
 * the start of the run. Returns at once when visit returns true.
 * A request whose gaps are not kept (or `whole`) has one decode segment of its worst class.
 * @param {import("../data/model.js").Rows} rows
 * @param {number[]} limits
 * @param {(kind: number, from: number, to: number) => (boolean | void)} visit
 */
export function forEachSegment(rows, i, limits, visit, whole = false) {
  const start = rows.start[i];
  const end = endOf(rows, i);
  if (start !== start) return;
  if (rows.due[i] < start && visit(KIND.queue, rows.due[i], start)) return;
  const sent = rows.sent[i] === rows.sent[i] ? Math.max(rows.sent[i], start) : NaN;
  const failed = !rows.ok(i);
  let at = start;
  if (sent > start) {
    if (visit(KIND.connect, start, sent)) return;
    at = sent;
  } else if (sent !== sent) {
    visit(failed ? KIND.failed : KIND.answer, start, end);
    return;
  }
  const first = rows.first[i];
  if (first !== first) {
    visit(failed ? KIND.failed : KIND.answer, at, end);
    return;
  }
  if (first > at && visit(KIND.prefill, at, first)) return;
  at = Math.max(first, at);
  const last = rows.last[i] === rows.last[i] ? rows.last[i] : at;
  const gaps = whole ? null : rows.gapsOf(i);
  if (gaps !== null && gaps.length > 0) {
    for (let g = 0; g < gaps.length; ++g) {
      const to = at + gaps[g];
      if (gaps[g] > 0 && visit(KIND.low + gapClass(gaps[g], limits), at, to)) return;
      at = to;
    }
  } else if (last > at) {
    const worst = worstClass(rows, i);
    if (visit(worst < 0 ? KIND.answer : KIND.low + worst, at, last)) return;
    at = last;
  }
  if (failed && end > at) visit(KIND.failed, at, end);
}

/** The segment of request `i` under time `when`, give or take `reach`; null if there is none. */
export function segmentAt(rows, i, limits, when, reach) {
  let best = null;
  let away = Infinity;
  forEachSegment(rows, i, limits, (kind, from, to) => {
    const distance = when < from ? from - when : when > to ? when - to : 0;
    // <= so that a later segment wins at a common edge, and a narrow one can be hit
    if (distance <= reach && distance <= away) {
      away = distance;
      best = {kind, from, to};
    }
    return from > when + reach;
  });
  return best;
}
