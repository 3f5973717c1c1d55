// The differences between the runs of a page, on its first screen.
import {conclusionOf} from "../analysis/conclusion.js";
import {doubtsOf, unseenText} from "../analysis/doubts.js";
import {allStarts} from "../analysis/no-rows.js";
import {settingsOf} from "../analysis/setting-texts.js";
import {validitiesOf} from "../analysis/validities.js";
import {compared, mainFigures, mostSides, rangeOf, sidesOf} from "../analysis/what-changed.js";
import {format} from "../ui/format.js";
import {environmentNodes, sectionLink, settingNodes, statements, word} from "./statements.js";

const finite = (v) => v === v && Number.isFinite(v);

/** A table without tools; the names of runs may be long. */
function table(ui, caption, heads, lines) {
  const {el} = ui;
  return el("div", {class: "table-scroll", tabindex: 0, role: "region", "aria-label": caption},
    el("table", {class: "changes"},
      el("caption", {class: "for-readers"}, caption),
      el("thead", {}, el("tr", {}, heads.map(([head, kind]) => el("th", {scope: "col", class: kind}, head)))),
      el("tbody", {}, lines)));
}

/** Milliseconds may be shown as seconds, so they have their unit at each value. */
const unitOfHead = (figure) => figure.unit === "ms" ? "" : format.unitLabel(figure.unit);

const rowHead = (ui, figure) => ui.el("th", {scope: "row", class: "text"}, figure.label,
  unitOfHead(figure) === "" ? null : [" ", ui.el("small", {}, unitOfHead(figure))]);

function intervalText(ui, {low, high}, format) {
  return finite(low) && finite(high) ? ui.el("small", {}, `${format(low)} to ${format(high)}`) : null;
}

const classes = {bad: "unusable", warn: "doubtful"};

function valueCell(ui, figure, side, ...more) {
  const unit = unitOfHead(figure) === "" ? figure.unit : "1";
  return ui.el("td", {class: side.uncertain ? "uncertain" : null, dataset: {figure: figure.key, run: side.label},
    "data-value": finite(side.value) ? side.value : null},
  ui.el("span", {class: classes[side.effect]}, ui.format.unit(side.value, unit)), more,
  side.errorUnknown && finite(side.value) ? ui.el("small", {}, "error not known") : null);
}

/** Two sides have ratio and words in columns; more have them below each value. */
function figureTable(ui, report, sides, shown) {
  const {el} = ui;
  const two = sides.length === 2;
  const lines = shown.map((figure) => {
    const [base, ...others] = compared(report, sides, 0, figure);
    const ratio = (side) => finite(side.ratio.value) ? format.ratio(side.ratio.value) : "–";
    // Milliseconds may be shown as seconds, so each end has its unit.
    const interval = (side) => intervalText(ui, side, figure.unit === "ms" ? format.ms : format.number);
    // A ratio is as uncertain as each of its values.
    const kind = (side) => base.uncertain || side.uncertain ? "uncertain" : "";
    return el("tr", {}, rowHead(ui, figure), valueCell(ui, figure, base, interval(base)),
      others.map((side) => two
        ? [valueCell(ui, figure, side, interval(side)),
          el("td", {class: kind(side)}, el("span", {}, ratio(side)), intervalText(ui, side.ratio, format.number)),
          el("td", {class: `text ${kind(side)}`}, word(ui, side.word))]
        : valueCell(ui, figure, side, interval(side),
          el("small", {class: kind(side)}, ratio(side), " ", word(ui, side.word)))));
  });
  const names = sides.map((side) => side.label);
  return table(ui, "Main figures of the runs and their ratio to the first",
    [["Figure", "text"], ...names.map((name) => [name, "name"]),
      ...(two ? [[`${names[1]} ÷ ${names[0]}`, "name ratio"], [`${names[1]} is`, "text name"]] : [])], lines);
}

/** The lowest and the highest value of many sides. */
function rangeTable(ui, report, sides, shown) {
  const {el} = ui;
  const ranges = shown.map((figure) => ({figure, range: rangeOf(report, sides, figure)}));
  const some = ranges.some(({range}) => range !== null && range.left > 0);
  const lines = ranges.map(({figure, range}) => {
    if (range === null)
      return el("tr", {}, rowHead(ui, figure), el("td", {class: "text muted", colspan: some ? 5 : 4}, "no usable value"));
    return el("tr", {}, rowHead(ui, figure),
      [range.low, range.high].map((side) => [valueCell(ui, figure, side), el("td", {class: "text wide"}, side.label)]),
      some ? el("td", {class: "muted"}, ui.format.count(range.left)) : null);
  });
  return table(ui, "Lowest and highest main figures",
    [["Figure", "text"], ["lowest", ""], ["of", "text"], ["highest", ""], ["of", "text"],
      ...(some ? [["not usable", ""]] : [])], lines);
}

/** The counts of the verdicts of a sweep; each verdict is in the table of the next section. */
function verdictText(report) {
  const counts = new Map();
  for (const {facts: {client}} of report.runs) {
    const verdict = client?.verdict ?? "without a verdict";
    counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
  }
  return [...counts].map(([verdict, count]) => `${count} ${verdict}`).join(", ");
}

/** @type {import("../ui/index.js").View} */
export default {
  id: "what-changed",
  title: "What changed",
  question: "How do the runs differ, which figures may be used, and what was set up differently?",
  early: true,
  allRuns: true,
  available: (report) => report.runs.length > 1 ? true : "This page has one run.",
  draw(element, report, ui) {
    ui.onRun(() => {});  // all runs are shown, whichever is selected
    const {el} = ui;
    const sides = sidesOf(report);
    const shown = mainFigures(report, sides);
    const few = sides.length <= mostSides;
    const found = settingsOf(report, sides);
    const total = `${sides.length} ${sides.length < report.runs.length ? "combinations" : "runs"}`;
    const validities = allStarts(report) ? []
      : !few ? [["Client", [`${verdictText(report)}.`]]]
      : validitiesOf(report, sides, shown, format).map(({head, kind, word: verdict, text}) =>
        [head, [word(ui, {kind, text: verdict}), text ? `: ${text}` : ""]]);
    const [difference, ...limits] = conclusionOf(report, sides, shown, found.settings, format);
    if (difference !== undefined)
      element.append(el("p", {class: "conclusion"}, el("b", {}, difference), ` ${limits.join(" ")}`));
    element.append(el("div", {class: "changed"},
      el("div", {}, shown.length === 0 ? el("p", {class: "note"}, "The runs have no figures.")
        : few ? figureTable(ui, report, sides, shown) : rangeTable(ui, report, sides, shown)),
      statements(ui, [
        ["Settings of inferbench that differ", settingNodes(ui, found, total)],
        ["Client's machine or version", environmentNodes(ui, found)],
        ...validities,
        ["Not seen", [unseenText(report)]],
        ["Caution", few ? [doubtsOf(report, sides, shown, found.settings, format).join(" ")].filter(Boolean) : []],
        ["More", few ? [sectionLink(ui, "side-by-side", "all figures and settings")]
          : [(report.axes ?? []).length > 0 ? [sectionLink(ui, "frontier", "the best combinations: Frontier"), ", "] : "",
            sectionLink(ui, "side-by-side", "all figures and settings")]],
      ])));
  },
};
