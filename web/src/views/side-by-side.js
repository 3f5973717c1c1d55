import {columnsOfPoints, columnsOfRuns, figures, hasRepeats, ratio, ratioTicks, support} from
  "../analysis/side-by-side.js";
import {hasDirection} from "../analysis/direction.js";
import {flagOf} from "../analysis/flag-names.js";
import {incompleteness} from "../analysis/incomplete.js";
import {allStarts, requestsOf} from "../analysis/no-rows.js";
import {correctRate, scoresOf} from "../analysis/scores.js";
import {setupDifferences} from "../analysis/tree-diff.js";
import {compared, sideOf} from "../analysis/what-changed.js";
import {refill} from "./refill.js";

/** The figures of the plot of ratios, in this order. The plot leaves out those that the base does not have. */
const plotted = ["request_throughput", "output_throughput", "total_token_throughput", correctRate,
  "cold_startup_time.mean", "warm_startup_time.mean", "ttft.median",
  "ttft.p99", "tpot.median", "tpot.p99", "itl.median", "itl.p99", "e2el.median", "e2el.p99"];
const short = {request_throughput: "Requests/s", output_throughput: "Output tokens/s",
  total_token_throughput: "Tokens/s"};

const finite = (v) => v === v && Number.isFinite(v);

function valueText(ui, cell, unit) {
  if (!cell || !finite(cell.value)) return "–";
  const {format} = ui;
  const value = format.unit(cell.value, unit);
  // Milliseconds may be shown as seconds, so each end has its unit.
  const end = (v) => unit === "ms" ? format.ms(v) : format.number(v);
  const interval = finite(cell.low) && finite(cell.high)
    ? ` [${end(cell.low)} to ${end(cell.high)}]` : "";
  return value + interval;
}

function ratioText(ui, found) {
  if (!finite(found.value)) return "–";
  const text = ui.format.ratio(found.value);
  return finite(found.low) ? `${text} [${ui.format.number(found.low)} to ` +
    `${ui.format.number(found.high)}]` : text;
}

/** What is missing of the runs of a side, with their names if the side has several; null: nothing. */
function missingOf(ui, report, column) {
  const found = column.runs.map((i) => report.runs[i]).filter(Boolean)
    .map((run) => [run, incompleteness(run, ui.format.count)]).filter(([, text]) => text !== null);
  if (found.length === 0) return null;
  return found.map(([run, text]) => column.runs.length > 1 ? `${run.title}: ${text}` : text).join("; ");
}

/** The verdicts on the clients of a side, each once. */
const verdictsOf = (report, column) =>
  [...new Set(column.runs.map((i) => report.runs[i]?.facts?.client?.verdict ?? "not known"))].join(", ");

function drawOrder(element, ui, report, columns, by) {
  ui.table(element, {
    caption: "Order of the runs",
    columns: [
      {key: "order", label: "order", help: "By the time of the start"},
      {key: "label", label: by === "points" ? "point" : "run", text: true, wide: true},
      {key: "n", label: "runs (n)", value: (c) => c.runs.length, format: ui.format.count},
      {key: "started", label: "started", text: true,
        value: (c) => Math.min(...c.runs.map((i) => report.runs[i]?.started_unix_ms ?? NaN)),
        format: (v) => ui.format.date(v)},
      ...allStarts(report) ? [] : [{key: "requests", label: "requests", format: ui.format.count,
        value: (c) => c.runs.reduce((sum, i) => sum + (report.runs[i] ? requestsOf(report.runs[i]) : 0), 0) || NaN},
      {key: "client", label: "client", text: true, value: (c) => verdictsOf(report, c)}],
      ...columns.some((c) => missingOf(ui, report, c) !== null)
        ? [{key: "missing", label: "complete", text: true, wide: true,
          value: (c) => missingOf(ui, report, c) ?? "yes"}] : [],
      {key: "source", label: "source", text: true, wide: true,
        value: (c) => c.runs.map((i) => report.runs[i]?.source || report.runs[i]?.name).join(", ")},
    ],
    rows: columns, search: false, sort: {key: "order"},
    rowClass: (c) => /INVALID/.test(verdictsOf(report, c)) ? "bad"
      : /SUSPECT/.test(verdictsOf(report, c)) || missingOf(ui, report, c) !== null ? "warn" : "",
  });
}

function drawRatios(element, ui, report, columns, base, all) {
  const shown = plotted.map((key) => all.find((figure) => figure.key === key))
    .filter((figure) => figure && finite(columns[base].cells.get(figure.key)?.value) &&
      columns[base].cells.get(figure.key).value > 0);
  const others = columns.map((column, i) => ({column, i})).filter(({i}) => i !== base);
  if (shown.length === 0 || others.length === 0) return;
  if (others.length > 8) {
    ui.note(element, "The plot of ratios is left out for more than 8 ratios. The table has all of " +
      "them; the frontier shows a sweep.");
    return;
  }
  const name = (figure) => figure === undefined ? "" : short[figure.key] ?? figure.label;
  const ratios = others.map(({column}) => shown.map((figure) =>
    ratio(column.cells.get(figure.key), columns[base].cells.get(figure.key))));
  const sides = shown.map((figure) => columns.map((column) => sideOf(report, column, figure)));
  const known = ratios.flat().flatMap((r) => [r.value, r.low, r.high]).filter((v) => v > 0 && finite(v));
  const far = Math.max(...known.map((v) => Math.abs(Math.log(v))), Math.log(1.1)) * 1.08;
  const width = 0.3 / Math.max(1, others.length);
  const narrow = ui.el("div", {class: "narrow"});
  element.append(narrow);
  ui.chart(narrow, {
    title: `Ratio to ${columns[base].label}`,
    label: `Ratio of ${shown.map(name).join(", ")} to ${columns[base].label}, one dot for each ` +
      "run or point, with its value. All figures are in the table below.",
    x: {label: "", min: -0.6, max: shown.length - 0.4, splits: () => shown.map((_, i) => i),
      format: (v) => name(shown[Math.round(v)])},
    y: [{label: "ratio (logarithmic)", log: true, min: Math.exp(-far), max: Math.exp(far),
      splits: ratioTicks, format: (v) => `${ui.format.number(v)}×`}],
    series: others.map(({column, i: at}, k) => {
      const spoiled = sides.map((each) => each[base].effect === "bad" || each[at].effect === "bad");
      const all = spoiled.every(Boolean);
      const series = {kind: "points", label: column.label + (all ? " (not usable)" : ""), width: 8,
        x: Float64Array.from(shown, (_, i) => i + (k - (others.length - 1) / 2) * width),
        y: Float64Array.from(ratios[k], (r) => r.value),
        labels: ratios[k].map((r, f) => (finite(r.value) ? ui.format.ratio(r.value) : "") +
          (spoiled[f] && !all ? "\nnot usable" : ""))};
      if (ratios[k].some((r) => finite(r.low)))
        Object.assign(series, {lower: Float64Array.from(ratios[k], (r) => finite(r.low) ? r.low : r.value),
          upper: Float64Array.from(ratios[k], (r) => finite(r.high) ? r.high : r.value)});
      return series;
    }),
    lines: [{y: 1, label: "equal to the base", kind: "note"}],
    legend: true,
    height: 260,
  });
}

/** The figures of the plot first, then the others in the order of the file. */
function inOrder(all) {
  const rank = ({key}) => (plotted.includes(key) ? plotted.indexOf(key) : plotted.length);
  return [...all].sort((a, b) => rank(a) - rank(b));
}

function drawTable(element, ui, report, columns, base, all) {
  const rows = inOrder(all).filter((figure) => columns.some((c) => finite(c.cells.get(figure.key)?.value)))
    .map((figure) => ({...figure, sides: compared(report, columns, base, figure)}));
  const counted = (column) => rows.some((f) => finite(column.cells.get(f.key)?.count));
  const cells = [];
  columns.forEach((column, i) => {
    cells.push({key: `value${i}`, label: i === base ? `${column.label} (base)` : column.label,
      value: (f) => column.cells.get(f.key)?.value ?? NaN, exact: true,
      format: (_, f) => valueText(ui, column.cells.get(f.key), f.unit)});
    if (counted(column))
      cells.push({key: `n${i}`, label: "n", help: `Values behind the figure in ${column.label}`,
        value: (f) => column.cells.get(f.key)?.count ?? NaN,
        format: ui.format.count});
    if (i === base) return;
    cells.push({key: `ratio${i}`, label: "÷ base", help: `${column.label} divided by the base`,
      value: (f) => f.sides[i].ratio.value,
      format: (_, f) => ratioText(ui, f.sides[i].ratio)});
    // Many sides are compared by their ratios: words would make the table too wide.
    if (columns.length <= 4)
      cells.push({key: `word${i}`, label: `${column.label} is`, text: true, value: (f) => f.sides[i].word.text,
        node: (text, f) => ui.el("span", {class: `word ${f.sides[i].word.kind}`}, text)});
  });
  const has = (effect) => (f) => hasDirection(f.metric) && f.sides.some((side) => side.effect === effect);
  ui.table(element, {caption: "Figures of the runs and their ratio to the base",
    columns: [{key: "label", label: "figure", text: true}, ...cells], rows, pageSize: 20,
    rowClass: (f) => has("bad")(f) ? "bad" : has("warn")(f) ? "warn" : ""});
  if (rows.some(has("bad")) || rows.some(has("warn")))
    ui.note(element, "A red or orange line at the left: the client of a run spoiled this figure, or perhaps did " +
      "(limits of INVALID and SUSPECT). A run may be INVALID because of some of its figures only.");
  const confidence = report.runs.map((run) => scoresOf(run)?.confidence).find(finite);
  if (confidence !== undefined && columns.some((column) => column.runs.length === 1))
    ui.note(element, `The interval of the correct rate of one run has a confidence of ${ui.format.percent(confidence)}, if its ` +
      "requests are independent.");
  ui.note(element, "n is the number of values behind a figure in its run (or of runs, for a point). " +
    "It is not the number of independent observations of the difference: that is the number of runs.");
}

function drawSetup(element, ui, report) {
  const columns = columnsOfRuns(report);
  const names = columns.map((column) => column.label);
  const missing = columns.map((column) => [column.label, missingOf(ui, report, column)])
    .filter(([, text]) => text !== null).map(([label, text]) => `${label}, ${text}`).join("; ");
  const found = setupDifferences(report.runs);
  const table = (caption, rows) => ui.table(element, {
    caption,
    columns: [{key: "path", label: "setting", text: true, wide: true},
      ...rows.some((d) => flagOf(d, report.runs) !== null)
        ? [{key: "flag", label: "flag", text: true, value: (d) => flagOf(d, report.runs) ?? "–"}] : [],
      ...names.map((name, i) => ({key: `run${i}`, label: name, text: true, wide: true,
        value: (d) => d.values[i] ?? "",
        format: (_, d) => d.values[i] === null || d.values[i] === "null" ? "not set" : d.values[i]}))],
    rows,
  });
  element.append(ui.el("h3", {}, "What differs in the configuration"));
  if (found.config.length === 0)
    ui.note(element, `The configurations of all ${names.length} runs are the same, so differences ` +
      `between the figures come from ${missing ? `what is missing of the runs (${missing}), or from ` : ""}` +
      "the server, the machines, the order of the runs or chance.");
  else table("Settings that differ between the runs", found.config);
  element.append(ui.el("h3", {}, "What differs in machine and versions"));
  if (found.environment.length === 0)
    ui.note(element, "Client machine, program and plugins are the same in all runs. The report " +
      "does not know the server's machine.");
  else table("Machine and versions that differ between the runs", found.environment);
}

/** @type {import("../ui/index.js").View} */
export default {
  id: "side-by-side",
  title: "Runs side by side",
  question: "Which figures differ between the runs, by how much, and what was set up differently?",
  early: true,
  allRuns: true,
  available: (report) => report.runs.length > 1 ? true
    : "This page has one run. To see several runs side by side, give their journals to one page: " +
      "inferbench report A.journal B.journal --reporter html",

  draw(element, report, page) {
    let by = hasRepeats(report) ? "points" : "runs";
    let base = 0;
    page.onRun(() => {});  // all runs are shown, whichever is selected
    refill(element, page, (ui, again) => {
      const columns = by === "points" ? columnsOfPoints(report) : columnsOfRuns(report);
      if (base >= columns.length) base = 0;
      const tools = ui.el("div", {class: "tools"});
      element.append(tools);
      ui.choice(tools, "Base", columns.map((c, i) => ({value: String(i), label: c.label})),
        String(base), (value) => {
          base = Number(value);
          again();
        });
      if (hasRepeats(report))
        ui.choice(tools, "Compare", [{value: "points", label: "points (means over their runs)"},
          {value: "runs", label: "single runs"}], by, (value) => {
          by = value;
          base = 0;
          again();
        });
      const all = figures(report.runs);
      ui.note(element, support(columns, base, allStarts(report)), "warn");
      drawRatios(element, ui, report, columns, base, all);
      drawTable(element, ui, report, columns, base, all);
      drawSetup(element, ui, report);
      element.append(ui.el("h3", {}, "Order and validity of the runs"));
      drawOrder(element, ui, report, columns, by);
    });
  },
};
