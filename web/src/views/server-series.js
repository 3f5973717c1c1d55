// What the server said about itself during the run, on the clock of the requests.

import {isStart, reasonWithoutRows} from "../analysis/no-rows.js";
import {isShare, panelsOf, peakOf, scrapesOf} from "../analysis/series-panels.js";

const mostPanels = 24;
const mostLines = 12;
const nothing = "Nothing was scraped from the server: start the run with --observe to record its own figures " +
  "(running and waiting requests, KV cache, prefix hits, preemptions, power).";

/** A sentence about the panels: the queue of the server and its cache. */
export function readingOf(panels, format) {
  const peak = (name) => {
    const panel = panels.find((each) => each.name === name);
    return panel === undefined ? null : {...peakOf(panel), panel};
  };
  const parts = [];
  const waiting = peak("waiting");
  if (waiting !== null) {
    parts.push(waiting.value > 0
      ? `requests waited inside the server: up to ${format.number(waiting.value)} at ${format.time(waiting.at)}`
      : "no request waited inside the server");
  }
  const running = peak("running");
  if (running !== null) parts.push(`at most ${format.number(running.value)} ran at the same time`);
  const cache = peak("kv_cache_usage");
  if (cache !== null && isShare(cache.panel)) parts.push(`its KV cache was ${format.percent(cache.value)} full at most`);
  const preemptions = peak("preemptions");
  if (preemptions !== null && preemptions.value > 0) parts.push(`it preempted requests, most at ${format.time(preemptions.at)}`);
  if (parts.length === 0) return "";
  const text = parts.join("; ");
  return `${text[0].toUpperCase()}${text.slice(1)}.`;
}

function specOf(panel, ui) {
  const share = isShare(panel);
  const {format} = ui;
  const lines = panel.lines.slice(0, mostLines);
  return {
    title: panel.title, label: panel.help,
    x: {label: "time of the run", time: true},
    y: [{label: share ? "share" : panel.unit === "B" ? "memory" : panel.unit || "number", unit: "",
      format: share ? format.percent : panel.unit === "B" ? format.bytes : format.number, ...(share ? {min: 0} : {})}],
    series: lines.map((line) => ({label: line.label, x: line.x, y: line.y, kind: "line"})),
    height: 170, legend: lines.length > 1,
  };
}

function drawRun(element, run, ui) {
  const {format, el} = ui;
  const panels = panelsOf(run.facts.series);
  const {scrapes, failed, firstError} = scrapesOf(run.facts.series);
  if (panels.length === 0) {
    ui.note(element, scrapes === 0 ? nothing
      : `None of the ${format.count(scrapes)} scrapes brought a figure${firstError ? `; the first error: ${firstError}` : ""}.`, "warn");
    return;
  }
  const reading = readingOf(panels, format);
  if (reading !== "") ui.note(element, reading);
  if (failed > 0) {
    ui.note(element, `${format.count(failed)} of ${format.count(scrapes)} scrapes failed and are gaps in the lines` +
      `${firstError ? `; the first error: ${firstError}` : ""}.`, "warn");
  }
  const grid = ui.grid(element, 3);
  const draw = (list) => { for (const panel of list) ui.chart(grid, specOf(panel, ui)); };
  draw(panels.slice(0, mostPanels));
  if (panels.length > mostPanels) {
    const more = el("button", {type: "button", onclick: () => {
      more.remove();
      draw(panels.slice(mostPanels));
    }}, `Draw ${format.count(panels.length - mostPanels)} more`);
    element.append(more);
  }
  const cut = panels.filter((panel) => panel.lines.length > mostLines);
  if (cut.length > 0) {
    ui.note(element, `Only the first ${mostLines} lines are drawn of: ` +
      `${cut.map((panel) => `${panel.title} (${format.count(panel.lines.length)})`).join(", ")}.`);
  }
  const sources = run.facts.series.sources ?? [];
  ui.table(element, {
    caption: "What was scraped",
    columns: [{key: "url", label: "address", text: true, wide: true}, {key: "server", label: "server", text: true, value: (row) => row.server || "unknown"},
      {key: "scrapes", label: "scrapes", format: format.count}, {key: "failed", label: "failed", format: format.count},
      {key: "first_error", label: "first error", text: true, wide: true, value: (row) => row.first_error ?? ""}],
    rows: sources, pageSize: 12, rowClass: (row) => (row.failed > 0 ? "warn" : ""),
  });
}

/** @type {import("../ui/index.js").View} */
export default {
  id: "server-series",
  title: "Server",
  question: "What did the server report about itself during the run?",
  early: true,
  available: (report, run) => ((run.facts.series?.sources ?? []).length > 0 ? true
    : isStart(run) ? reasonWithoutRows(run) : nothing),
  draw(element, report, ui) {
    drawRun(element, ui.run(), ui);
  },
};
