// The frontier of a sweep: throughput against what a user notices, point by point.
import {offeredAndServed, plannedRate} from "./load.js";
import {cellOfPoint, pointLabel, settingText} from "./side-by-side.js";

/** @typedef {import("../data/model.js").Report} Report */

/** Offered load may exceed served load by this share before a point counts as unstable. */
export const UNSTABLE = 0.05;

/** How a user's side can be measured. `better`: whether more or less is better. */
export const SIDES = [
  {value: "speed", label: "Output tokens/s per user (1000 / TPOT)",
    short: "token/s per user", unit: "token/s",
    better: "more"},
  {value: "ttft", label: "P99 time to first token", short: "P99 TTFT", unit: "ms", better: "less"},
  {value: "e2el", label: "P99 end-to-end latency", short: "P99 E2EL", unit: "ms", better: "less"},
];

const gpuNames = ["gpus", "gpu_count", "num_gpus", "gpu-count", "num-gpus", "n_gpus"];

/** The number of GPUs of a point, from its axes or the run's --metadata; NaN: not given. */
export function gpusOf(point, runs) {
  const sources = [point.axes, ...runs.map((run) => run?.description?.metadata)];
  for (const source of sources) {
    if (source === null || typeof source !== "object") continue;
    for (const [key, value] of Object.entries(source)) {
      if (!gpuNames.includes(key.toLowerCase())) continue;
      const count = Number(value);
      if (count > 0 && Number.isFinite(count)) return count;
    }
  }
  return NaN;
}

/** The points of a report; runs without points are points of their own. @param {Report} report */
export function pointsOf(report) {
  if ((report.points ?? []).length > 0) return report.points;
  return report.runs.map((run, i) => ({axes: run.axes ?? {}, runs: [i]}));
}

const first = (cells) => cells.find((cell) => cell.value === cell.value) ??
  {value: NaN, low: NaN, high: NaN, count: 0};

/** The user's side of a point as a cell. */
export function sideOf(report, point, side) {
  if (side !== "speed")
    return first([cellOfPoint(report, point, `${side}.p99`)]);
  const tpot = first([cellOfPoint(report, point, "tpot.median"),
    cellOfPoint(report, point, "tpot.p50"), cellOfPoint(report, point, "tpot.mean")]);
  const turned = (v) => v > 0 ? 1000 / v : NaN;
  return {value: turned(tpot.value), low: turned(tpot.high), high: turned(tpot.low),
    count: tpot.count};
}

/**
 * Offered and served requests per second of a run: by the steady window if the program found it,
 * else in the second half of the schedule if the rows have been read.
 * @returns {{offered: number, served: number}} NaN: unknown, or the answers decide the rate
 */
export function loadOf(run) {
  const offered = plannedRate(run);
  if (offered === null) return {offered: NaN, served: NaN};
  const steady = run.facts?.steady;
  const served = steady?.found ? steady.figures?.request_throughput : undefined;
  if (typeof served === "number") return {offered, served};
  if (!run.rows || run.rows.count < 2) return {offered, served: NaN};
  const seen = offeredAndServed(run.rows);
  return {offered: seen.offered, served: seen.served};
}

/**
 * @typedef {object} Place  A point of the chart.
 * @property {number} index
 * @property {string} setting
 * @property {object} axes  value by the name of the axis
 * @property {string} group  the axes that do not vary along a line
 * @property {number[]} runs
 * @property {import("./side-by-side.js").Cell} x
 * @property {import("./side-by-side.js").Cell} y
 * @property {number} gpus
 * @property {number} offered
 * @property {number} served
 * @property {"stable"|"unstable"|"unknown"|"closed"} state  closed: the answers decide the rate
 * @property {boolean} pareto
 */

/**
 * Marks the points for which no other point is at least as good on both sides and better on one.
 * @param {{x: number, y: number}[]} places  NaN: never on the line
 * @param {"more"|"less"} better  for x; more is better for y
 * @returns {boolean[]}
 */
export function pareto(places, better) {
  const sign = better === "more" ? 1 : -1;
  const known = places.map((p, i) => ({x: sign * p.x, y: p.y, i}))
    .filter((p) => p.x === p.x && p.y === p.y)
    .sort((a, b) => b.x - a.x || b.y - a.y);
  const out = places.map(() => false);
  let best = -Infinity;
  for (let i = 0; i < known.length; ++i) {
    const same = i > 0 && known[i].x === known[i - 1].x && known[i].y === known[i - 1].y;
    if (known[i].y > best || (same && out[known[i - 1].i])) out[known[i].i] = true;
    best = Math.max(best, known[i].y);
  }
  return out;
}

/** The axis along which lines are read: the one with the most values; of equals the last. */
export function sweptAxis(axes, points) {
  let name = null;
  let most = 0;
  for (const axis of axes) {
    const values = new Set(points.map((point) => JSON.stringify(point.axes?.[axis.name] ?? null)));
    if (values.size >= most) {
      most = values.size;
      name = axis.name;
    }
  }
  return name;
}

/**
 * The places of all points. Unstable points are never on the Pareto line: their figures depend on
 * how long the run was.
 * @param {Report} report @returns {{places: Place[], perGpu: boolean}}
 */
export function frontier(report, side) {
  const axes = report.axes ?? [];
  const points = pointsOf(report);
  const swept = sweptAxis(axes, points);
  const others = axes.filter((axis) => axis.name !== swept);
  const gpus = points.map((p) => gpusOf(p, (p.runs ?? []).map((i) => report.runs[i])));
  const perGpu = points.length > 0 && gpus.every((count) => count === count);
  const places = points.map((point, index) => {
    const divide = perGpu ? gpus[index] : 1;
    const total = cellOfPoint(report, point, "output_throughput");
    const y = {...total, value: total.value / divide, low: total.low / divide,
      high: total.high / divide};
    const runs = (point.runs ?? []).filter((i) => report.runs[i]);
    const loads = runs.map((i) => loadOf(report.runs[i]));
    const mean = (values) => values.length > 0
      ? values.reduce((sum, v) => sum + v, 0) / values.length : NaN;
    const offered = mean(loads.map((load) => load.offered));
    const served = mean(loads.map((load) => load.served));
    const open = runs.some((i) => plannedRate(report.runs[i]) !== null);
    const state = !open ? "closed" : !(offered > 0) || served !== served ? "unknown"
      : offered > served * (1 + UNSTABLE) ? "unstable" : "stable";
    return {index, setting: pointLabel(report, point, index),
      axes: point.axes ?? {}, group: settingText(others, point.axes),
      runs, x: sideOf(report, point, side), y, gpus: gpus[index], offered, served, state,
      pareto: false};
  });
  const better = SIDES.find((s) => s.value === side)?.better ?? "more";
  const marks = pareto(places.map((p) => p.state === "unstable" ? {x: NaN, y: NaN}
    : {x: p.x.value, y: p.y.value}), better);
  places.forEach((place, i) => { place.pareto = marks[i]; });
  return {places, perGpu};
}
