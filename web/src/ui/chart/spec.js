// The parts of a chart's spec with their defaults, and what follows from the data.
import {csv} from "../../data/csv.js";
import {count, number, time, unitLabel} from "../format.js";
import {shapeOf} from "./shapes.js";
import {visible} from "./thin.js";

const indices = (length) => Float64Array.from({length}, (_, i) => i);

/** @returns a spec in which each member has a value */
export function normalise(spec, theme) {
  const axes = (Array.isArray(spec.y) ? spec.y : [spec.y]).map((axis, i) => ({
    ...axis,
    scale: axis.scale ?? (i ? "y2" : "y"),
    format: axis.format ?? number,
    log: axis.log || axis.shape === "log",
    own: shapeOf(axis),
  }));
  const series = spec.series.map((each, i) => ({
    ...each,
    y: each.y ?? each.upper,
    middle: each.y,
    x: each.x ?? spec.x.values ?? indices((each.y ?? each.upper).length),
    scale: each.scale ?? axes[0].scale,
    colourName: each.colour ?? `series${i % 8}`,
  }));
  return {
    ...spec,
    y: axes,
    series,
    shades: spec.shades ?? [],
    lines: spec.lines ?? [],
    x: {
      ...spec.x,
      format: spec.x.format ?? (spec.x.time ? time : number),
      log: spec.x.log || spec.x.shape === "log",
      own: shapeOf(spec.x),
    },
    height: spec.height ?? 240,
    thin: spec.thin ?? true,
    legend: spec.legend ?? series.length > 1,
    points: series.reduce((sum, each) => sum + each.y.length, 0),
  };
}

/** "Latency (ms)" */
export function axisText(axis) {
  const unit = unitLabel(axis.unit);
  return unit ? `${axis.label} (${unit})` : (axis.label ?? "");
}

function widen([low, high], log) {
  if (!(low <= high)) return log ? [1, 10] : [0, 1];
  if (low < high) return [low, high];
  if (log) return [low / 2, high * 2];
  const half = Math.abs(low) / 2 || 0.5;
  return [low - half, high + half];
}

/** The range of all x values. */
export function rangeOfX(spec) {
  let low = Infinity,
    high = -Infinity;
  const add = (value) => {
    if (!Number.isFinite(value) || !spec.x.own.has(value)) return;
    if (value < low) low = value;
    if (value > high) high = value;
  };
  for (const series of spec.series) {
    if (series.kind === "points") {
      for (let i = 0; i < series.x.length; ++i) if (Number.isFinite(series.y[i])) add(series.x[i]);
    } else {
      for (let i = 0; i < series.x.length && series.x.length; i += Math.max(1, series.x.length - 1))
        add(series.x[i]);
    }
    if (series.kind === "bars" && series.x.length) {
      const end = series.x.length - 1;
      add(
        series.x1 ? series.x1[end] : series.x[end] + (end ? series.x[end] - series.x[end - 1] : 1),
      );
    }
  }
  if (spec.x.time) add(0);
  let [a, b] = widen([low, high], spec.x.log);
  if (spec.x.time && low === high) [a, b] = [low, low + 1];
  const dots = !spec.x.time && spec.series.some((series) => series.kind === "points");
  if (dots && spec.x.own.distr === 100) {
    const {to, from} = spec.x.own;
    const more = (to(b) - to(a)) * 0.02;
    [a, b] = [from(to(a) - more), from(to(b) + more)];
  } else if (dots && spec.x.log) ((a /= (b / a) ** 0.02), (b *= (b / a) ** 0.02));
  else if (dots) [a, b] = [a - (b - a) * 0.02, b + (b - a) * 0.02];
  return [spec.x.min ?? a, spec.x.max ?? b];
}

/** The range of the y values of one scale between two x values. */
export function rangeOfY(spec, axis, [from, to], hidden) {
  let low = Infinity,
    high = -Infinity;
  const add = (value) => {
    if (!Number.isFinite(value) || !axis.own.has(value)) return;
    if (value < low) low = value;
    if (value > high) high = value;
  };
  let bars = false;
  spec.series.forEach((series, index) => {
    if (series.scale !== axis.scale || hidden.has(index)) return;
    bars ||= series.kind === "bars";
    const lists = [series.middle, series.lower, series.upper].filter(Boolean);
    if (series.kind === "points") {
      for (let i = 0; i < series.y.length; ++i)
        if (series.x[i] >= from && series.x[i] <= to) for (const list of lists) add(list[i]);
    } else {
      const [begin, end] = visible(series.x, from, to);
      for (const list of lists)
        for (let i = begin; i < end; ++i) add(list[i] + (series.base?.[i] ?? 0));
    }
  });
  // A goal that lies far away would flatten everything else.
  for (const line of spec.lines)
    if (
      line.y !== undefined &&
      (line.scale ?? spec.y[0].scale) === axis.scale &&
      (!(high > 0) || line.y <= 3 * high)
    )
      add(line.y);
  if (!(low <= high)) [low, high] = axis.log ? [1, 10] : [0, 1];
  if (axis.log) {
    if (low === high) ((low /= 2), (high *= 2));
    else ((low /= (high / low) ** 0.04), (high *= (high / low) ** 0.06));
  } else {
    if (low > 0) low = 0;
    if (high < 0) high = 0;
    if (low === high) high = low + 1;
    const {to, from} = axis.own;
    const more = (to(high) - to(low)) * 0.06;
    high = from(to(high) + more);
    if (low < 0) low = from(to(low) - more);
  }
  return [axis.min ?? low, axis.max ?? high];
}

/** A band in words: what its lower and its upper edge do. */
function bandInWords(spec, series, axis) {
  const unit = unitLabel(axis.unit);
  const value = (v) => (unit ? `${axis.format(v)} ${unit}` : axis.format(v));
  const edge = (y) => {
    let low = -1,
      high = -1;
    for (let i = 0; i < y.length; ++i) {
      if (!Number.isFinite(y[i])) continue;
      if (low < 0 || y[i] < y[low]) low = i;
      if (high < 0 || y[i] > y[high]) high = i;
    }
    if (low < 0) return "has no values";
    const place = (i) => `${value(y[i])} at ${spec.x.label} ${spec.x.format(series.x[i])}`;
    return low === high ? `is ${place(low)}` : `goes from ${place(low)} to ${place(high)}`;
  };
  return `${series.label}: the lower edge ${edge(series.lower)}, the upper edge ${edge(series.upper)}.`;
}

/** The chart in words. */
export function inWords(spec) {
  const texts = [];
  for (const series of spec.series) {
    if (series.partOf !== undefined) continue;
    const axis = spec.y.find((each) => each.scale === series.scale) ?? spec.y[0];
    if (series.kind === "band" && series.lower && series.upper) {
      texts.push(bandInWords(spec, series, axis));
      continue;
    }
    let n = 0,
      sum = 0,
      low = -1,
      high = -1;
    const {y} = series;
    for (let i = 0; i < y.length; ++i) {
      if (!Number.isFinite(y[i])) continue;
      (++n, (sum += y[i]));
      if (low < 0 || y[i] < y[low]) low = i;
      if (high < 0 || y[i] > y[high]) high = i;
    }
    const unit = unitLabel(axis.unit);
    const value = (v) => (unit ? `${axis.format(v)} ${unit}` : axis.format(v));
    const place = (i) => `${value(y[i])} at ${spec.x.label} ${spec.x.format(series.x[i])}`;
    texts.push(
      n === 0
        ? `${series.label}: no values.`
        : n === 1
          ? `${series.label}: ${place(low)}.`
          : `${series.label}: ${count(n)} values, lowest ${place(low)}, mean ${value(sum / n)}, highest ${place(high)}.`,
    );
  }
  for (const shade of spec.shades)
    if (shade.label)
      texts.push(
        `${shade.label}: from ${spec.x.format(shade.from)} to ${spec.x.format(shade.to)}.`,
      );
  for (const line of spec.lines)
    texts.push(
      `${line.label}: at ${line.x === undefined ? spec.y[0].format(line.y) : spec.x.format(line.x)}.`,
    );
  return texts.join(" ");
}

/** All values of all series: a row for each point. */
export function csvOf(spec) {
  const bounds = spec.series.some((series) => series.lower || series.upper);
  const yUnits = [...new Set(spec.y.map((axis) => unitLabel(axis.unit)).filter(Boolean))];
  const head = [
    "series",
    axisText(spec.x),
    spec.y.length === 1
      ? axisText(spec.y[0])
      : `value${yUnits.length ? ` (${yUnits.join("; ")})` : ""}`,
  ];
  if (bounds) head.push("lower", "upper");
  const rows = [head];
  for (const series of spec.series) {
    for (let i = 0; i < series.y.length; ++i) {
      const row = [series.label, series.x[i], series.middle ? series.middle[i] : NaN];
      if (bounds) row.push(series.lower?.[i] ?? NaN, series.upper?.[i] ?? NaN);
      rows.push(row);
    }
  }
  return csv(rows);
}
