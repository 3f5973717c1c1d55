// What a request did with its time, in a sentence.

import {cutMiddle} from "./lanes.js";
import {percentilesOf} from "./select.js";
import {endOf, phaseOf, PHASES, statusName} from "./status.js";

/**
 * The durations of the phases of a request in ms; NaN: the request did not reach it.
 * @param {import("../data/model.js").Rows} rows
 */
export function phasesOf(rows, i) {
  const start = rows.start[i];
  const sent = rows.sent[i] === rows.sent[i] ? Math.max(start, rows.sent[i]) : NaN;
  const first = rows.first[i];
  return {
    queue: Math.max(0, start - rows.due[i]), connect: sent - start, prefill: first - (sent === sent ? sent : start),
    decode: rows.last[i] - first, whole: (rows.ok(i) && rows.e2el[i] === rows.e2el[i] ? rows.e2el[i] : endOf(rows, i) - start),
  };
}

/** The number of request `i`, with its turn and session if it has a session. */
export function nameOf(rows, strings, i) {
  const session = rows.session[i] >= 0 ? strings.session?.[rows.session[i]] : undefined;
  const number = String(rows.sequence[i]);
  return session === undefined ? number : `${number} (turn ${rows.turn[i] + 1} of ${cutMiddle(session, 40)})`;
}

/**
 * Where most of the time of request `i` went.
 * @param {(ms: number) => string} ms  the text of a time
 */
export function readingOf(rows, i, ms) {
  const of = phasesOf(rows, i);
  if (!rows.ok(i)) {
    const http = rows.http[i] > 0 ? ` with HTTP ${rows.http[i]}` : "";
    const after = of.whole === of.whole ? ` after ${ms(of.whole)}` : "";
    return `failed${http} (${statusName(rows.status[i])})${after}, ${PHASES[phaseOf(rows, i)]}`;
  }
  if (!(of.prefill >= 0)) return `took ${ms(of.whole)} for an answer that came whole`;
  const gap = rows.longestGap[i];
  if (of.connect > of.prefill && of.connect > of.decode)
    return `spent ${ms(of.connect)} of its ${ms(of.whole)} on connecting and sending`;
  if (!(of.decode > of.prefill)) return `waited ${ms(of.prefill)} of its ${ms(of.whole)} for its first token`;
  if (gap > 0.25 * of.decode && gap > 2 * of.prefill)
    return `stood still for ${ms(gap)} of its ${ms(of.whole)} between two tokens`;
  const tokens = rows.output[i] > 0 ? ` for ${rows.output[i]} tokens` : "";
  return `spent ${ms(of.decode)} of its ${ms(of.whole)} on its answer${tokens}, the longest gap ${ms(gap)}`;
}

/** The row with the largest value of `values` among those that `keep` accepts; -1: there is none. */
export function largest(values, keep = () => true) {
  let best = -1;
  for (let i = 0; i < values.length; ++i)
    if (values[i] === values[i] && (best < 0 || values[i] > values[best]) && keep(i)) best = i;
  return best;
}

/** Medians of the successful requests, against which a single request is compared. */
export function mediansOf(rows) {
  const ok = (values) => values.map((value, i) => (rows.ok(i) ? value : NaN));
  const median = (values) => percentilesOf(ok(values), [50])[0];
  return {ttft: median(rows.ttft), e2el: median(rows.e2el), tpot: median(rows.tpot), gap: median(rows.longestGap)};
}

/**
 * The slowest successful request in a sentence; null if no request succeeded.
 * @returns {{row: number, text: string} | null}
 */
export function slowest(rows, strings, ms) {
  const row = largest(rows.e2el, (i) => rows.ok(i));
  if (row < 0) return null;
  const median = mediansOf(rows).e2el;
  const name = nameOf(rows, strings, row);
  const beside = rows.count > 1 ? ` The median request took ${ms(median)}.` : "";
  return {row, text: `The slowest request, number ${name}, ${readingOf(rows, row, ms)}.${beside}`};
}

/** The time (ms) in the middle of the longest part of request `i`: its wait or its answer. */
export function middleOf(rows, i) {
  const {prefill, decode} = phasesOf(rows, i);
  const first = rows.first[i];
  if (first !== first) return (rows.start[i] + endOf(rows, i)) / 2;
  return decode > prefill ? first + decode / 2 : first - prefill / 2;
}

/** The sum of the series `name` of all sources at the scrape nearest to `at` seconds; NaN: not known. */
function sumAt(series, name, at) {
  const reach = series.interval_s > 0 ? 1.5 * series.interval_s : Infinity;
  let sum = NaN;
  for (const source of series.sources ?? []) {
    const lines = (source.series ?? []).filter((line) => line.name === name);
    if (lines.length === 0) continue;
    const times = source.at_s ?? [];
    let best = -1;
    for (let k = 0; k < times.length; ++k)
      if (best < 0 || Math.abs(times[k] - at) < Math.abs(times[best] - at)) best = k;
    if (best < 0 || Math.abs(times[best] - at) > reach) return NaN;
    for (const line of lines) {
      const value = line.values?.[best];
      // A sum without one of the servers would be too small.
      if (typeof value !== "number") return NaN;
      sum = (sum === sum ? sum : 0) + value;
    }
  }
  return sum;
}

/**
 * What the servers said about the time `at`.
 * @param {object | undefined} series  facts.series
 * @param {number} at  ms from the start of the run
 * @param {import("../ui/index.js").Format} format
 * @returns {string} a sentence, "" if they said nothing
 */
export function serverAt(series, at, format) {
  if (!series || !(at >= 0)) return "";
  const told = [["running", "ran"], ["waiting", "waited"]].map(([name, verb]) => ({verb, value: sumAt(series, name, at / 1e3)}))
    .filter(({value}) => value === value);
  if (told.length === 0) return "";
  const [first, second] = told.map(({verb, value}, k) =>
    `${format.count(value)}${k === 0 ? ` ${value === 1 ? "request" : "requests"}` : ""} ${verb}`);
  return `At ${format.time(at / 1e3)} ${second ? `${first} and ${second}` : first} in the server.`;
}
