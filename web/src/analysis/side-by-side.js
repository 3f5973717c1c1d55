// Runs beside each other: their figures by name, and ratios to a base.
import {correctRate, hasInterval, scoresOf} from "./scores.js";

/**
 * @typedef {import("../data/model.js").Report} Report
 * @typedef {import("../data/model.js").Run} Run
 */

/**
 * @typedef {object} Cell
 * @property {number} value  NaN: the run does not have the figure
 * @property {number} count  values behind the figure; NaN: unknown
 * @property {number} low  interval of the mean over runs, or of a figure of one run; NaN: none
 * @property {number} high
 */

/**
 * @typedef {object} Column  A run, or a point: several runs of the same setting.
 * @property {string} label
 * @property {number[]} runs  their indices
 * @property {number} order  place among the columns by the time of the first start, from 1
 * @property {Map<string, Cell>} cells
 */

/**
 * @typedef {object} Figure
 * @property {string} key  such as "ttft.p99"
 * @property {string} metric  such as "ttft"
 * @property {string} label
 * @property {string} unit
 */

/** "P99.9" of 99.9. */
const percentileName = (p) => `P${Number(p)}`;

/** The figures of a metric: the value alone, or mean, median and percentiles. */
export function figuresOf(metric) {
  if (!metric.flags?.summary)
    return [{key: metric.name, metric: metric.name,
      label: metric.title ?? metric.label ?? metric.name,
      unit: metric.unit ?? "", value: metric.value}];
  const one = (statistic, words, value) => ({key: `${metric.name}.${statistic}`,
    metric: metric.name, label: `${words} ${metric.label ?? metric.name}`, unit: metric.unit ?? "",
    value});
  const out = [one("mean", "Mean", metric.value ?? metric.mean)];
  if (metric.median !== null && metric.median !== undefined)
    out.push(one("median", "Median", metric.median));
  for (const [p, value] of metric.percentiles ?? [])
    if (Number(p) !== 50 || out.length < 2)  // the median is there already
      out.push(one(`p${Number(p)}`, percentileName(p), value));
  return out;
}

const number = (value) => typeof value === "number" ? value : NaN;

/** Whether a summary has no values, so that its zeros are no figures. */
export const isEmpty = (metric) => Boolean(metric?.flags?.summary) && metric.count === 0;

/** Whether a figure belongs to requests with sound, and no run had any. @param {Run[]} runs */
export function isSilent(name, runs) {
  return name === "rtfx" && !runs.some((run) =>
    (run.metrics ?? []).some((metric) => metric.name === name && metric.value > 0));
}

/** The figures of a run by key. @param {Run} run @returns {Map<string, Cell>} */
export function cellsOfRun(run) {
  const out = new Map();
  for (const metric of run.metrics ?? [])
    for (const figure of figuresOf(metric))
      out.set(figure.key, {value: isEmpty(metric) ? NaN : number(figure.value),
        count: metric.flags?.summary ? number(metric.count) : NaN, low: NaN, high: NaN});
  for (const interval of run.intervals ?? [])
    for (const key of keysOf(interval)) {
      const cell = out.get(key);
      if (cell && interval.confidence !== 0)
        Object.assign(cell, {low: number(interval.low), high: number(interval.high)});
    }
  const scores = scoresOf(run);
  const rate = out.get(correctRate);
  if (rate !== undefined && scores !== null) {
    rate.count = scores.scored;
    if (hasInterval(scores)) Object.assign(rate, {low: 100 * scores.low, high: 100 * scores.high});
  }
  return out;
}

/**
 * All figures of the runs in the order of the first run that has them, selected and upstream's
 * figures first.
 * @param {Run[]} runs @returns {(Figure & {main: boolean})[]}
 */
export function figures(runs) {
  const seen = new Map();
  for (const run of runs)
    for (const metric of (run.metrics ?? []).filter((each) => !isSilent(each.name, runs)))
      for (const {value, ...figure} of figuresOf(metric))
        if (!seen.has(figure.key)) {
          const flags = metric.flags ?? {};
          seen.set(figure.key, {...figure,
            main: Boolean(flags.upstream) && (!flags.summary || Boolean(flags.selected))});
        }
  const all = [...seen.values()];
  return [...all.filter((f) => f.main), ...all.filter((f) => !f.main)];
}

const ticks = [1.01, 1.02, 1.05, 1.1, 1.2, 1.5, 2, 3, 5, 10, 20, 50, 100, 1000, 1e4];

/** Ticks of a logarithmic axis of ratios around 1: equal steps to both sides, ten at most. */
export function ratioTicks(low, high) {
  const far = Math.max(high, 1 / low);
  const apart = [];
  for (const tick of ticks) {
    const gap = Math.log(tick) - Math.log(apart[apart.length - 1] ?? 1);
    if (tick <= far * 1.001 && gap >= Math.log(far) / 5) apart.push(tick);
  }
  return [...apart.map((tick) => 1 / tick).reverse(), 1, ...apart]
    .filter((tick) => tick >= low * 0.999 && tick <= high * 1.001);
}

/** Places by time of start, from 1; a run without a time counts as later. */
function orders(starts) {
  const places = starts.map((_, i) => i).sort((a, b) =>
    (starts[a] ?? Infinity) - (starts[b] ?? Infinity) || a - b);
  const out = [];
  places.forEach((column, place) => { out[column] = place + 1; });
  return out;
}

/** A label for each run; runs with the same label get their number. @param {Run[]} runs */
export function labels(runs) {
  const plain = runs.map((run, i) => run.label || run.name || `run ${i + 1}`);
  return plain.map((text, i) =>
    plain.indexOf(text) !== plain.lastIndexOf(text) ? `${text} (${i + 1})` : text);
}

/** @param {Report} report @returns {Column[]} */
export function columnsOfRuns(report) {
  const names = labels(report.runs);
  const order = orders(report.runs.map((run) => run.started_unix_ms));
  return report.runs.map((run, i) => ({label: names[i], runs: [i], order: order[i],
    cells: cellsOfRun(run)}));
}

/** The text of a point's setting as on a command line: "request-rate=4, gpus=2". */
export function settingText(axes, values) {
  const parts = [];
  for (const axis of axes ?? []) {
    const value = values?.[axis.name];
    if (value === undefined || value === null) continue;
    const text = typeof value === "object" ? JSON.stringify(value) : String(value);
    parts.push(`${axis.name}=${text}`);
  }
  return parts.join(", ");
}

/**
 * The label of a point: the names that the user gave its combinations, otherwise its setting.
 * @param {Report} report @param {any} point @param {number} index
 */
export function pointLabel(report, point, index) {
  const given = point.facts?.label;
  return (typeof given === "string" ? given : "") || settingText(report.axes, point.axes) ||
    `point ${index + 1}`;
}

/** The keys under which a figure with an interval is found (ifb_interval in abi.h). */
function keysOf({name, statistic}) {
  if (statistic === undefined || statistic === "value") return [name];
  return statistic === "mean" ? [`${name}.mean`, name] : [`${name}.${statistic}`];
}

/**
 * The cell of a point: the mean over its runs with the interval that the program computed.
 * @param {any} point @param {string} key
 */
export function cellOfPoint(report, point, key) {
  const own = (point.figures ?? []).find((figure) => keysOf(figure).includes(key));
  const counts = (point.runs ?? []).map((i) => report.runs[i]).filter(Boolean)
    .map((run) => cellsOfRun(run).get(key));
  if (counts.length > 0 && counts.every((cell) => cell?.count === 0))
    return {value: NaN, count: 0, low: NaN, high: NaN};
  if (own) {
    const bounded = own.confidence !== 0;
    return {value: number(own.value), count: number(own.observations ?? own.runs ?? counts.length),
      low: bounded ? number(own.low) : NaN, high: bounded ? number(own.high) : NaN};
  }
  const known = counts.filter((cell) => cell && cell.value === cell.value);
  const mean = known.length > 0 ? known.reduce((sum, cell) => sum + cell.value, 0) / known.length
    : NaN;
  return {value: mean, count: known.length, low: NaN, high: NaN};
}

/** The columns of the points of a report. @param {Report} report @returns {Column[]} */
export function columnsOfPoints(report) {
  const points = report.points ?? [];
  const keys = figures(report.runs).map((figure) => figure.key);
  const starts = points.map((point) => Math.min(...(point.runs ?? [])
    .map((i) => report.runs[i]?.started_unix_ms ?? Infinity)));
  const order = orders(starts);
  return points.map((point, i) => ({
    label: pointLabel(report, point, i),
    runs: point.runs ?? [],
    order: order[i],
    cells: new Map(keys.map((key) => [key, cellOfPoint(report, point, key)])),
  }));
}

/** Whether points say more than their runs: a point has several runs. */
export function hasRepeats(report) {
  return (report.points ?? []).some((point) => (point.runs ?? []).length > 1);
}

/**
 * The ratio to a base. If both have an interval, `low` and `high` bound the ratio for all pairs of
 * values in the intervals, which is wider than an interval of the same confidence.
 * @param {Cell | undefined} cell @param {Cell | undefined} base
 */
export function ratio(cell, base) {
  const value = cell && base && base.value !== 0 ? cell.value / base.value : NaN;
  const ends = [cell?.low, cell?.high, base?.low, base?.high];
  if (!ends.every((end) => Number.isFinite(end) && end > 0)) return {value, low: NaN, high: NaN};
  return {value, low: cell.low / base.high, high: cell.high / base.low};
}

/**
 * What the number of runs a side allows a reader to conclude, as sentences.
 * @param {Column[]} columns @param {number} base @param {boolean} [starts]  the runs measured starts
 */
export function support(columns, base, starts = false) {
  const sides = columns.map((column) => column.runs.length);
  const least = Math.min(...sides);
  const most = Math.max(...sides);
  const n = columns.length <= 4 ? columns.map((column, i) =>
    `${column.label}${i === base ? " (base)" : ""}: ${column.runs.length}`).join("; ")
    : `${columns.length} sides of ${least === most ? least : `${least} to ${most}`}`;
  const start = `Independent observations (runs) a side: ${n}. `;
  if (least <= 1)
    return start + "A ratio here describes these runs only. One run a side cannot tell a change " +
      "from the difference that two runs of the same setting have: " + (starts
      ? "the starts of one run follow each other, so they share the state of the machine. A "
      : "requests of one run share the server's state, so thousands of them still count as one " +
        "observation of the setting. A ") +
      "ratio far beyond the run-to-run difference on this machine is a hint; to support a claim, " +
      "repeat each side at least 6 times in the order A B B A.";
  return start + `The intervals describe the mean over the runs of a side. With ${least} runs on ` +
    "the smaller side they hold if the runs were independent; runs in the order A A B B also " +
    "contain the drift of the machine. Intervals that do not overlap support a difference; " +
    "intervals that overlap do not show that there is none.";
}
