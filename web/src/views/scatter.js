// Latency against length: what a longer prompt and a longer answer cost.

import {reasonWithoutRows} from "../analysis/no-rows.js";
import {COLOURS, leftOut, pointsOf, usefulColours} from "../analysis/scatter-points.js";
import {sampleText} from "../analysis/sample.js";
import {theilSen} from "../analysis/slope.js";

/**
 * The slope in words, per 1,000 tokens.
 * @param {string[]} of  what is counted, and the figure
 */
export function slopeText(fit, of, format) {
  if (fit === null) return "too few requests of different length for a slope (three are needed)";
  const per = (slope) => format.ms(slope * 1000);
  const [tokens, figure] = of;
  const change = fit.slope >= 0 ? `add ${per(fit.slope)} to` : `take ${per(-fit.slope)} off`;
  return `1,000 more ${tokens} ${change} ${figure} (median slope; 95 % interval ${per(fit.lower)} to ${per(fit.upper)}, ` +
    `n = ${format.count(fit.n)}${fit.sampled ? `, from a sample of ${format.count(fit.pairs)} pairs` : ""})`;
}

const charts = [
  {title: "TTFT against input tokens", x: "input tokens", y: "TTFT", of: ["input tokens", "TTFT"], xs: (rows) => rows.input, ys: (rows) => rows.ttft},
  {title: "E2EL against output tokens", x: "output tokens", y: "E2EL", of: ["output tokens", "E2EL"], xs: (rows) => rows.output, ys: (rows) => rows.e2el},
];

/** The charts of a run; answers that come whole have no TTFT, so their E2EL is drawn. */
function chartsOf(rows) {
  if (rows.ttft.some((value) => value === value)) return charts;
  return [{...charts[0], title: "E2EL against input tokens", y: "E2EL", of: ["input tokens", "E2EL"], ys: (all) => all.e2el}];
}

function specOf(chart, run, colour, fit, points, ui) {
  const {format} = ui;
  let low = Infinity;
  let high = -Infinity;
  for (const value of points.x) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  const series = points.groups.map((group, at) => ({
    label: group.label, x: group.x, y: group.y, kind: "points", colour: `series${at}`,
    tip: (i) => `request ${run.rows.sequence[group.rows[i]]}`,
    pick: (i) => ui.show("swim-lanes", {row: group.rows[i]}),
  }));
  if (fit !== null) {
    const x = Float64Array.of(low, high);
    series.push({label: `slope (Theil-Sen, n = ${format.count(fit.n)})`, x, y: x.map((v) => fit.intercept + fit.slope * v),
      kind: "line", colour: "text", width: 2, dash: [7, 4]});
  }
  return {
    title: chart.title, label: `${chart.y} of each successful request against its ${chart.x}.`,
    x: {label: chart.x, format: format.count}, y: [{label: chart.y, unit: "ms", format: format.number}], series, height: 320, legend: true,
  };
}

function drawRun(element, run, ui) {
  const {rows, strings} = run;
  const {format} = ui;
  const sample = sampleText(run, format.count);
  if (sample !== "") ui.note(element, sample, "warn");
  const colours = usefulColours(rows, strings);
  let colour = colours.includes("class") ? "class" : colours.includes("cached") ? "cached" : colours[1] ?? "none";
  const usable = chartsOf(rows).map((chart) => {
    const points = pointsOf(rows, strings, chart.xs(rows), chart.ys(rows), colour);
    return {chart, points, fit: theilSen(points.x, points.y)};
  });
  const texts = usable.filter(({fit}) => fit !== null).map(({chart, fit}) => slopeText(fit, chart.of, format));
  ui.note(element, texts.length > 0 ? `${texts.join("; ")}.` : `There are ${slopeText(null, [], format)}.`);
  const drawn = [];
  if (usable.some(({points}) => points.x.length > 0)) ui.choice(element, "colour by", colours.map((value) => ({value, label: COLOURS[value].label})), colour, (chosen) => {
    colour = chosen;
    for (const {chart, fit, handle} of drawn)
      handle.update(specOf(chart, run, colour, fit, pointsOf(rows, strings, chart.xs(rows), chart.ys(rows), colour), ui));
  });
  const grid = ui.grid(element, 2);
  for (const {chart, fit, points} of usable) {
    if (points.x.length === 0) continue;
    drawn.push({chart, fit, handle: ui.chart(grid, specOf(chart, run, colour, fit, points, ui))});
  }
  if (drawn.length === 0) ui.note(element, "No successful request has a number of tokens and a latency.");
  const missing = leftOut(rows, usable[0].chart.xs(rows), usable[0].chart.ys(rows), format.count);
  if (missing !== "") ui.note(element, missing);
}

/** @type {import("../ui/index.js").View} */
export default {
  id: "scatter",
  title: "Latency against length",
  question: "How much does a longer prompt or a longer answer cost?",
  available: (report, run) => (run.count > 0 ? true : reasonWithoutRows(run)),
  draw(element, report, ui) {
    drawRun(element, ui.run(), ui);
  },
};
