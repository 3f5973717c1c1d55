import {frontier, pointsOf, SIDES, UNSTABLE} from "../analysis/frontier.js";
import {allStarts} from "../analysis/no-rows.js";
import {settingText} from "../analysis/side-by-side.js";
import {refill} from "./refill.js";

const finite = (v) => v === v && Number.isFinite(v);

function cellText(ui, cell, unit) {
  if (!finite(cell.value)) return "–";
  // Milliseconds may be shown as seconds, so each end has its unit.
  const end = (v) => unit === "ms" ? ui.format.ms(v) : ui.format.number(v);
  const interval = finite(cell.low) && finite(cell.high)
    ? ` [${end(cell.low)} to ${end(cell.high)}]` : "";
  return ui.format.unit(cell.value, unit) + interval;
}

const states = {stable: "stable", unstable: "unstable", unknown: "not known",
  closed: "the answers set the rate"};

function pointsSeries(places, group, hollow, colour, name) {
  const kept = places.filter((place) => place.group === group &&
    (place.state === "unstable") === hollow && finite(place.x.value) && finite(place.y.value));
  if (kept.length === 0) return null;
  const series = {kind: "points", label: name + (hollow ? " (unstable)" : ""), width: 9, colour,
    marker: hollow ? "ring" : "dot",
    x: Float64Array.from(kept, (place) => place.x.value),
    y: Float64Array.from(kept, (place) => place.y.value),
    tip: (i) => `${kept[i].setting}\n${kept[i].runs.length} run${kept[i].runs.length === 1 ? "" : "s"}`};
  if (kept.some((place) => finite(place.y.low) && finite(place.y.high)))
    Object.assign(series, {
      lower: Float64Array.from(kept, (p) => finite(p.y.low) ? p.y.low : p.y.value),
      upper: Float64Array.from(kept, (p) => finite(p.y.high) ? p.y.high : p.y.value)});
  return series;
}

function reading(ui, places, side, throughput) {
  const {format} = ui;
  const line = places.filter((place) => place.pareto);
  const runs = places.map((place) => place.runs.length);
  const n = `${Math.min(...runs)} to ${Math.max(...runs)} runs a point`
    .replace(/^(\d+) to \1 runs/, (_, count) => `${count} run${count === "1" ? "" : "s"}`);
  const unstable = places.filter((place) => place.state === "unstable");
  const out = [];
  if (line.length > 0) {
    const by = [...line].sort((a, b) => a.y.value - b.y.value);
    const unit = side.unit === "ms" ? format.ms : (v) => `${format.rate(v)} token/s per user`;
    const high = by[by.length - 1];
    const low = by[0];
    out.push(`Along the Pareto line throughput goes from ${format.rate(low.y.value)} ${throughput} ` +
      `(${low.setting}; ${unit(low.x.value)}) to ${format.rate(high.y.value)} ${throughput} ` +
      `(${high.setting}; ${unit(high.x.value)}). It rests on ${n}` +
      (Math.min(...runs) === 1 ? ", so neighbouring points may change places in another run." : "."));
  }
  if (unstable.length > 0)
    out.push(`${unstable.length} of ${places.length} points are unstable (hollow): more than ` +
      `${format.percent(UNSTABLE)} more requests were offered than served, so their latencies ` +
      "grow with the length of the run, and the Pareto line leaves them out.");
  return out;
}

/** @type {import("../ui/index.js").View} */
export default {
  id: "frontier",
  title: "Frontier",
  question: "How much throughput does each setting buy, and what does a user notice of it?",
  allRuns: true,
  available: (report) => {
    if (report.runs.length < 2)
      return "This page has one run. A frontier needs several runs along an axis, for example " +
        "request rates.";
    if (allStarts(report))
      return "The runs measured starts and have no requests, so there is no throughput to show.";
    return (report.axes ?? []).length > 0 && pointsOf(report).length > 1 ? true
      : "These runs have no axis, so there is no line to draw through them.";
  },

  async draw(element, report, page) {
    // Rows tell whether a server kept up where no steady window was found.
    await Promise.all(report.runs.filter((run) => !run.facts.steady?.found)
      .map((run) => run.load()));
    let side = SIDES[0];
    if (!frontier(report, side.value).places.some((place) => finite(place.x.value))) side = SIDES[1];
    page.onRun(() => {});  // all runs are shown, whichever is selected
    refill(element, page, (ui, again) => {
      const tools = ui.el("div", {class: "tools"});
      element.append(tools);
      ui.choice(tools, "What a user notices", SIDES, side.value, (value) => {
        side = SIDES.find((s) => s.value === value);
        again();
      });
      const {places, perGpu} = frontier(report, side.value);
      const unit = perGpu ? "token/s per GPU" : "token/s";
      const groups = [...new Set(places.map((place) => place.group))];
      const series = [];
      const line = places.filter((place) => place.pareto)
        .sort((a, b) => a.x.value - b.x.value || a.y.value - b.y.value);
      if (line.length > 1)
        series.push({kind: "line", label: "Pareto line", colour: "muted", dash: [6, 4], width: 1.5,
          x: Float64Array.from(line, (p) => p.x.value), y: Float64Array.from(line, (p) => p.y.value)});
      groups.forEach((group, g) => {
        for (const hollow of [false, true]) {
          const found = pointsSeries(places, group, hollow, `series${g % 8}`, group || "points");
          if (found !== null) series.push(found);
        }
      });
      const texts = reading(ui, places, side, unit);
      texts.forEach((text) => ui.note(element, text));
      if (series.length === 0)
        ui.note(element, "The runs have no output tokens or not this latency, so there is nothing " +
          "to draw. Choose another latency, or read the table.");
      else {
        const narrow = ui.el("div", {class: "narrow"});
        element.append(narrow);
        ui.chart(narrow, {
          title: `Output throughput (${unit}) against ${side.label}`,
          label: `${places.length} points: output ${unit} against ${side.label}. ${texts.join(" ")}`,
          x: {label: side.label, unit: side.unit === "ms" ? "ms" : undefined},
          y: [{label: "output", unit}],
          series,
          legend: true,
          height: 380,
        });
      }
      drawTable(element, ui, report.axes, places, side, unit);
      const gpus = perGpu ? "" : "Throughput is of the whole server: the number of GPUs is not " +
        "known (--metadata gpus=N gives it). ";
      ui.note(element, "Tokens/s per user is 1000 divided by the median TPOT in ms. " + gpus +
        "Bars are the intervals of the points. Points " +
        "with a higher throughput at the same cost to the user are better; a point is on the line " +
        "if no other stable point is at least as good on both.");
    });
  },
};

/** Units that say no more than the name of an axis, such as max_concurrency. */
const countedUnits = ["1", "request", "token"];

function drawTable(element, ui, axes, places, side, unit) {
  const {format} = ui;
  const named = places.some((place) => place.setting !== settingText(axes, place.axes)) &&
    axes.length > 0;
  ui.table(element, {
    caption: "Points of the frontier",
    columns: [
      ...(named || axes.length === 0
        ? [{key: "setting", label: named ? "combination" : "setting", text: true, wide: true}] : []),
      ...axes.map((axis) => ({key: `axis ${axis.name}`, label: axis.name,
        unit: countedUnits.includes(axis.unit) ? undefined : axis.unit, value: (p) => p.axes[axis.name] ?? null,
        format: (v) => v === null ? "–" : typeof v === "number" ? format.number(v)
          : typeof v === "string" ? v : JSON.stringify(v)})),
      {key: "runs", label: "runs (n)", value: (p) => p.runs.length, format: format.count},
      {key: "y", label: unit, value: (p) => p.y.value,
        format: (_, p) => cellText(ui, p.y, "")},
      {key: "x", label: side.short, value: (p) => p.x.value,
        format: (_, p) => cellText(ui, p.x, side.unit === "ms" ? "ms" : "")},
      {key: "offered", label: "offered", unit: "req/s", format: format.rate},
      {key: "served", label: "served", unit: "req/s", format: format.rate},
      {key: "state", label: "load", text: true, format: (v) => states[v]},
      {key: "pareto", label: "Pareto line", text: true, value: (p) => p.pareto ? "yes" : "no"},
    ],
    rows: places,
    rowClass: (p) => p.state === "unstable" ? "warn" : "",
  });
}
