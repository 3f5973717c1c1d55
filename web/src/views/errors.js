// Failed requests: of which kind, in which phase, when, and what the server said.

import {cut, failures, finishReasons, groupName, overTime, stack} from "../analysis/error-counts.js";
import {reasonWithoutRows} from "../analysis/no-rows.js";
import {sampleText} from "../analysis/sample.js";

const colours = ["bad", "series1", "series3", "series4", "series5", "series6", "muted"];
const mostText = 300;

/** A sentence about the failures. */
export function readingOf({groups, failed}, count, format) {
  if (count === 0) return "No request was sent.";
  if (failed === 0) return `None of the ${format.count(count)} requests failed.`;
  const [first] = groups;
  const most = groups.length === 1 ? `all of them: ${groupName(first)}`
    : `most often (${format.count(first.count)}): ${groupName(first)}`;
  const when = first.firstAt === first.firstAt
    ? `, first at ${format.time(first.firstAt / 1000)} of the run${first.count > 1 ? `, last at ${format.time(first.lastAt / 1000)}` : ""}` : "";
  return `${format.count(failed)} of ${format.count(count)} requests failed (${format.percent(failed / count)}), ${most}${when}.`;
}

function chartOf(rows, found, ui) {
  const {edges, layers, ok} = overTime(rows, found);
  const x = edges.subarray(0, edges.length - 1);
  const x1 = edges.subarray(1);
  return {
    title: "Failures over time", label: "How many requests failed in each interval, by kind and phase.",
    x: {label: "time of the run", time: true}, y: [{label: "failed requests", unit: "1", format: ui.format.count}],
    series: stack(layers).map(({label, counts, lower}, at) =>
      ({label, x, x1, y: counts, base: lower, kind: "bars", colour: colours[Math.min(at, colours.length - 1)]})),
    legend: true, height: 220,
    csv: () => ui.csv([["from (s)", "to (s)", "ok", ...layers.map(({label}) => label)],
      ...Array.from(ok, (count, at) => [edges[at], edges[at + 1], count, ...layers.map(({counts}) => counts[at])])]),
  };
}

/** A text of the server: cut, and whole on demand. */
function textNode(text, ui) {
  const {el} = ui;
  if (text === "") return el("span", {class: "muted"}, "no text");
  if (text.length <= mostText) return el("span", {class: "server-text"}, text);
  return el("details", {class: "server-text"}, el("summary", {}, cut(text, mostText)), el("pre", {}, text));
}

function drawGroups(element, run, found, ui) {
  const {format, el} = ui;
  const texts = run.strings.error;
  ui.table(element, {
    caption: "Failures by class, HTTP status and phase",
    columns: [
      {key: "status", label: "class", text: true},
      {key: "http", label: "HTTP status", value: (group) => (group.http > 0 ? group.http : null),
        format: (value) => (value === null ? "no answer" : String(value))},
      {key: "phase", label: "phase", text: true, help: "What the request was doing when it failed"},
      {key: "count", label: "requests", format: format.count},
      {key: "share", label: "of all", value: (group) => group.count / run.rows.count, format: format.percent},
      {key: "firstAt", label: "first at", value: (group) => group.firstAt / 1000, format: format.time},
      {key: "lastAt", label: "last at", value: (group) => group.lastAt / 1000, format: format.time},
      {key: "text", label: "what the first said", wide: true, text: true,
        value: (group) => (group.error >= 0 ? String(texts[group.error] ?? "") : ""),
        node: (value) => textNode(value, ui)},
      {key: "texts", label: "texts", help: "Number of different texts", format: format.count},
      {key: "first", label: "request", value: (group) => run.rows.sequence[group.first],
        node: (value, group) => el("button", {type: "button", class: "link",
          "aria-label": `Show request ${value} in its lane`, onclick: () => ui.show("swim-lanes", {row: group.first})}, String(value))},
    ],
    rows: found.groups, sort: {key: "count", down: true}, pageSize: 12,
  });
}

function drawReasons(element, run, ui) {
  const reasons = finishReasons(run.rows, run.strings.finish_reason);
  if (reasons.length === 0) return;
  element.append(ui.el("h3", {}, "Finish reasons"));
  const total = run.rows.count;
  ui.table(element, {
    caption: "Finish reasons",
    columns: [
      {key: "reason", label: "finish reason", text: true},
      {key: "ok", label: "successful", format: ui.format.count},
      {key: "failed", label: "failed", format: ui.format.count},
      {key: "share", label: "of all", value: (row) => (row.ok + row.failed) / total, format: ui.format.percent},
    ],
    rows: reasons, pageSize: 10,
  });
}

/** The failures by the result file, which counts all requests. */
function drawAll(element, run, ui) {
  const {format} = ui;
  element.append(ui.el("h3", {}, "All failures of the run"));
  ui.table(element, {
    caption: "All failures of the run",
    columns: [
      {key: "class", label: "class", text: true},
      {key: "http_status", label: "HTTP status", format: (value) => (value > 0 ? String(value) : "no answer")},
      {key: "count", label: "requests", format: format.count},
      {key: "first", label: "what the first said", wide: true, text: true, value: (row) => String(row.first ?? ""),
        node: (value) => textNode(value, ui)},
    ],
    rows: run.facts.errors ?? [], pageSize: 12,
  });
}

function drawRun(element, run, ui) {
  const found = failures(run.rows);
  const sample = sampleText(run, ui.format.count);
  if (sample !== "") {
    const failed = run.facts.accounting?.failed;
    if (failed > 0) ui.note(element, `${ui.format.count(failed)} of ${ui.format.count(run.total)} requests failed.`, "bad");
    ui.note(element, sample, "warn");
    drawAll(element, run, ui);
  }
  ui.note(element, `${sample === "" ? "" : "Of the requests in this file: "}${readingOf(found, run.rows.count, ui.format)}`, found.failed === 0 ? "good" : "bad");
  const accounting = run.facts.accounting ?? {};
  if (accounting.never_sent > 0) {
    ui.note(element, `${ui.format.count(accounting.never_sent)} further requests were planned and never sent` +
      `${run.interrupted ? ", because the run was interrupted" : ""}.`);
  }
  if (accounting.sent_again > 0)
    ui.note(element, `${ui.format.count(accounting.sent_again)} requests were sent a second time on a new connection.`);
  if (found.failed > 0) {
    ui.chart(element, chartOf(run.rows, found, ui));
    drawGroups(element, run, found, ui);
  }
  drawReasons(element, run, ui);
}

/** @type {import("../ui/index.js").View} */
export default {
  id: "errors",
  title: "Errors",
  question: "Which requests failed, when, and what did the server say?",
  available: (report, run) => (run.count > 0 ? true : reasonWithoutRows(run)),
  draw(element, report, ui) {
    drawRun(element, ui.run(), ui);
  },
};
