// A page of plots as figures/src/page.cpp writes it, for tests.
import {readFileSync} from "node:fs";
import {fileURLToPath} from "node:url";

export const builtPlotPage = fileURLToPath(new URL("../pages/plot.html", import.meta.url));

const inHtml = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** The page with these data. */
export function plotPage(data) {
  const json = JSON.stringify(data).replaceAll("<", "\\u003c");
  return readFileSync(builtPlotPage, "utf8")
    .replace("{{title}}", () => inHtml(data.title))
    .replace("{{data}}", () => `<script type="application/json" id="plots">${json}</script>`);
}

/** A curve of `n` points; `more` replaces members. */
export function makeCurve(label, n, more = {}) {
  const x = Array.from({length: n}, (_, i) => 100 * (i + 1));
  const y = x.map((v) => 40 + v ** 2 / 4e4);
  return {
    label,
    colour: 0,
    dash: 0,
    width: 0,
    line: true,
    grey: false,
    x,
    y,
    low: y.map((v) => v * 0.9),
    high: y.map((v) => v * 1.1),
    details: x.map((v, i) => `rate ${v}\nmean of ${i + 1} runs`),
    weak: [],
    ...more,
  };
}

/** A figure of one panel with these curves; `more` replaces members. */
export function makeFigure(curves, more = {}) {
  return {
    title: "ttft against rate",
    x: {label: "rate", scale: "linear"},
    y: {label: "ttft", scale: "linear"},
    rows: 1,
    columns: 1,
    legend: true,
    notes: ["6 points of 18 runs"],
    panels: [{title: "", row: 0, column: 0, curves}],
    ...more,
  };
}

export const makePlots = (figures, more = {}) => ({
  format: 1,
  generator: "inferbench 0.1.0",
  title: "FIGURE",
  figures,
  ...more,
});
