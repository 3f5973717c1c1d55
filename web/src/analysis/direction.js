// Whether a figure is better or worse than that of another run, in words.

import {startFigures} from "./no-rows.js";
import {correctRate} from "./scores.js";

/** Metrics of which more is better, and metrics of which less is better. */
const more = ["request_throughput", "output_throughput", "total_token_throughput",
  "input_sequence_throughput", "request_goodput", "rtfx", correctRate];
const less = ["ttft", "tpot", "itl", "e2el", "ttft_text", "ttft_answer", "ttft_from_due", "e2el_from_due",
  "client_queue_time", ...startFigures];

/** Whether more or less of a metric is better; of others, such as counts, nothing is said. */
export const hasDirection = (metric) => more.includes(metric) || less.includes(metric);

/** A smaller difference is nearly none. */
const LEAST = 0.01;

/**
 * @typedef {object} Side  A figure of a run.
 * @property {number} value
 * @property {number} low  interval of the mean over runs; NaN: none
 * @property {number} high
 * @property {import("./client-effect.js").Effect} effect
 * @property {number} bound  the client's error in ms; NaN: not known
 * @property {string} label  of the run
 */

/**
 * The words for a figure against the same figure of a base.
 * @param {string} metric
 * @param {Side} side
 * @param {Side} base
 * @returns {{kind: "good" | "bad" | "warn" | "", text: string}} an empty text: there is no word
 */
export function directionOf(metric, side, base) {
  const better = more.includes(metric) ? 1 : less.includes(metric) ? -1 : 0;
  const ratio = side.value / base.value;
  if (!(ratio > 0) || !Number.isFinite(ratio)) return {kind: "", text: ""};
  if (better === 0) return {kind: "", text: ratio === 1 ? "equal" : ""};
  const named = (effect) => [base, side].filter((each) => each.effect === effect)
    .map((each) => each.label);
  const bad = named("bad");
  // If only `side` is bad, the text needs no name, because it stands in the column of `side`.
  if (bad.length > 0)
    return {kind: "warn", text: base.effect === "bad" ? `not usable (${bad.join(", ")})` : "not usable"};
  if (side.value === base.value) return {kind: "", text: "equal"};
  if (Math.abs(side.value - base.value) <= base.bound + side.bound)
    return {kind: "", text: "equal within the client's error"};
  if (Math.abs(ratio - 1) < LEAST) return {kind: "", text: "nearly equal"};
  const good = (ratio > 1) === (better > 0);
  const change = ratio > 1 ? (better > 0 ? "higher" : "longer") : better > 0 ? "lower" : "shorter";
  const text = `${good ? "better" : "worse"} (${change})`;
  const warn = named("warn");
  const client = base.effect === "warn" ? `the client of ${warn.join(", ")}` : "its client";
  if (warn.length > 0) return {kind: "warn", text: `${text}, perhaps by ${client}`};
  if (side.low <= base.high && base.low <= side.high)
    return {kind: "", text: `${text}, but the intervals overlap`};
  return {kind: good ? "good" : "bad", text};
}
