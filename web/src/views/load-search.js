// The largest load that meets the goals, and the probes that found it.
import {certaintyText, goalsOf, goalTexts, isWide, limitTexts, loadText, missedText, pointsOf, probeOfLimit, searchOf,
  unitOf, verdictKinds} from "../analysis/load-search.js";
import {joined, sectionLink, statements, word} from "./statements.js";

const finite = (v) => v === v && Number.isFinite(v);

/** A line of the conclusion; its first word or two say what the line is about: "interval: ...". */
function lineNode(el, line) {
  const [, name, rest] = /^([a-z ]{1,16}): (.*)$/s.exec(line) ?? [];
  return el("p", {class: "conclusion"}, name === undefined ? line : [el("b", {}, `${name}:`), ` ${rest}`]);
}

function drawConclusion(element, ui, report, search) {
  const {el, format} = ui;
  const {limit, interval} = limitTexts(search, format);
  const codes = (texts) => joined(texts.map((text) => el("code", {}, text)), " and ");
  const bounds = [finite(search.low) && finite(search.high)
    ? `${format.number(search.low)} to ${loadText(search, search.high, format)}` : "",
  finite(search.mostProbes) ? `at most ${format.count(search.mostProbes)} probes` : "",
  finite(search.precision) ? `precision ${format.percent(search.precision)}` : ""].filter(Boolean).join(", ");
  const independent = probeOfLimit(search)?.independent;
  const basis = finite(independent) ? ` It rests on ${format.count(independent)} independent observations.` : "";
  const certainty = certaintyText(search, format);
  element.append(el("div", {class: "changed search-conclusion"},
    el("div", {}, el("p", {class: "limit", "data-value": finite(search.limit) ? search.limit : null}, limit),
      el("p", {class: "limit-interval"}, interval, basis),
      search.conclusion.map((line) => lineNode(el, line))),
    statements(ui, [
      ["Goals", codes(search.goals)],
      ["Loads searched", bounds ? [bounds] : []],
      ["Certainty", certainty ? [certainty] : []],
      ["The search ended", search.ended ? [search.ended] : []],
      ["More", report.runs.length > 1 ? [sectionLink(ui, "side-by-side", "all figures and settings of the probes' runs")] : []],
    ])));
}

function goalColumn(ui, name, i) {
  const {el, format} = ui;
  const goalOf = (probe) => probe.goals.find(({goal}) => goal === name);
  return {key: `goal${i}`, label: name, help: "Share of the independent requests over the limit, or an estimate", text: true,
    exact: true, value: (probe) => {
      const goal = goalOf(probe);
      return goal === undefined ? NaN : goal.estimated ? goal.estimate : goal.observed;
    },
    node: (_, probe) => {
      const goal = goalOf(probe);
      if (goal === undefined) return format.number(NaN);
      const [value, basis] = goalTexts(goal, format);
      return el("div", {class: "goal"}, value, " ", word(ui, {kind: verdictKinds[goal.verdict], text: goal.verdict}),
        [basis, missedText(goal, format)].filter(Boolean).map((text) => el("small", {}, text)));
    }};
}

/** The name of the run of a probe, which selects it, or the path of its journal. */
function runNode(ui, report, probe) {
  if (probe.run === null) return probe.journal || "–";
  const run = report.runs[probe.run];
  return ui.el("button", {type: "button", class: "link", title: `Details of ${run.title}`, onclick: () => {
    ui.selectRun(run);
    ui.show("headline");
  }}, run.title);
}

function drawProbes(element, ui, report, search) {
  const {format} = ui;
  const has = (key) => search.probes.some((probe) => finite(probe[key]));
  const clientOf = (probe) => probe.client || (probe.run === null ? "" : report.runs[probe.run].facts.client?.verdict ?? "");
  const unit = unitOf(search);
  const probes = ui.el("div", {class: "probes"});
  element.append(probes);
  ui.table(probes, {
    caption: "Probes of the search",
    columns: [
      {key: "load", label: "load", unit, exact: true, text: false, format: format.number},
      {key: "verdict", label: "verdict", text: true,
        node: (text) => word(ui, {kind: verdictKinds[text], text})},
      {key: "independent", label: "independent", unit: "requests", help: "Requests that count for the verdict; of an estimate its batches", exact: true,
        format: format.count, text: false},
      ...goalsOf(search).map((name, i) => goalColumn(ui, name, i)),
      ...has("hitRate") ? [{key: "hitRate", label: "hit rate", help: "Share of the prompt tokens that the prefix cache had",
        exact: true, format: format.percent}] : [],
      {key: "duration", label: "time", exact: true, format: format.time},
      ...has("requests") ? [{key: "requests", label: "requests", help: "All requests of the probe", exact: true,
        format: format.count}] : [],
      ...has("warmUp") ? [{key: "warmUp", label: "warm-up", unit: "requests", help: "Discarded requests at the beginning",
        exact: true, format: format.count}] : [],
      ...has("step") ? [{key: "step", label: "step", unit: "requests", help: "After the warm-up each step-th request counts",
        exact: true, format: format.count}] : [],
      ...search.probes.some(clientOf) ? [{key: "client", label: "client", text: true, value: (probe) => clientOf(probe) || "not known"}] : [],
      {key: "order", label: "probe", help: "In the order of time", format: format.count},
      {key: "run", label: "run", text: true, value: (probe) => probe.run === null ? probe.journal : report.runs[probe.run].title,
        node: (_, probe) => runNode(ui, report, probe)},
      {key: "reason", label: "why", text: true, wide: true, format: (text) => text || "–"},
    ],
    rows: search.probes, search: false, sort: {key: "load"},
    rowClass: (probe) => verdictKinds[probe.verdict],
  });
}

const markers = {passed: "dot", failed: "cross", undecided: "ring"};

function pointSeries(search, points, verdict, format) {
  const own = points.filter(({goal}) => goal.verdict === verdict);
  if (own.length === 0) return [];
  return [{kind: "points", label: verdict, colour: verdictKinds[verdict], marker: markers[verdict], width: 10,
    x: Float64Array.from(own, ({x}) => x), y: Float64Array.from(own, ({y}) => y),
    tip: (i) => [own[i].goal.goal, goalTexts(own[i].goal, format).filter(Boolean).join("\n"),
      `probe ${own[i].probe.order}: ${own[i].probe.verdict}`].join("\n")}];
}

function drawChart(element, ui, search) {
  const {format} = ui;
  const points = pointsOf(search);
  if (points.length === 0) {
    if (search.probes.length > 0)
      ui.note(element, "No probe has a share or an estimate to draw. Read the table.");
    return;
  }
  const names = goalsOf(search);
  const lines = names.flatMap((name, i) => {
    const own = points.filter(({goal}) => goal.goal === name);
    return own.length < 2 ? [] : [{kind: "line", label: name, colour: `series${i % 8}`, width: 1.25, dash: [4, 4], quiet: true,
      x: Float64Array.from(own, ({x}) => x), y: Float64Array.from(own, ({y}) => y)}];
  });
  const {limit, upper, low, high} = search;
  const [least, most] = [Math.min(1, ...points.map(({y}) => y)), Math.max(1, ...points.map(({y}) => y))];
  const ends = [low, high].every(finite) && low < high
    ? {min: Math.min(low, ...points.map(({x}) => x)) * 0.97, max: Math.max(high, ...points.map(({x}) => x)) * 1.03} : {};
  const missing = names.filter((name) => !points.some(({goal}) => goal.goal === name));
  const narrow = ui.el("div", {class: "narrow"});
  element.append(narrow);
  ui.chart(narrow, {
    title: "How near the goals were to their limits",
    label: `${format.count(points.length)} points against the load; 1 is the most that a goal allows. ${limitTexts(search, format).interval}`,
    x: {label: "load", unit: unitOf(search), log: isWide(search), ...ends},
    y: [{label: "share over the limit ÷ allowed share (logarithmic)", log: true, min: least / 1.4, max: most * 1.4,
      format: format.ratio}],
    series: [...lines, ...Object.keys(markers).flatMap((verdict) => pointSeries(search, points, verdict, format))],
    shades: finite(limit) && limit < upper ? [{from: limit, to: upper, label: "the limit is here", kind: "steady"}] : [],
    lines: [{y: 1, label: "allowed", kind: "goal"},
      ...finite(limit) ? [{x: limit, label: `passed: ${loadText(search, limit, format)}`, kind: "good"}] : []],
    legend: true,
    height: 320,
  });
  if (points.some(({none}) => none))
    ui.note(element, "A probe without a request over the limit is drawn as if it had half a request, because a logarithmic " +
      "axis has no place for 0.");
  if (points.some(({goal}) => goal.estimated))
    ui.note(element, "The points of means and rates are the estimate divided by the limit, or the limit divided by the " +
      "estimate if more is better.");
  if (missing.length > 0)
    ui.note(element, `Not in the chart: ${missing.join(", ")}.`);
}

/** @type {import("../ui/index.js").View} */
export default {
  id: "load-search",
  title: "Limit",
  question: "Which is the largest load that meets the goals, and which loads were tried?",
  early: true,
  allRuns: true,
  available: (report) => searchOf(report) !== null ? true : "This page is not of a search (inferbench find).",
  draw(element, report, ui) {
    ui.onRun(() => {});  // all probes are shown, whichever run is selected
    const search = searchOf(report);
    drawConclusion(element, ui, report, search);
    if (search.probes.length === 0) {
      ui.note(element, "The search ended before its first probe had a verdict.", "warn");
      return;
    }
    drawProbes(element, ui, report, search);
    drawChart(element, ui, search);
    ui.note(element, "The limit is the largest load that itself passed; the lines between the points are no part of the verdict. " +
      "The shaded span is the interval of the limit. The runs differ in " +
      "load on purpose, so the page does not say which of them is faster.");
  },
};
