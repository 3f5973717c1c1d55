// The differences between the runs of a page: the main figures of each side, and which of them the
// client spoiled.
import {isBounded} from "./certainty.js";
import {boundOf, effectOn, worst} from "./client-effect.js";
import {directionOf} from "./direction.js";
import {startFigures} from "./no-rows.js";
import {correctRate} from "./scores.js";
import {columnsOfPoints, columnsOfRuns, figures, hasRepeats, ratio} from "./side-by-side.js";

/**
 * @typedef {import("../data/model.js").Report} Report
 * @typedef {import("./side-by-side.js").Column} Column
 * @typedef {import("./side-by-side.js").Figure} Figure
 */

/** More sides are a sweep: their figures have no column each. */
export const mostSides = 4;

/** The sides of a page: its points if they repeat a setting, otherwise its runs. @returns {Column[]} */
export const sidesOf = (report) => hasRepeats(report) ? columnsOfPoints(report) : columnsOfRuns(report);

/** The number of sides. */
export const sideCount = (report) => (hasRepeats(report) ? report.points : report.runs).length;

/** The runs of a side. @param {Report} report @param {Column} side @returns {import("../data/model.js").Run[]} */
export const runsOfSide = (report, side) => side.runs.map((i) => report.runs[i]).filter(Boolean);

const throughputs = ["request_throughput", "output_throughput"];
const latencies = ["ttft", "tpot", "e2el"];

/** P99, or the highest percentile. */
function tailOf(all, metric) {
  const percentile = ({key}) => Number(/\.p([\d.]+)$/.exec(key)?.[1] ?? NaN);
  const found = all.filter((figure) => figure.metric === metric && percentile(figure) > 50);
  return found.find((figure) => percentile(figure) === 99) ??
    found.sort((a, b) => percentile(b) - percentile(a))[0];
}

/**
 * The main figures: throughput of requests and output tokens, the share of right answers, median and
 * P99 of TTFT, TPOT and E2EL, and the mean times of starts, those that a side has. A run has a few
 * starts, so their percentiles say nothing more.
 * @param {Report} report @param {Column[]} sides @returns {Figure[]}
 */
export function mainFigures(report, sides) {
  const all = figures(report.runs);
  const of = (key) => all.find((figure) => figure.key === key);
  return [...throughputs.map(of), of(correctRate), ...startFigures.map((metric) => of(`${metric}.mean`)),
    ...latencies.flatMap((metric) =>
      [of(`${metric}.median`) ?? of(`${metric}.p50`) ?? of(`${metric}.mean`), tailOf(all, metric)])]
    .filter((figure) => figure !== undefined &&
      sides.some((side) => Number.isFinite(side.cells.get(figure.key)?.value)));
}

/**
 * A figure of a side with what the client may have done to it. A side of several runs has the worst
 * effect and the largest bound of its runs.
 * @param {Report} report @param {Column} side @param {Figure} figure
 * @returns {import("./direction.js").Side & {uncertain: boolean, errorUnknown: boolean}}
 *   uncertain: too few independent requests bound it; errorUnknown: the client was not good enough
 *   for VALID, and its effect on this figure is not known
 */
export function sideOf(report, side, figure) {
  const {value = NaN, low = NaN, high = NaN} = side.cells.get(figure.key) ?? {};
  const runs = runsOfSide(report, side);
  const clients = runs.map((run) => run.facts?.client);
  const bounds = clients.map((client) => boundOf(client, figure));
  const effect = worst(clients.map((client) => effectOn(client, figure, value)));
  return {value, low, high, label: side.label, bound: Math.max(...bounds), effect,
    uncertain: runs.some((run) => !isBounded(run, figure)),
    errorUnknown: effect === "unknown" && clients.some((client) =>
      client?.verdict === "SUSPECT" || client?.verdict === "INVALID")};
}

/**
 * A figure on each side, with its ratio to the base and the words for it.
 * @param {Report} report @param {Column[]} sides @param {number} base @param {Figure} figure
 */
export function compared(report, sides, base, figure) {
  const all = sides.map((side) => sideOf(report, side, figure));
  return all.map((side, i) => ({...side,
    ratio: i === base ? {value: NaN, low: NaN, high: NaN}
      : ratio(sides[i].cells.get(figure.key), sides[base].cells.get(figure.key)),
    word: i === base ? {kind: "", text: ""} : directionOf(figure.metric, side, all[base])}));
}

/**
 * The lowest and the highest value of a figure among many sides, without values that the client
 * made unusable; null: no side has a usable value.
 * @param {Report} report @param {Column[]} sides @param {Figure} figure
 */
export function rangeOf(report, sides, figure) {
  const known = sides.map((side) => sideOf(report, side, figure))
    .filter(({value}) => Number.isFinite(value));
  const usable = known.filter(({effect}) => effect !== "bad");
  if (usable.length === 0) return null;
  const by = [...usable].sort((a, b) => a.value - b.value);
  return {low: by[0], high: by[by.length - 1], left: known.length - usable.length};
}
