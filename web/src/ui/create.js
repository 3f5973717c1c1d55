// Makes what a view may use, for one section of the page.
import {csv} from "../data/csv.js";
import {Chart} from "./chart/chart.js";
import {download} from "./download.js";
import {el} from "./el.js";
import {format} from "./format.js";
import {Table} from "./table.js";

/** The zoom that all charts with a time axis share. */
export function makeTimeRange() {
  const listeners = new Set();
  let range = null;
  return {
    get: () => range,
    set(a, b) {
      range = a === null || a === undefined ? null : [a, b];
      for (const listener of [...listeners]) listener(range);
    },
    /** @returns a function that ends the listening */
    on(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/**
 * @param {object} page  {theme, timeRange, selected(), select(run), show(id, argument), shown(f)}
 * @returns the ui of a section, with `clear()`, `print(on)` and `ownsRun()` for the page
 */
export function createUi(page) {
  let charts = [],
    ends = [],
    runListeners = [],
    printListeners = [],
    showListeners = [];
  const parts = {theme: page.theme, timeRange: page.timeRange, download};
  const ui = {
    run: page.selected,
    selectRun: page.select,
    onRun: (f) => void runListeners.push(f),
    chart(element, spec) {
      const chart = new Chart(element, spec, parts);
      charts.push(chart);
      return chart;
    },
    table: (element, spec) => new Table(element, spec, parts),
    note(element, text, kind = "note") {
      const note = el("p", {class: `note ${kind}`}, text);
      element.append(note);
      return note;
    },
    grid(element, columns = 2) {
      const grid = el("div", {class: "grid", style: {"--columns": String(columns)}});
      element.append(grid);
      return grid;
    },
    el,
    choice(element, label, options, value, f) {
      const select = el(
        "select",
        {onchange: () => f(select.value)},
        options.map((option) =>
          el("option", {value: option.value, selected: option.value === value}, option.label),
        ),
      );
      const whole = el("label", {class: "choice"}, label, " ", select);
      element.append(whole);
      return whole;
    },
    format,
    palette: page.theme.palette,
    onTheme: (f) => void ends.push(page.theme.on(f)),
    timeRange: {
      get: page.timeRange.get,
      set: page.timeRange.set,
      on: (f) => void ends.push(page.timeRange.on(f)),
    },
    onPrint: (f) => void printListeners.push(f),
    download,
    csv,
    show: page.show,
    onShow(f) {
      showListeners.push(f);
      page.shown(f);
    },

    /** Forgets the charts and listeners of the former drawing. */
    clear() {
      for (const chart of charts) chart.destroy();
      for (const end of ends) end();
      ((charts = []),
        (ends = []),
        (runListeners = []),
        (printListeners = []),
        (showListeners = []));
    },
    print(on) {
      for (const chart of charts) chart.print(on);
      for (const listener of printListeners) listener(on);
    },
    /** Tells the view which run is selected; false: the view does not listen. */
    tellRun(run) {
      for (const listener of runListeners) listener(run);
      return runListeners.length > 0;
    },
    tellShow(argument) {
      for (const listener of showListeners) listener(argument);
    },
  };
  return ui;
}
