// Which group of runs is faster, with known error rates.
import {doubtsOf, unseenText} from "../analysis/doubts.js";
import {endOf} from "../analysis/forest.js";
import {basisTexts, comparisonOf, missedText, neededText, outcomeText, ratioTexts, verdictKinds} from "../analysis/paired-comparison.js";
import {settingsOf} from "../analysis/setting-texts.js";
import {validitiesOf} from "../analysis/validities.js";
import {mainFigures, mostSides, sidesOf} from "../analysis/what-changed.js";
import {forestAxis, forestRow} from "./forest.js";
import {environmentNodes, joined, sectionLink, settingNodes, statements, word} from "./statements.js";

const finite = (v) => v === v && Number.isFinite(v);

/** "73.5 ms → 76.6 ms": the geometric means of the runs. */
const valuesText = ({baseValue, otherValue, unit}, format) => finite(baseValue) && finite(otherValue)
  ? `${format.unit(baseValue, unit)} → ${format.unit(otherValue, unit)}` : "";

function drawConclusion(element, ui, comparison) {
  for (const each of comparison.candidates)
    element.append(ui.el("p", {class: "verdict-line"}, outcomeText(comparison, each, ui.format)),
      each.line ? ui.el("p", {class: "conclusion"}, each.line) : "");
}

function rowOf(ui, comparison, metric, end, many) {
  const {el, format} = ui;
  const [ratio, interval] = ratioTexts(metric, format);
  const kind = verdictKinds[metric.verdict];
  const [basis = "not known", runs] = basisTexts(metric, format);
  const small = (text) => text ? el("small", {}, text) : null;
  return el("tr", {},
    el("th", {scope: "row", class: "text"}, metric.title, many ? small(metric.candidate) : null),
    el("td", {dataset: {metric: metric.name}, "data-value": finite(metric.value) ? metric.value : null},
      el("span", {}, ratio), small(interval), small(valuesText(metric, format))),
    el("td", {class: "plot-cell"}, forestRow(ui, metric, comparison.margin, end, kind)),
    el("td", {class: "text"}, word(ui, {kind, text: metric.verdict}), small(metric.untested), small(neededText(metric, format))),
    el("td", {class: "text"}, basis, small(runs)),
    el("td", {class: "text"}, missedText(metric, format)));
}

function drawMetrics(parent, ui, comparison) {
  const {el} = ui;
  const {metrics, base, candidates, margin} = comparison;
  if (metrics.length === 0) {
    ui.note(parent, "The comparison has no metrics.", "warn");
    return;
  }
  const end = endOf(metrics, margin);
  const many = new Set(metrics.map((each) => each.candidate)).size > 1;
  const name = candidates.length === 1 ? candidates[0].name : "candidate";
  const heads = [["metric", "text"], [`${name} ÷ ${base}`, "name"], [forestAxis(ui, end), "plot-cell"],
    [many ? "candidate is" : `${name} is`, "text name"], ["rests on", "text"], ["would have missed", "text"]];
  const caption = "Ratios of the metrics with their intervals and verdicts";
  parent.append(el("div", {class: "table-scroll", tabindex: 0, role: "region", "aria-label": caption},
    el("table", {class: "changes comparison"},
      el("caption", {class: "for-readers"}, caption),
      el("thead", {}, el("tr", {}, heads.map(([head, kind]) => el("th", {scope: "col", class: kind},
        kind === "plot-cell" ? el("span", {class: "for-readers"}, "drawing of the ratio") : null, head)))),
      el("tbody", {}, metrics.map((metric) => rowOf(ui, comparison, metric, end, many))))));
}

function explanation({margin, confidence, metrics}, format) {
  const interval = finite(confidence) ? `${format.percent(confidence)} interval` : "interval";
  const out = [`The bar is the ${interval} of the ratio; an arrow says that it goes on. The values below a ratio are the geometric means of the runs.`];
  if (margin > 0)
    out.push(`The shaded span is the margin of ${format.percent(margin)}: a difference that is inside it for sure is called the same.`);
  out.push("The unit is the run, never the request." + (metrics.length > 1
    ? " The verdicts are corrected for the number of metrics, so an interval without 1 may have the verdict “cannot tell”." : ""));
  out.push("A difference below that of the column “would have missed” is found with a chance of less than 90 %.");
  return out.join(" ");
}

/** The settings that the comparison found to differ, otherwise those that the runs of the page show. */
function settingsNodes(ui, comparison, found, total) {
  if (comparison.settings.length === 0) return settingNodes(ui, found, total);
  return joined(comparison.settings.map(({name, values}) => [ui.el("code", {}, name), ` ${values.join(" → ")}`]), "; ");
}

function drawStatements(element, ui, report, comparison) {
  const {format} = ui;
  const sides = sidesOf(report);
  const shown = mainFigures(report, sides);
  const found = settingsOf(report, sides);
  const few = sides.length <= mostSides;
  const validities = few ? validitiesOf(report, sides, shown, format).map(({head, kind, word: verdict, text}) =>
    [head, [word(ui, {kind, text: verdict}), text ? `: ${text}` : ""]]) : [];
  // The comparison has its own sentences about loads and failures.
  const doubts = comparison.doubts.length > 0 ? comparison.doubts
    : few ? doubtsOf(report, sides, shown, found.settings, format) : [];
  element.append(statements(ui, [
    ["Settings that differ", settingsNodes(ui, comparison, found, `${sides.length} groups`)],
    ["Client's machine or version", environmentNodes(ui, found)],
    ["Left out", comparison.notes.length > 0 ? [comparison.notes.join(" ")] : []],
    ["Caution", doubts.length > 0 ? [doubts.join(" ")] : []],
    ...validities,
    ["Not seen", report.runs.length > 0 ? [unseenText(report)] : []],
    ["More", report.runs.length > 1 ? [sectionLink(ui, "side-by-side", "all figures and settings")] : []],
  ]));
}

/** @type {import("../ui/index.js").View} */
export default {
  id: "paired-comparison",
  title: "Comparison",
  question: "Which group of runs is faster, by how much, and which difference could not have been seen?",
  early: true,
  allRuns: true,
  available: (report) => comparisonOf(report) !== null ? true : "This page is not of a comparison (inferbench compare).",
  draw(element, report, ui) {
    ui.onRun(() => {});  // all runs are shown, whichever is selected
    const comparison = comparisonOf(report);
    drawConclusion(element, ui, comparison);
    const left = ui.el("div", {});
    drawMetrics(left, ui, comparison);
    ui.note(left, explanation(comparison, ui.format));
    const both = ui.el("div", {class: "changed"}, left);
    element.append(both);
    drawStatements(both, ui, report, comparison);
  },
};
