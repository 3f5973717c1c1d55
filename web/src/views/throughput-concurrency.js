import {arrivalWork, concurrencyLimit, inFlight, little, meanInFlight, offeredAndServed, outputRate, paced,
  plannedRate, rates, steadyWindow} from "../analysis/load.js";
import {reasonWithoutRows} from "../analysis/no-rows.js";
import {endOf} from "../analysis/status.js";
import {bins} from "../analysis/time-bins.js";
import {counted, endOfRun, phases, steps} from "./time-parts.js";

/** The number of bins grows with the root of the requests, as the noise of a count does. */
const wanted = (count) => Math.max(1, Math.min(200, Math.round(1.2 * Math.sqrt(count))));

/** The window of the sentences: the steady one, else the second half of the schedule. */
function windowOf(run) {
  const found = steadyWindow(run.facts);
  if (found.reason === undefined)
    return {from: found.begin * 1e3, to: found.end * 1e3, name: "the steady window"};
  return {from: NaN, to: NaN, name: "the second half of the schedule"};
}

/** Below this number of requests due, the ends at the edges of the window decide the served rate. */
const fewDue = 20;

/** Whether the server kept up with the offered rate; null: the requests had no rate. */
export function readingOfRate(ui, run) {
  const {format} = ui;
  const {from, to, name} = windowOf(run);
  if (!paced(run)) return null;
  const {offered, served, due, done} = offeredAndServed(run.rows, from, to);
  if (!(offered > 0)) return null;
  const counts = `${counted(ui, due, "request")} due, ${format.count(done)} ended well`;
  const planned = plannedRate(run);
  const numbers = `In ${name}, ${format.rate(offered)} requests/s were offered ` +
    `${planned === null ? "" : `(request rate ${format.rate(planned)}) `}and ` +
    `${format.rate(served)} requests/s served (${counts})`;
  if (due < fewDue) return {text: `${numbers}: too few requests to say whether the server kept up.`};
  if (offered > served * 1.05)
    return {text: `${numbers}: ${format.percent(1 - served / offered)} were not served in time, so ` +
      "the queue grew or requests failed.", kind: "warn"};
  return {text: `${numbers}: served and offered rate are within 5 % of each other.`};
}

function drawRates(element, ui, run, into, end, shades) {
  const {rows} = run;
  const ok = rates(rows.end.map((_, i) => rows.ok(i) ? endOf(rows, i) : NaN), into);
  const series = [];
  if (paced(run))
    series.push(steps(into, rates(rows.due, into), end, {label: "offered (due)", colour: "muted",
      dash: [5, 3]}));
  series.push(steps(into, rates(rows.start, into), end, {label: "sent", colour: "series1", hidden: true}));
  series.push(steps(into, ok, end, {label: "served", colour: "series0", width: 2}));
  const failed = rates(rows.end.map((_, i) => rows.ok(i) ? NaN : endOf(rows, i)), into);
  if (failed.some((rate) => rate > 0))
    series.push(steps(into, failed, end, {label: "failed", colour: "bad"}));
  const text = readingOfRate(ui, run);
  if (text !== null) ui.note(element, text.text, text.kind);
  else if (!paced(run))
    ui.note(element, "All requests were due at the start: " +
      (concurrencyLimit(run) === null ? "there was no limit on requests in flight."
        : "the next request went out when another one had ended, so the server set the rate."));
  ui.chart(element, {
    title: "Requests per second",
    label: `Requests per second in steps of ${ui.format.number(into.width)} s. ${text?.text ?? ""}`,
    x: {label: "time", unit: "s", time: true, min: 0, max: end},
    y: [{label: "requests", unit: "req/s"}],
    series, shades,
  });
}

function drawTokens(element, ui, run, into, end, shades) {
  const tokens = outputRate(run.rows, into);
  if (!tokens.some((rate) => rate > 0)) return false;
  const figure = run.metric?.("output_throughput")?.value;
  const text = typeof figure === "number"
    ? `${ui.format.rate(figure)} output tokens/s over the whole run, warm-up and drain included` +
      (typeof run.facts.steady?.figures?.output_throughput === "number" && run.facts.steady.found
        ? `; ${ui.format.rate(run.facts.steady.figures.output_throughput)} in the steady window ` +
          `(${counted(ui, run.facts.steady.requests, "request")}).` : ".") : null;
  if (text !== null) ui.note(element, text);
  ui.chart(element, {
    title: "Output tokens per second",
    label: `Output tokens per second; the tokens of a request are spread evenly from its first to ` +
      `its last event. ${text ?? ""}`,
    x: {label: "time", unit: "s", time: true, min: 0, max: end},
    y: [{label: "output tokens", unit: "token/s"}],
    series: [steps(into, tokens, end, {label: "output tokens", colour: "series2", width: 2})],
    legend: true,
    shades,
  });
  return true;
}

function drawConcurrency(element, ui, run, into, end, shades) {
  const flight = inFlight(run.rows, into);
  const limit = concurrencyLimit(run);
  let most = 0;
  for (const value of flight.high) if (value > most) most = value;
  const centre = into.from.map((from, b) => from + into.lengths[b] / 2);
  const text = `At most ${counted(ui, most, "request")} were in flight at the same time` +
    (limit === null ? "." : `; the limit was ${ui.format.count(limit)}.`);
  ui.note(element, text);
  ui.chart(element, {
    title: "Requests in flight",
    label: `Requests in flight over time. ${text}`,
    x: {label: "time", unit: "s", time: true, min: 0, max: end},
    y: [{label: "requests in flight"}],
    series: [
      {kind: "band", label: "lowest to highest", x: centre, y: flight.mean, lower: flight.low,
        upper: flight.high, colour: "series0"},
      {kind: "line", label: "mean", x: centre, y: flight.mean, colour: "series0", width: 2},
    ],
    shades,
    lines: limit === null ? [] : [{y: limit, label: `--max-concurrency ${limit}`, kind: "note"}],
  });
}

/** Little's law, in bins that are longer than most requests. */
function drawLaw(element, ui, run, end, shades) {
  const {format} = ui;
  const whole = little(run.rows, 0, end * 1e3);
  const into = bins(end, Math.max(1, Math.min(wanted(run.rows.count) / 2,
    whole.w > 0 ? end / whole.w : 1)));
  const found = steadyWindow(run.facts);
  const part = found.reason === undefined
    ? little(run.rows, found.begin * 1e3, found.end * 1e3) : whole;
  const where = found.reason === undefined ? "In the steady window" : "Over the whole run";
  const text = part.n > 0 ? `${where} λ·W is ${format.number(part.lambda * part.w)} and N is ` +
    `${format.number(part.n)}, a residual of ${signed(format, part.residual)} ` +
    `(${counted(ui, part.count, "start")}).` : null;
  if (text !== null) ui.note(element, text);
  ui.chart(element, {
    title: "Little's law: λ·W against N",
    label: `λ·W, the load that the requests starting in each ${format.number(into.width)} s bring, ` +
      `and N, the mean number of requests in flight. ${text ?? ""}`,
    x: {label: "time", unit: "s", time: true, min: 0, max: end},
    y: [{label: "requests in flight"}],
    series: [
      steps(into, meanInFlight(run.rows, into), end, {label: "N", colour: "series0", width: 2}),
      steps(into, arrivalWork(run.rows, into), end, {label: "λ·W of the starts", colour: "series1",
        dash: [4, 3], width: 2}),
    ],
    shades,
  });
}

function signed(format, v) {
  if (v !== v) return "–";
  // What rounding of sums leaves is no residual.
  const kept = Math.abs(v) < 1e-9 ? 0 : v;
  return `${kept > 0 ? "+" : ""}${format.percent(kept)}`;
}

/** Below this number of starts a mean says nothing about the part. */
const fewStarts = 10;

function drawTable(element, ui, run, end) {
  const {format} = ui;
  const found = steadyWindow(run.facts);
  const parts = [["whole run", 0, end]];
  if (found.reason === undefined)
    parts.unshift(["warm-up", 0, found.begin], ["steady window", found.begin, found.end],
      ["drain", found.end, end]);
  const rows = parts.filter(([, from, to]) => to > from).map(([name, from, to]) => ({name, from, to,
    ...little(run.rows, from * 1e3, to * 1e3)}));
  ui.table(element, {
    caption: "Little's law by part of the run",
    columns: [
      {key: "name", label: "part", text: true},
      {key: "time", label: "time", text: true, value: (r) => r.from,
        format: (_, r) => `${format.time(r.from)} to ${format.time(r.to)}`},
      {key: "count", label: "starts", format: format.count},
      {key: "lambda", label: "λ", unit: "req/s", help: "Requests that started per second",
        format: format.rate},
      {key: "w", label: "W", unit: "s", help: "Mean time that these requests were in flight",
        format: format.number},
      {key: "product", label: "λ·W", value: (r) => r.count > 0 ? r.lambda * r.w : 0, format: format.number},
      {key: "n", label: "N", help: "Mean number of requests in flight", format: format.number},
      {key: "residual", label: "λ·W / N − 1", value: (r) => r.count < fewStarts ? NaN : r.residual,
        format: (v) => signed(format, v)},
    ],
    rows, search: false,
  });
  ui.note(element, "Little's law: in a steady part λ·W equals N. A residual far from 0 means that " +
    "the part was not steady (requests reach beyond its ends); in the whole run it is 0 by " +
    "construction, unless times are wrong." +
    (found.reason === undefined ? ` Steady window by ${found.source}.`
      : ` No steady window is shaded: ${found.reason}.`));
}

/** @type {import("../ui/index.js").View} */
export default {
  id: "throughput-concurrency",
  title: "Throughput and concurrency over time",
  question: "Did the server keep up with the offered load, and when was the load steady?",
  available: (report, run = report.runs[0]) =>
    (run?.count ?? 0) > 0 ? true : reasonWithoutRows(run, "there is no throughput to show"),

  draw(element, report, ui) {
    const run = ui.run();
    if (run.rows.count === 0) {
      ui.note(element, reasonWithoutRows(run));
      return;
    }
    const end = endOfRun(run.rows);
    const into = bins(end, wanted(run.rows.count));
    const shades = phases(run, end);
    const grid = ui.grid(element, 2);
    const cell = () => {
      const made = ui.el("div", {class: "cell"});
      grid.append(made);
      return made;
    };
    drawRates(cell(), ui, run, into, end, shades);
    const tokens = cell();
    const without = !drawTokens(tokens, ui, run, into, end, shades);
    if (without) tokens.remove();
    drawConcurrency(cell(), ui, run, into, end, shades);
    drawLaw(cell(), ui, run, end, shades);
    if (without)
      ui.note(element, "No successful request has output tokens, so their rate is not drawn.");
    drawTable(element, ui, run, end);
  },
};
