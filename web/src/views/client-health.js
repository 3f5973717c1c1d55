// Was the client the limit? The verdict of the run, and how late the client was over time.

import {scopeOf} from "../analysis/client-scope.js";
import {answerOf, lateSpans, lengthOf, paced, scheduleLag} from "../analysis/client-verdict.js";
import {reasonWithoutRows} from "../analysis/no-rows.js";
import {sampleText} from "../analysis/sample.js";

const limitTexts = {
  error_bound: ["largest error of a latency, in relation to its limit", "×"],
  local_failures: ["connections not made because ports or descriptors ran out", ""],
  answers_without_end_mark: ["answers without an end mark", ""],
  answers_shorter_than_promised: ["answers shorter than --ignore-eos promises", ""],
  retransmits: ["segments that TCP sent again, per request", "%"],
  small_buffers: ["connections with small buffers", ""],
  starved: ["requests due before their sample was ready", "%"],
  loop_lag_p99_ms: ["loop lag, P99", "ms"],
  longest_standstill_ms: ["longest standstill of the event loop", "ms"],
};
const signTexts = {
  longest_standstill_ms: ["longest standstill of the event loop", "ms"],
  cgroup_throttled: ["time in which the system kept the client from running (CPU quota)", "%"],
  run_delay: ["time for which a worker waited for a core", "%"],
  longest_wait_in_a_second: ["wait for a core in the worst second", "%"],
  cpu_busiest_second: ["CPU of a worker in its busiest second", "%"],
  cpu: ["CPU of the busiest worker during the whole run", "%"],
  kernel_to_client_p99_ms: ["from the kernel to the client, P99", "ms"],
  loop_lag_p99_ms: ["event loop busy, P99", "ms"],
};

function value(number, unit, format) {
  if (typeof number !== "number") return "none";
  if (unit === "%") return format.percent(number);
  if (unit === "ms") return format.ms(number);
  return unit === "×" ? `${format.number(number)}×` : format.number(number);
}

/**
 * The judged signals and the possible causes, each with the state of its limit.
 * @returns {{text: string, unit: string, figure: number, suspect: number, invalid: number | null, told: number | null,
 *   state: "good" | "warn" | "bad" | "told", tone: "" | "warn" | "bad"}[]} tone: its colour. Only a judged signal above
 *   its limit is a reason of the verdict; a cause never is
 */
export function signalsOf(client) {
  const valid = client?.verdict === "VALID";
  const judged = (client?.limits ?? []).map((limit) => {
    const [text, unit] = limitTexts[limit.name] ?? [limit.name, ""];
    const state = typeof limit.invalid === "number" && limit.figure > limit.invalid ? "bad"
      : limit.figure > limit.suspect ? "warn" : "good";
    return {text, unit, figure: limit.figure, suspect: limit.suspect, invalid: limit.invalid, told: null, state,
      tone: valid || state === "good" ? "" : client?.verdict === "SUSPECT" ? "warn" : state};
  });
  const told = (client?.signs ?? []).map((sign) => {
    const [text, unit] = signTexts[sign.name] ?? [sign.name, ""];
    return {text, unit, figure: sign.figure, suspect: NaN, invalid: NaN, told: sign.told_above,
      state: sign.figure > sign.told_above ? "told" : "good", tone: ""};
  });
  return [...judged, ...told];
}

function drawSignals(element, client, ui) {
  const rows = signalsOf(client);
  if (rows.length === 0) return;
  const {format} = ui;
  const states = {good: "within", warn: "suspect", bad: "invalid", told: "observed"};
  const valid = client?.verdict === "VALID";
  const limit = (v, row) => (row.told !== null ? "sign only" : value(v, row.unit, format));
  element.append(ui.el("h3", {}, "What was judged, and signs of a cause"));
  ui.table(element, {
    caption: "Signals of the client",
    columns: [
      {key: "text", label: "signal", text: true, wide: true},
      {key: "figure", label: "figure", format: (v, row) => value(v, row.unit, format)},
      {key: "suspect", label: "suspect above", format: limit},
      {key: "invalid", label: "invalid above", format: limit},
      {key: "told", label: "told above", help: "A sign of a cause is told above this value, and never changes the verdict",
        format: (v, row) => (v === null ? "–" : v === 0 ? "any" : value(v, row.unit, format))},
      {key: "state", label: "state", text: true,
        format: (v) => (valid && (v === "warn" || v === "bad") ? "above, not judged" : states[v])},
    ],
    rows, rowClass: (row) => row.tone, pageSize: 30,
  });
}

const figureNames = {ttft: "TTFT", tpot: "TPOT", itl: "ITL", e2el: "E2EL", ttft_from_due: "TTFT from due",
  e2el_from_due: "E2EL from due", ttft_text: "First text", ttft_answer: "First answer text",
  client_queue_time: "Client Queue Time", e2el_including_client_queue: "E2EL incl. Client Queue"};

/** The label of a figure: that of the result file, else ours. */
export function figureName(run, name) {
  return run.metrics?.find((metric) => metric.name === name)?.label || figureNames[name] || name.replaceAll("_", " ");
}

function drawBounds(element, run, client, ui) {
  const bounds = client?.error_bound_ms ?? {};
  const rows = Object.entries(bounds).map(([name, of]) => ({figure: figureName(run, name), ...(of ?? {}), unknown: of === null}));
  if (rows.length === 0) return;
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((name) => /^p\d/.test(name) && name !== "p50")
    .sort((a, b) => Number(a.slice(1)) - Number(b.slice(1)));
  const {format} = ui;
  const show = (v, row) => (row.unknown ? "unknown" : boundText(v, format));
  element.append(ui.el("h3", {}, "How far off each figure can be because of the client"));
  ui.table(element, {
    caption: "Error bounds of the client",
    columns: [{key: "figure", label: "figure", text: true}, {key: "mean", label: "mean", format: show},
      {key: "median", label: "median", format: show},
      ...names.map((name) => ({key: name, label: name.toUpperCase(), format: show}))],
    rows, pageSize: 20,
  });
}

function drawConnections(element, client, ui) {
  const connections = client?.connections ?? [];
  if (connections.length === 0) return;
  const {count} = ui.format;
  const column = (key, label, help) => ({key, label, help, format: count});
  element.append(ui.el("h3", {}, "Connections"));
  ui.table(element, {
    caption: "Connections by server",
    columns: [{key: "server", label: "server", text: true}, column("requests", "requests"), column("connects", "opened"),
      column("opened_ahead", "opened ahead"), column("reuses", "reused"), column("closed_idle", "closed idle", "Closed by the server while idle"),
      column("not_reusable", "not reusable"), column("sent_again", "sent again", "Requests that were sent a second time"),
      column("retransmits", "resent", "Segments that TCP sent again"), column("small_buffers", "small buffers")],
    rows: connections, pageSize: 12,
  });
}

function drawWorkers(element, client, ui) {
  const workers = client?.workers ?? [];
  if (workers.length === 0) return;
  const {format} = ui;
  element.append(ui.el("h3", {}, "Threads of the client"));
  ui.table(element, {
    caption: "Threads of the client",
    columns: [
      {key: "worker", label: "worker", value: (row) => row.at},
      {key: "cpu", label: "CPU", value: (row) => row.cpu_s / row.wall_s, format: format.percent, help: "Of a core, during the run"},
      {key: "busiest", label: "busiest second", value: (row) => row.cpu_busiest_second ?? NaN, format: format.percent},
      {key: "delay", label: "waited for a core", value: (row) => row.run_delay_s / row.wall_s, format: format.percent},
      {key: "lag", label: "loop lag P99", value: (row) => row.loop_lag_ms?.p99 ?? NaN, format: format.ms},
      {key: "lagMax", label: "longest", value: (row) => row.loop_lag_ms?.max ?? NaN, format: format.ms},
      {key: "launch", label: "launch lag P99", value: (row) => row.launch_lag_ms?.p99 ?? NaN, format: format.ms,
        help: "From when a request could be sent to its start"},
      {key: "standstills", label: "standstills", format: format.count},
      {key: "starved", label: "starved", format: format.count, help: "Requests due before their sample was ready"},
    ],
    rows: workers.map((worker, at) => ({...worker, at})), pageSize: 16,
  });
}

/** The powers of ten around the values, so that a logarithmic axis has labels. */
export function decades(values) {
  let low = Infinity;
  let high = 0;
  for (let i = 0; i < values.length; ++i) {
    if (values[i] > 0 && values[i] < low) low = values[i];
    if (values[i] > high) high = values[i];
  }
  if (high === 0) return {min: 0.01, max: 1};
  const from = Math.floor(Math.log10(Math.max(low, 1e-3)));
  return {min: 10 ** from, max: 10 ** Math.max(from + 1, Math.ceil(Math.log10(high) - 1e-9))};
}

/** A bound: three digits, never rounded down. */
export function boundText(ms, format) {
  if (typeof ms !== "number" || ms === 0) return format.ms(ms);
  if (ms < 0.001) return "\u2264 0.001 ms";
  const unit = 10 ** (Math.floor(Math.log10(ms)) - 2);
  return format.ms(Math.ceil(ms / unit - 1e-9) * unit);
}

function lagChart(run, found, spans, valid, ui) {
  const {format} = ui;
  const limited = (run.description.max_concurrency ?? null) !== null;
  return {
    title: "Lag of the schedule", label: "From when the schedule wanted each request to when its first byte was sent.",
    x: {label: "time of the run", time: true},
    y: [{label: "sent after due", unit: "ms", log: true, format: format.number, ...decades(found.lag)}],
    series: [{label: limited ? "sent − due (with the wait for a permit)" : "sent − due", x: found.at,
      y: found.lag.map((lag) => (lag > 0 ? Math.max(lag, 1e-3) : lag)), kind: "points", colour: "series0",
      tip: (i) => `request ${run.rows.sequence[i]}`, pick: (i) => ui.show("swim-lanes", {row: i})}],
    shades: spans.map(({from, to, kind}) => (valid ? {from, to, kind: "note", label: "client late"}
      : {from, to, kind, label: kind === "bad" ? "client was the limit" : "client late"})),
    height: 220,
  };
}

/** What the schedule's lag says, in a sentence. `valid`: the verdict is that the client was not the limit. */
export function lagReading(run, found, spans, format, valid = false) {
  const bad = lengthOf(spans, "bad");
  const warn = lengthOf(spans, "warn");
  if (!paced(run.description)) {
    return "The requests were all due at the same time, so the time from due to sent is the wait for a permit and not a lag of the client.";
  }
  const waited = found.waited > 0
    ? ` ${format.count(found.waited)} requests waited for a permit because --max-concurrency was reached; their wait is not the client's lag.` : "";
  if (valid && bad + warn > 0) {
    return `The client sent its requests late for ${format.time(bad + warn)} of the run (grey), too little to change the figures ` +
      `beyond their limits.${waited}`;
  }
  if (bad > 0) return `The client kept its own schedule late for ${format.time(bad)} of the run (red).${waited}`;
  if (warn > 0) return `The client was a little late for ${format.time(warn)} of the run.${waited}`;
  return `The client started its requests in time.${waited}`;
}

function drawRun(element, run, ui) {
  const {format} = ui;
  const client = run.facts.client;
  const answer = answerOf(client, format.ms, scopeOf(run));
  ui.note(element, answer.text, answer.kind);
  const list = (texts, before) => { for (const text of texts ?? []) ui.note(element, `${before}: ${text}.`); };
  list(client?.reasons, "Reason");
  list(client?.causes, "Observed");
  if (client?.answers_without_bound > 0) {
    ui.note(element, `The arrival of ${format.count(client.answers_without_bound)} answers is known only from the client's own ` +
      "stamps, so their error has no bound.", client.verdict === "VALID" ? "note" : "warn");
  }
  if (run.rows.count > 0) {
    const sample = sampleText(run, format.count);
    if (sample !== "") ui.note(element, sample, "warn");
    const found = scheduleLag(run.rows, run.description, run.total > run.count);
    const spans = lateSpans(run.rows, found);
    const valid = client?.verdict === "VALID";
    ui.note(element, lagReading(run, found, spans, format, valid),
      !valid && spans.some(({kind}) => kind === "bad") ? "bad" : "note");
    ui.chart(element, lagChart(run, found, spans, valid, ui));
  }
  drawSignals(element, client, ui);
  drawBounds(element, run, client, ui);
  drawWorkers(element, client, ui);
  drawConnections(element, client, ui);
  if (client?.cgroup?.throttled_periods > 0) {
    ui.note(element, `The system kept the client from running in ${format.count(client.cgroup.throttled_periods)} periods, ` +
      `for ${format.ms(client.cgroup.throttled_s * 1000)} in total.`, client.verdict === "VALID" ? "note" : "warn");
  }
}

/** @type {import("../ui/index.js").View} */
export default {
  id: "client-health",
  title: "Client health",
  question: "Was the client the limit?",
  available: (report, run) => (run.facts.client || run.count > 0 ? true
    : `${reasonWithoutRows(run)} Nothing about the client is recorded.`),
  draw(element, report, ui) {
    drawRun(element, ui.run(), ui);
  },
};
