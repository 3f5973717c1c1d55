// Gaps between the events of an answer: their distribution, stalls, and how they depend on the place in the answer.

import {gapHistogram, gapMap, placeOfLongest, stallsOf, TOGETHER, trim, withoutTogether} from "../analysis/gap-figures.js";
import {reasonWithoutRows} from "../analysis/no-rows.js";
import {largest, nameOf} from "../analysis/reading.js";
import {HeatMap} from "../lanes/heat-map.js";
import {sampleText} from "../analysis/sample.js";

/** What the file keeps of the gaps, in words. */
export function keptText(gaps, format) {
  if (gaps.kind === "all") return `All ${format.count(gaps.total)} gaps between stream events are in this file.`;
  if (gaps.kind === "some") {
    return `The run had ${format.count(gaps.total)} gaps. Their histogram, the longest gap and a count by class of each ` +
      `request are complete; the single gaps are kept for ${format.count((gaps.rows ?? []).length)} requests: the 1,000 ` +
      "slowest and a random 1,000 (with a fixed seed). The map shows only these.";
  }
  return "The single gaps are not in this file.";
}

/** The sentence about stalls. */
export function readingOf(run, stalls, format) {
  const [, limit] = run.classLimits;
  const share = stalls.gaps > 0 ? stalls.stalls / stalls.gaps : 0;
  const many = stalls.stalls === 0 ? `No gap was ${format.ms(limit)} or longer`
    : `${format.percent(share)} of the gaps were ${format.ms(limit)} or longer, in ${format.count(stalls.stalled)} of ` +
      `${format.count(stalls.requests)} answers`;
  if (stalls.worst < 0) return `${many}.`;
  const at = placeOfLongest(run.rows, stalls.worst);
  return `${many}. The longest gap, ${format.ms(run.rows.longestGap[stalls.worst])}, was in request ` +
    `${nameOf(run.rows, run.strings, stalls.worst)}${at > 0 ? `, before event ${format.count(at)}` : ""}.`;
}

/** The gaps that have no place on a logarithmic axis, in words; "" without such gaps. */
export function togetherText(together, format) {
  return together > 0 ? ` ${format.count(together)} ${together === 1 ? "gap is" : "gaps are"} shorter than ` +
    `${TOGETHER} ms (events that came together) and ${together === 1 ? "is" : "are"} not drawn.` : "";
}

function histogramOf(run) {
  const kept = run.gaps.histogram;
  if (run.gaps.kind !== "all" && kept?.counts?.some((count) => count > 0)) {
    const {together, ...rest} = withoutTogether(kept);
    return {...(rest.counts.length > 0 ? trim(rest) : rest), together};
  }
  const made = gapHistogram(run.rows);
  return {...trim(made), together: made.together};
}

function drawHistogram(element, run, ui) {
  const {format} = ui;
  const {edges, counts, together} = histogramOf(run);
  if (!counts.some((count) => count > 0)) return together;
  const x = edges.slice(0, -1);
  const [low, high] = run.classLimits;
  ui.chart(element, {
    title: "How long gaps are", label: "Number of gaps between stream events by their length, on a logarithmic axis.",
    x: {label: "gap", unit: "ms", log: true, format: format.number}, y: [{label: "gaps", unit: "1", log: true, min: 0.7, format: format.count}],
    series: [{label: "gaps", x, x1: edges.slice(1), y: counts, kind: "bars", colour: "series0"}],
    lines: [{x: low, label: `${low} ms`, kind: "note"}, {x: high, label: `${high} ms`, kind: "bad"}], legend: false, height: 260,
  });
  return together;
}

/** The power of ten above the largest bin. */
function decadeAbove(bins) {
  return 10 ** Math.ceil(Math.log10(Math.max(2, ...bins.map(({count}) => count * 1.01))));
}

function drawStalls(element, run, stalls, ui) {
  const {format} = ui;
  const edges = Float64Array.from(stalls.bins, (_, at) => at);
  ui.chart(element, {
    title: `Stalls per request (gaps ≥ ${run.classLimits[1]} ms)`,
    label: "How many requests had how many stalls.",
    x: {label: "stalls", format: (v) => stalls.bins[Math.floor(v)]?.label ?? "", splits: () => stalls.bins.map((_, at) => at + 0.5),
      min: 0, max: stalls.bins.length},
    y: [{label: "requests", unit: "1", log: true, min: 0.7, max: decadeAbove(stalls.bins), format: format.count}],
    series: [{label: "requests", x: edges, x1: edges.map((at) => at + 1), y: Float64Array.from(stalls.bins, ({count}) => count),
      kind: "bars", colour: "series1"}],
    legend: false, height: 260,
    csv: () => ui.csv([["stalls", "requests"], ...stalls.bins.map(({label, count}) => [label, count])]),
  });
}

function drawWorst(element, run, ui) {
  const {rows, strings} = run;
  const {format, el} = ui;
  const worst = [];
  const taken = new Set();
  for (let k = 0; k < 10; ++k) {
    const row = largest(rows.longestGap, (i) => !taken.has(i) && rows.longestGap[i] > 0);
    if (row < 0) break;
    taken.add(row);
    worst.push(row);
  }
  if (worst.length === 0) return;
  element.append(el("h3", {}, "The longest gaps"));
  ui.table(element, {
    caption: "Requests with the longest gaps",
    columns: [
      {key: "request", label: "request", text: true, value: (i) => nameOf(rows, strings, i),
        node: (text, i) => el("button", {type: "button", class: "link", onclick: () => ui.show("swim-lanes", {row: i})}, text)},
      {key: "gap", label: "longest gap", value: (i) => rows.longestGap[i], format: format.ms},
      {key: "place", label: "before event", value: (i) => placeOfLongest(rows, i), format: (v) => (v < 0 ? "not kept" : format.count(v))},
      {key: "stalls", label: "stalls", value: (i) => rows.gapCounts[2][i], format: format.count},
      {key: "at", label: "started at", value: (i) => rows.start[i] / 1000, format: format.time},
      {key: "e2el", label: "E2EL", value: (i) => rows.e2el[i], format: format.ms},
    ],
    rows: worst, pageSize: 10, csv: false,
  });
}

/** @type {import("../ui/index.js").View} */
export default {
  id: "token-gaps",
  title: "Gaps between tokens",
  question: "Did answers flow, or did they stall?",
  available: (report, run) => (run.gaps.total > 0 ? true
    : run.count === 0 ? reasonWithoutRows(run) : "No answer had two stream events, so there are no gaps between tokens."),
  draw(element, report, ui) {
    const run = ui.run();
    const {format} = ui;
    const stalls = stallsOf(run.rows);
    ui.note(element, readingOf(run, stalls, format));
    const sample = sampleText(run, format.count);
    if (sample !== "") ui.note(element, sample, "warn");
    const grid = ui.grid(element, 2);
    const together = drawHistogram(grid, run, ui);
    drawStalls(grid, run, stalls, ui);
    const map = gapMap(run.rows);
    if (map !== null) new HeatMap(element, map, run.classLimits, ui);
    ui.note(element, `${keptText(run.gaps, format)}${togetherText(together, format)}`);
    drawWorst(element, run, ui);
  },
};
