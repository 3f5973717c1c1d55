// A figure of a page of plots: its panels, its notes and the table of its points.
import {panelSpec, pointRows, sharedRanges} from "../analysis/plots.js";

const heights = {one: 460, several: 300};

const axesOf = (figure) => `${figure.y.label} against ${figure.x.label}`;

/** @returns {import("../ui/index.js").View} */
export const plotView = (figure, index) => ({
  id: `figure-${index + 1}`,
  title: figure.title,
  // The title of a figure without groups says it already.
  question: figure.title === axesOf(figure) ? "" : axesOf(figure),
  early: true,
  allRuns: true,
  available: () =>
    figure.panels.some((panel) => panel.curves.some((curve) => curve.x.length > 0))
      ? true
      : "This figure has no point.",
  draw(element, page, ui) {
    drawPanels(element, figure, ui);
    for (const note of figure.notes) ui.note(element, note);
    const details = ui.el("details", {class: "points"}, ui.el("summary", {}, "Table of all points"));
    element.append(details);
    // The table is made when somebody wants to see it, or when it is printed.
    const fill = () => details.querySelector("table") ?? drawTable(details, figure, ui);
    details.addEventListener("toggle", () => details.open && fill());
  },
});

function drawPanels(element, figure, ui) {
  const several = figure.panels.length > 1;
  const ranges = several ? sharedRanges(figure) : null;
  const columns = Math.max(1, ...figure.panels.map((panel) => panel.column + 1));
  const grid = ui.el("div", {
    class: several ? "panels" : "panels one",
    style: {"--columns": String(columns)},
  });
  element.append(grid);
  for (const panel of figure.panels) {
    const cell = ui.el("div", {
      class: "panel",
      style: {"grid-row": String(panel.row + 1), "grid-column": String(panel.column + 1)},
    });
    grid.append(cell);
    const spec = panelSpec(figure, panel);
    if (ranges) {
      [spec.x.min, spec.x.max] = ranges.x;
      [spec.y[0].min, spec.y[0].max] = ranges.y;
    }
    ui.chart(cell, {
      ...spec,
      label: several
        ? `${axesOf(figure)}. The table of all points has the values.`
        : "The table of all points has the values.",
      untitled: !several,
      height: several ? heights.several : heights.one,
      csv: () => csvOf(figure, panel, ui),
    });
  }
}

const columnsOf = (figure, rows) => {
  const some = (key) => rows.some((row) => row[key] !== "" && row[key] !== null);
  const exact = {exact: true};
  return [
    some("panel") && {key: "panel", label: "panel", text: true},
    some("curve") && {key: "curve", label: "curve", text: true},
    {key: "x", label: figure.x.label || "x", ...exact},
    {key: "y", label: figure.y.label || "y", ...exact},
    some("low") && {key: "low", label: "lower end", ...exact},
    some("high") && {key: "high", label: "upper end", ...exact},
    rows.some((row) => row.weak) && {
      key: "weak",
      label: "load",
      text: true,
      value: (row) => (row.weak ? "unstable" : "stable"),
    },
    some("label") && {key: "label", label: "label", text: true},
    some("detail") && {key: "detail", label: "details", text: true, wide: true},
  ].filter(Boolean);
};

function drawTable(element, figure, ui) {
  const rows = pointRows(figure);
  ui.table(element, {
    caption: `Points of ${figure.title}`,
    columns: columnsOf(figure, rows),
    rows,
    rowClass: (row) => (row.weak ? "warn" : ""),
  });
}

function csvOf(figure, panel, ui) {
  const rows = pointRows({...figure, panels: [panel]});
  const columns = columnsOf(figure, rows);
  return ui.csv([
    columns.map((column) => column.label),
    ...rows.map((row) => columns.map((column) => column.value?.(row) ?? row[column.key])),
  ]);
}
