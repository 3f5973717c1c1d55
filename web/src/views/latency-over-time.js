import {goalsFor, independent, wholeEffective} from "../analysis/distribution.js";
import {reasonWithoutRows} from "../analysis/no-rows.js";
import {percentilesOf} from "../analysis/select.js";
import {endOf} from "../analysis/status.js";
import {binCount, bins, fewest, percentilesByBin, quarters} from "../analysis/time-bins.js";
import {refill} from "./refill.js";
import {counted, endOfRun, phases, steps} from "./time-parts.js";

const percents = [50, 90, 99];

/** The charts: what is drawn, and of which metric the goals and the certainty are. */
const metrics = [
  {name: "ttft", short: "TTFT", title: "Time to first token (TTFT)", values: (rows) => rows.ttft},
  {name: "tpot", short: "TPOT", title: "Time per output token (TPOT)",
    values: (rows) => rows.tpot},
  {name: "longest_gap", short: "longest token gap", title: "Longest token gap of a request (ITL)",
    values: (rows) => rows.longestGap},
  {name: "e2el", short: "E2EL", title: "End-to-end latency (E2EL)", values: (rows) => rows.e2el},
];

/** The values of requests that succeeded, others as NaN. */
function successes(rows, values, zeros) {
  const out = new Float64Array(rows.count);
  for (let i = 0; i < rows.count; ++i)
    out[i] = rows.ok(i) && (zeros || values[i] > 0) ? values[i] : NaN;
  return out;
}

/** A sentence on the first and the last quarter of the run; null without values in both. */
export function reading(ui, short, found, {known, confidence}) {
  if (found === null) return null;
  const {format} = ui;
  const {first, last, percent, change} = found;
  const what = `${percent === 50 ? "Median" : format.percentile(percent)} ${short}`;
  const whole = (value) => format.count(wholeEffective(value));
  const n = `${format.count(first.count)} and ${format.count(last.count)} requests, ` + (known
    ? `about ${whole(first.effective)} and ${whole(last.effective)} independent`
    : "how many are independent is not known");
  const values = [`${format.ms(first.value)} in the first`, `${format.ms(last.value)} in the last ` +
    `quarter of the time (${n})`];
  // Requests that follow each other are alike, so intervals of independent ones would be too short.
  if (change === "unclear" || !known)
    return `${what}: ${values[0]}, ${values[1]}; this sample does not show whether it changed.`;
  return `${what} ${change} from ${values[0]} to ${values[1]}; the ` +
    `${format.percent(confidence)} intervals do not overlap.`;
}

/** The failed requests at the time of their start. */
function failures(rows, place) {
  const at = [];
  const y = [];
  const index = [];
  for (let i = 0; i < rows.count; ++i) {
    if (rows.ok(i)) continue;
    at.push(rows.start[i] / 1e3);
    y.push(place(i));
    index.push(i);
  }
  return {x: Float64Array.from(at), y: Float64Array.from(y), index};
}

function describe(ui, run, i) {
  const {rows, strings} = run;
  const tokens = (count) => count < 0 ? "?" : ui.format.count(count);
  const lines = [`request ${rows.sequence[i]}`,
    `${tokens(rows.input[i])} input, ${tokens(rows.output[i])} output tokens`];
  if (!rows.ok(i)) {
    const after = endOf(rows, i) - rows.start[i];
    lines.push(`failed after ${ui.format.ms(after)}: ` +
      (strings.error[rows.error[i]] ?? "no message").slice(0, 120));
  }
  return lines.join("\n");
}

/** All values with the outcome, then the percentiles of the bins. */
function csvOf(ui, rows, values, into, found) {
  const out = [["what", "start (s)", "latency (ms)", "outcome"]];
  for (let i = 0; i < rows.count; ++i)
    out.push([`request ${rows.sequence[i]}`, rows.start[i] / 1e3, values[i],
      rows.ok(i) ? "ok" : "failed"]);
  percents.forEach((percent, p) => into.from.forEach((from, b) =>
    out.push([`P${percent} of ${into.width} s`, from, found[p][b], ""])));
  return ui.csv(out);
}

function drawMetric(element, ui, run, metric, context) {
  const {rows} = run;
  const all = metric.values(rows);
  const values = successes(rows, all, metric.name !== "longest_gap");
  let count = 0;
  let high = 0;
  let low = Infinity;
  for (let i = 0; i < values.length; ++i) {
    if (values[i] !== values[i]) continue;
    ++count;
    if (values[i] > high) high = values[i];
    if (values[i] > 0 && values[i] < low) low = values[i];
  }
  const untilEnd = (i) => endOf(rows, i) - rows.start[i];
  let top = high;
  if (metric.name === "e2el")
    for (let i = 0; i < rows.count; ++i) if (!rows.ok(i) && untilEnd(i) > top) top = untilEnd(i);
  // Where a failed request has no such latency, the mark is at the lower edge.
  const edge = context.log ? (low < Infinity ? low : 1) : 0.025 * top;
  const failed = failures(rows, (i) => metric.name === "e2el" && untilEnd(i) > edge ? untilEnd(i)
    : edge);
  if (count === 0 && (metric.name !== "e2el" || failed.index.length === 0)) return false;

  const sure = independent(run.facts, metric.name, count);
  const share = (percent) =>
    count > 0 ? independent(run.facts, metric.name, count, percent).count / count : 1;
  const found = percentilesByBin(rows.start, values, context.bins, percents);
  const text = reading(ui, metric.short, quarters(rows.start, values, context.begin, context.last,
    share, sure.confidence), sure);
  // A percentile that few bins can show would be a broken line.
  const filled = found.counts.reduce((sum, n) => sum + (n > 0 ? 1 : 0), 0);
  const shown = count < 10 ? [] : percents.filter((_, p) =>
    found.percentiles[p].reduce((sum, v) => sum + (v === v ? 1 : 0), 0) >= 0.5 * filled);
  const series = count === 0 ? [] : [{kind: "points", label: `request (${ui.format.count(count)})`, x: context.seconds,
    y: values, colour: "series0", width: count > 2000 ? 2 : 4, tip: (i) => describe(ui, run, i),
    pick: (i) => ui.show("swim-lanes", {row: i})}];
  const colours = ["text", "series1", "series4"];
  percents.forEach((percent, p) => {
    if (shown.includes(percent))
      series.push(steps(context.bins, found.percentiles[p], context.last / 1e3, {width: 2, colour: colours[p],
        label: percent === 50 ? "median" : ui.format.percentile(percent)}));
  });
  if (failed.index.length > 0)
    series.push({kind: "points", label: `failed (${ui.format.count(failed.index.length)})`,
      x: failed.x, y: failed.y, colour: "bad", marker: "cross", width: failed.index.length > 500 ? 4 : 7,
      tip: (i) => describe(ui, run, failed.index[i]),
      pick: (i) => ui.show("swim-lanes", {row: failed.index[i]})});
  if (text !== null) ui.note(element, text);
  ui.chart(element, {
    title: metric.title,
    label: `${metric.title} of ${counted(ui, count, "request")} by the time of their start, with ` +
      `percentiles for every ${ui.format.number(context.bins.width)} s` +
      (failed.index.length > 0 ? ` and ${counted(ui, failed.index.length, "failed request")}` : "") +
      (text === null ? "." : `. ${text}`),
    x: {label: "start of the request", unit: "s", time: true, min: 0, max: context.end},
    y: [{label: "latency", unit: "ms", log: context.log}],
    csv: () => csvOf(ui, rows, all, context.bins, found.percentiles),
    series,
    shades: context.shades,
    lines: goalsFor(run.facts, metric.name).map((goal) => ({y: goal.limitMs, label: goal.goal,
      kind: "goal"})),
    legend: true,
    height: 230,
  });
  return true;
}

/** Whether a few requests are so slow that a linear axis would hide the others. */
function spread(rows) {
  const [p50, p999] = percentilesOf(successes(rows, rows.ttft, true), [50, 99.9]);
  const [e50, e999] = percentilesOf(successes(rows, rows.e2el, true), [50, 99.9]);
  return p999 > 12 * p50 || e999 > 12 * e50;
}

/** @type {import("../ui/index.js").View} */
export default {
  id: "latency-over-time",
  title: "Latency over time",
  question: "Did latency change while the run went on, and when did requests fail?",
  available: (report, run = report.runs[0]) =>
    (run?.count ?? 0) > 0 ? true : reasonWithoutRows(run, "there is no latency to show"),

  draw(element, report, page) {
    let scale = null;
    refill(element, page, (ui, again) => {
      const run = ui.run();
      const {rows} = run;
      if (rows.count === 0) {
        ui.note(element, reasonWithoutRows(run));
        return;
      }
      const end = endOfRun(rows);
      const seconds = new Float64Array(rows.count);
      let begin = Infinity;
      let last = -Infinity;
      for (let i = 0; i < rows.count; ++i) {
        const at = rows.start[i];
        seconds[i] = at / 1e3;
        if (at < begin) begin = at;
        if (at > last) last = at;
      }
      const log = scale === null ? spread(rows) : scale === "log";
      const into = bins(last / 1e3, binCount(rows.count));
      const context = {seconds, begin, last, end, log, bins: into, shades: phases(run, end)};
      const tools = ui.el("div", {class: "tools"});
      element.append(tools);
      ui.choice(tools, "Latency axis", [{value: "linear", label: "linear"},
        {value: "log", label: "logarithmic"}], log ? "log" : "linear", (value) => {
        scale = value;
        again();
      });
      const grid = ui.grid(element, 2);
      const missing = [];
      for (const metric of metrics) {
        const cell = ui.el("div", {class: "cell"});
        grid.append(cell);
        if (!drawMetric(cell, ui, run, metric, context)) {
          cell.remove();
          missing.push(metric.short);
        }
      }
      if (missing.length > 0)
        ui.note(element, `No successful request has ${missing.join(", ")}, so there is no chart of it.`);
      ui.note(element, `Each dot is a request at the time of its start; a click shows it among the ` +
        `swim lanes. TPOT is the mean gap between the tokens of a request. Crosses are failed requests, ` +
        `at the lower edge where they have no such latency. Lines are percentiles of the requests that start within the same ` +
        `${ui.format.number(into.width)} s: P90 where there are at least ${fewest(90)} requests, ` +
        `P99 from ${fewest(99)} on, both only if at least half of the times have as many.`);
    });
  },
};
