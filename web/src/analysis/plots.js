// The figures of a page of plots: what figures/src/page.cpp writes, and what the charts show of it.
import {normalise, rangeOfX, rangeOfY} from "../ui/chart/spec.js";
import {numberOf} from "../ui/format.js";

const supported = 1;
const scales = ["linear", "log", "symlog", "sqrt"];

// The same as in figures/src/palette.cpp, so that the page and the pictures agree.
const colours = 8;
const markers = ["dot", "square", "diamond", "triangle", "cross"];
const dashes = [null, [6, 3], [1.5, 2.5], [7, 2.5, 1.5, 2.5], [12, 3]];
const widths = [1.5, 2.75, 4, 0.9];

/**
 * @typedef {object} Curve
 * @property {string} label
 * @property {number} colour
 * @property {number} dash
 * @property {number} width
 * @property {boolean} line
 * @property {boolean} grey
 * @property {Float64Array} x  ascending
 * @property {Float64Array} y
 * @property {Float64Array|null} low
 * @property {Float64Array|null} high
 * @property {string[]} labels
 * @property {string[]} details
 * @property {boolean[]} weak
 */

function readCurve(given) {
  const numbers = (list) => (list ?? []).map(numberOf);
  const x = numbers(given.x);
  // NaN has no place in the order; it comes last.
  const place = (i) => (Number.isNaN(x[i]) ? Infinity : x[i]);
  const order = x.map((_, i) => i).sort((a, b) => place(a) - place(b) || a - b);
  const sorted = (list) => Float64Array.from(order, (i) => list[i] ?? NaN);
  const texts = (list) => order.map((i) => list?.[i] ?? "");
  const weak = new Set(given.weak ?? []);
  return {
    ...given,
    x: sorted(x),
    y: sorted(numbers(given.y)),
    low: given.low ? sorted(numbers(given.low)) : null,
    high: given.high ? sorted(numbers(given.high)) : null,
    labels: texts(given.labels),
    details: texts(given.details),
    weak: order.map((i) => weak.has(i)),
  };
}

/** Readers that do not see the page tell sections apart by their titles. */
function uniqueTitle(title, named) {
  const count = (named.get(title) ?? 0) + 1;
  named.set(title, count);
  return count === 1 ? title : `${title} (${count})`;
}

/**
 * Reads the element `plots`.
 * @param {(id: string) => string|null} contentOf
 */
export function readPlots(contentOf) {
  const text = contentOf("plots");
  if (text === null) throw new Error("This page has no data.");
  const page = JSON.parse(text);
  if (!(page.format <= supported))
    throw new Error(`The data have format ${page.format}; this page reads ${supported} at most.`);
  const named = new Map();
  return {
    ...page,
    figures: page.figures.map((figure, i) => ({
      ...figure,
      title: uniqueTitle(figure.title || `Figure ${i + 1}`, named),
      panels: figure.panels.map((panel) => ({...panel, curves: panel.curves.map(readCurve)})),
    })),
  };
}

const axisOf = ({label, scale}) => ({label, shape: scales.includes(scale) ? scale : "linear"});

/** Without a second key the markers follow the colours, for readers who cannot tell them apart. */
export const onlyColours = (figure) =>
  figure.panels.every((panel) => panel.curves.every((curve) => curve.dash === 0));

export function lookOf(curve, only) {
  const pattern = (curve.dash + Math.floor(curve.colour / colours)) % dashes.length;
  const colour = curve.colour % colours;
  return {
    colour: curve.grey ? "muted" : `series${colour}`,
    dash: dashes[pattern],
    marker: markers[(only ? colour : pattern) % markers.length],
    width: widths[curve.width % widths.length],
  };
}

const pick = (list, kept) => Float64Array.from(kept, (i) => list[i]);

/** The series of one curve; `at`: the index of the first of them. */
function seriesOf(curve, look, at) {
  const {x, y, low, high} = curve;
  const label = curve.label.replaceAll("\n", ", ") || "points";
  const points = (wanted) => [...y.keys()].filter((i) => curve.weak[i] === wanted);
  const tip = (kept) => (i) => curve.details[kept[i]];
  const labels = (kept) => kept.map((i) => curve.labels[i]);
  const size = y.length > 3000 ? 2.5 : y.length > 300 ? 4 : 8;
  const parts = [];
  if (low && curve.line && y.length > 1)
    parts.push({kind: "band", x, lower: low, upper: high, quiet: true});
  if (curve.line)
    parts.push({kind: "line", x, y, width: look.width, dash: look.dash ?? undefined, quiet: true});
  const solid = points(false),
    hollow = points(true);
  const main = at + parts.length;
  const bars = low && (!curve.line || y.length === 1);
  const dots = (kept, more) => ({
    kind: "points",
    x: pick(x, kept),
    y: pick(y, kept),
    ...(bars ? {lower: pick(low, kept), upper: pick(high, kept)} : {}),
    width: size,
    tip: tip(kept),
    labels: labels(kept),
    ...more,
  });
  const sample = curve.line ? {width: look.width, dash: look.dash ?? undefined} : undefined;
  const out = parts.map((part) => ({...part, partOf: main}));
  out.push(dots(solid, {marker: look.marker, sample}));
  if (hollow.length) {
    // The line does not cross a hollow point.
    const behind = {marker: "dot", colour: "background", quiet: true, labels: undefined};
    out.push({...dots(hollow, behind), partOf: main, lower: undefined, upper: undefined});
    out.push({...dots(hollow, {marker: "ring", width: size + 1}), partOf: main});
  }
  return out.map((each) => ({colour: look.colour, label, ...each}));
}

/** What a chart needs of a panel; the axes of all panels of a figure are the same. */
export function panelSpec(figure, panel) {
  const only = onlyColours(figure);
  const series = [];
  for (const curve of panel.curves) series.push(...seriesOf(curve, lookOf(curve, only), series.length));
  return {
    title: panel.title.replaceAll("\n", ", ") || figure.title,
    x: axisOf(figure.x),
    y: [axisOf(figure.y)],
    series,
    legend: figure.legend,
  };
}

/** The axes that show all panels: {x: [low, high], y: [low, high]}. */
export function sharedRanges(figure) {
  const series = figure.panels.flatMap((panel) => panelSpec(figure, panel).series);
  const all = normalise({title: "", x: axisOf(figure.x), y: [axisOf(figure.y)], series});
  const x = rangeOfX(all);
  return {x, y: rangeOfY(all, all.y[0], x, new Set())};
}

/** A row for each point of the figure. */
export function pointRows(figure) {
  const rows = [];
  for (const panel of figure.panels)
    for (const curve of panel.curves)
      for (let i = 0; i < curve.x.length; ++i)
        rows.push({
          panel: panel.title.replaceAll("\n", ", "),
          curve: curve.label.replaceAll("\n", ", "),
          x: curve.x[i],
          y: curve.y[i],
          low: curve.low && curve.low[i] !== curve.high[i] ? curve.low[i] : null,
          high: curve.high && curve.low[i] !== curve.high[i] ? curve.high[i] : null,
          weak: curve.weak[i],
          label: curve.labels[i].replaceAll("\n", ", "),
          detail: curve.details[i].replaceAll("\n", "; "),
        });
  return rows;
}
