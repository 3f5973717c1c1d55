import {countOver, curve, goalsFor, independent, METRICS, percentile, sampleOfRun, stepsOf,
  wholeEffective} from
  "../analysis/distribution.js";
import {percentInterval, shareBound} from "../analysis/binomial.js";
import {lacksRows, reasonWithoutRows} from "../analysis/no-rows.js";
import {labels} from "../analysis/side-by-side.js";
import {refill} from "./refill.js";
import {counted} from "./time-parts.js";

const percents = [50, 90, 95, 99, 99.9, 99.99];

/** The figure of the result file if it has this percentile, else the rows' value. */
function figureOf(run, metric, percent, sample) {
  const figure = run.metrics.find((each) => each.name === metric);
  if (percent === 50 && typeof figure?.median === "number") return figure.median;
  const own = (figure?.percentiles ?? []).find(([p]) => Number(p) === percent);
  return typeof own?.[1] === "number" ? own[1] : percentile(sample, percent);
}

/** What a run adds to the charts of a metric. */
function entryOf(run, name, metric, colour) {
  const sample = sampleOfRun(run, metric);
  const sure = independent(run.facts, metric, sample.count);
  return {run, name, sample, sure, colour, curve: curve(sample, sure), steps: stepsOf(sample)};
}

function readings(element, ui, metric, entries) {
  const {format} = ui;
  for (const {run, name, sample, sure} of entries) {
    if (sample.count === 0) continue;
    const who = entries.length > 1 ? `${name}: ` : "";
    const n = sure.known ? `${format.count(sample.count)} values, about ` +
      `${format.count(wholeEffective(sure.count))} independent`
      : `${format.count(sample.count)} values, how many are independent is not known`;
    const reach = 100 * (1 - 1 / sample.count);
    const percent = [99, 90, 50].find((p) => p <= reach) ?? 50;
    ui.note(element, `${who}${format.number(percent)} % of the values are at most ` +
      `${format.ms(figureOf(run, metric.value, percent, sample))}, the largest is ` +
      `${format.ms(sample.sorted[sample.sorted.length - 1])} (${n}).`);
    for (const goal of goalsFor(run.facts, metric.value)) {
      const over = countOver(sample, goal.limitMs);
      const bound = shareBound(over / sample.count * sure.count, sure.count, sure.confidence);
      ui.note(element, `${who}${format.count(over)} of ${format.count(sample.count)} values ` +
        `(${format.percent(over / sample.count)}) are over the ${format.ms(goal.limitMs)} of the goal ` +
        `${goal.goal}. The true share is at most ${format.percent(bound)}, with ` +
        `${format.percent(sure.confidence)} confidence` +
        (sure.known ? "." : " if the values are independent."));
    }
  }
}

const tailLines = [[0.1, "P90"], [0.01, "P99"], [0.001, "P99.9"], [0.0001, "P99.99"]];

function drawCharts(element, ui, metric, entries, log) {
  const {format} = ui;
  const goals = new Map();
  for (const {run} of entries)
    for (const goal of goalsFor(run.facts, metric.value))
      goals.set(goal.goal, {x: goal.limitMs, label: goal.goal, kind: "goal"});
  const most = Math.max(...entries.map(({sample}) => sample.count));
  const bands = entries.length <= 2;
  const x = {label: metric.label, unit: "ms", log};
  const named = (entry, text) => entries.length > 1 ? `${entry.name} ${text}`.trim() : text;
  const makeSeries = (value, low, high, words, more) => entries.flatMap((entry) => {
    if (entry.sample.count === 0) return [];
    const found = entry.curve;
    const sure = `${format.percent(entry.sure.confidence)} ${words}` +
      `${entry.sure.known ? "" : ", as if independent"}`;
    const out = [{kind: "steps", label: named(entry, entries.length > 1 ? "" : metric.short),
      x: entry.steps.x, y: entry.steps[value], colour: entry.colour, width: 2, ...more}];
    if (bands) out.unshift({kind: "band", label: named(entry, sure), x: found.x,
      lower: found[low], upper: found[high], colour: entry.colour});
    return out;
  });
  const grid = ui.grid(element, 2);
  ui.chart(grid, {
    title: "Cumulative distribution (ECDF)",
    label: `Share of values of ${metric.label} up to each latency. The percentiles are in the ` +
      "table below.",
    x, y: [{label: "share of values up to x", min: 0, max: 1, format: format.percent}],
    series: makeSeries("share", "low", "high", "band (DKW)"),
    lines: [...goals.values()],
    height: 300,
  });
  const floor = Math.max(0.00005, 0.5 / most);
  ui.chart(grid, {
    title: "Tail: share of values of at least x",
    label: `Share of values of ${metric.label} of at least each latency, on a logarithmic axis ` +
      `from 100 % to ${format.percent(floor)}.`,
    x, y: [{label: "share of values ≥ x", log: true, min: floor, max: 1, format: format.percent}],
    series: makeSeries("over", "overLow", "overHigh", "interval at each x", {hold: "before"}),
    lines: [...goals.values(), ...tailLines.filter(([y]) => y >= floor).map(([y, label]) => ({y,
      label, kind: "note"}))],
    height: 300,
  });
}

function drawTable(element, ui, metric, entries) {
  const {format} = ui;
  const rows = [];
  for (const {run, name, sample} of entries)
    for (const percent of percents) {
      if (sample.count === 0) continue;
      const beyond = sample.count * (1 - percent / 100);
      const value = beyond >= 1 || percent === 50 ? figureOf(run, metric.value, percent, sample)
        : NaN;
      const here = independent(run.facts, metric.value, sample.count, percent);
      const [low, high] = percentInterval(percent, here.count, here.confidence);
      const at = (p) => p === p ? percentile(sample, Math.min(100, Math.max(0, p))) : NaN;
      rows.push({name, percent, value, beyond, low: at(low), high: at(high), count: sample.count,
        effective: here.known ? here.count : NaN});
    }
  const confidence = entries[0].sure.confidence;
  ui.table(element, {
    caption: `Percentiles of ${metric.label}`,
    columns: [
      ...(entries.length > 1 ? [{key: "name", label: "run", text: true}] : []),
      {key: "percent", label: "percentile", format: format.percentile},
      {key: "value", label: metric.short, format: (v) => v === v ? format.ms(v)
        : "not reached by this sample", exact: true},
      {key: "low", label: `true value from (${format.percent(confidence)})`, format: (v) => v === v ? format.ms(v)
        : "no bound"},
      {key: "high", label: "to", format: (v) => v === v ? format.ms(v) : "no bound: n too small"},
      {key: "beyond", label: "values beyond", format: (v) => format.count(Math.floor(v + 1e-9))},
      {key: "count", label: "n", format: format.count},
      {key: "effective", label: "effective n", help: "Independent observations, by the " +
        "autocorrelation of the values", format: (v) => v === v ? format.count(wholeEffective(v))
        : "not known"},
    ],
    rows, search: false, pageSize: 24,
  });
  if (entries.some(({sure, sample}) => !sure.known && sample.count > 0))
    ui.note(element, "Where the effective n is not known, bands and intervals hold only if the " +
      "values were independent; real ones are wider.");
  if (entries.some(({sample}) => sample.grouped))
    ui.note(element, "The file has the token gaps as a histogram, so values are the upper edges of " +
      "its bins.");
}

/** @type {import("../ui/index.js").View} */
export default {
  id: "ecdf-tail",
  title: "Latency distribution and tail",
  question: "Which share of requests was slower than a given latency, and how sure is that?",
  allRuns: true,
  available: (report) => report.runs.some((run) => run.count > 0) ? true
    : reasonWithoutRows(report.runs.find(lacksRows) ?? report.runs[0], "there is no latency to show"),

  async draw(element, report, page) {
    await Promise.all(report.runs.map((run) => run.load()));
    const names = labels(report.runs);
    const cache = new Map();
    const entriesOf = (metric) => {
      if (!cache.has(metric.value))
        cache.set(metric.value, report.runs.map((run, i) =>
          entryOf(run, names[i], metric.value, `series${i % 8}`)));
      return cache.get(metric.value);
    };
    // The first metric that has values; ITL has many, so it is not tried first.
    let metric = ["ttft", "e2el", "tpot"].map((value) => METRICS.find((m) => m.value === value))
      .find((m) => entriesOf(m).some(({sample}) => sample.count > 0)) ?? METRICS[0];
    let scale = null;
    page.onRun(() => {});  // all runs are shown, whichever is selected
    refill(element, page, (ui, again) => {
      const entries = entriesOf(metric);
      const kept = entries.filter(({sample}) => sample.count > 0);
      const log = scale !== null ? scale === "log" : kept.some(({sample}) =>
        sample.sorted[sample.sorted.length - 1] > 12 * percentile(sample, 50));
      const tools = ui.el("div", {class: "tools"});
      element.append(tools);
      ui.choice(tools, "Latency", METRICS, metric.value, (value) => {
        metric = METRICS.find((m) => m.value === value);
        again();
      });
      ui.choice(tools, "Latency axis", [{value: "linear", label: "linear"},
        {value: "log", label: "logarithmic"}], log ? "log" : "linear", (value) => {
        scale = value;
        again();
      });
      if (kept.length === 0) {
        ui.note(element, `No successful request has a ${metric.label.toLowerCase()}` +
          (metric.value === "itl" ? ", or the file does not keep the token gaps." : "."));
        return;
      }
      // More sentences than a reader would read are in the table.
      if (kept.length <= 3) readings(element, ui, metric, kept);
      drawCharts(element, ui, metric, kept, log);
      drawTable(element, ui, metric, kept);
      const without = entries.filter(({sample}) => sample.count === 0);
      if (without.length > 0)
        ui.note(element, `Without values: ${counted(ui, without.length, "run")} ` +
          `(${without.map(({name}) => name).join(", ")}).`);
    });
  },
};
