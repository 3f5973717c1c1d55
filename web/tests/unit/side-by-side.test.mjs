import assert from "node:assert/strict";
import test from "node:test";

import {cellOfPoint, columnsOfPoints, columnsOfRuns, figures, hasRepeats, isSilent, labels, ratio, ratioTicks,
  settingText, support} from "../../src/analysis/side-by-side.js";

const summary = {summary: true, upstream: true, selected: true};
const run = (started, rate, ttft, more) => ({name: `run-${started}`, started_unix_ms: started,
  metrics: [
    {name: "ttft_from_due", label: "TTFT from due", unit: "ms", value: 1, flags: {summary: true}},
    {name: "request_throughput", label: "Requests", unit: "req/s", value: rate,
      flags: {upstream: true}},
    {name: "ttft", label: "TTFT", unit: "ms", value: ttft, median: ttft, count: 100, flags: summary,
      percentiles: [[99, 2 * ttft], [99.9, 3 * ttft]]}],
  ...more});

test("a summary has mean, median and percentiles as figures, upstream's first", () => {
  assert.deepEqual(figures([run(1, 5, 10)]).map((figure) => figure.key),
    ["request_throughput", "ttft.mean", "ttft.median", "ttft.p99", "ttft.p99.9",
      "ttft_from_due.mean"]);
});

test("columns are in the order of the file and know their place in time", () => {
  const columns = columnsOfRuns({runs: [run(20, 5, 10), run(10, 6, 8)]});
  assert.deepEqual(columns.map((column) => column.order), [2, 1]);
  assert.equal(columns[1].cells.get("ttft.p99").value, 16);
  assert.equal(columns[1].cells.get("ttft.p99").count, 100);
});

test("runs with the same label get their number", () => {
  assert.deepEqual(labels([{label: "a"}, {label: "a"}, {name: "b"}, {}]),
    ["a (1)", "a (2)", "b", "run 4"]);
});

test("the interval of a point comes from the program", () => {
  const report = {axes: [], runs: [run(1, 5, 10), run(2, 7, 14)], points: [{axes: {}, runs: [0, 1],
    figures: [
      {name: "ttft", statistic: "p99", value: 24, low: 18, high: 30, observations: 2},
      {name: "request_throughput", statistic: "value", value: 6, low: null, high: "inf"}]}]};
  assert.deepEqual(cellOfPoint(report, report.points[0], "ttft.p99"),
    {value: 24, count: 2, low: 18, high: 30});
  const rate = cellOfPoint(report, report.points[0], "request_throughput");
  assert.equal(rate.value, 6);
  assert.ok(Number.isNaN(rate.low) && Number.isNaN(rate.high));
  assert.equal(cellOfPoint(report, report.points[0], "ttft.median").value, 12);
  assert.ok(hasRepeats(report));
  assert.equal(columnsOfPoints(report)[0].cells.get("ttft.p99").high, 30);
});

test("a ratio has an interval only if both sides have one", () => {
  const cell = (value, low, high) => ({value, low, high, count: 1});
  assert.deepEqual(ratio(cell(10, 8, 12), cell(5, 4, 6)), {value: 2, low: 8 / 6, high: 3});
  assert.ok(Number.isNaN(ratio(cell(10, NaN, NaN), cell(5, 4, 6)).low));
  assert.ok(Number.isNaN(ratio(cell(10, 8, 12), cell(0, 0, 0)).value));
  assert.ok(Number.isNaN(ratio(undefined, cell(1, 1, 1)).value));
});

test("one run a side is said to support nothing but itself", () => {
  const side = (label, ...runs) => ({label, runs});
  const one = support([side("a", 0), side("b", 1)], 0);
  assert.match(one, /a \(base\): 1; b: 1/);
  assert.match(one, /cannot tell a change/);
  const many = support([side("a", 0, 1, 2), side("b", 3, 4)], 1);
  assert.match(many, /a: 3; b \(base\): 2/);
  assert.match(many, /With 2 runs/);
});

test("a setting is told as on a command line", () => {
  assert.equal(settingText([{name: "rate", unit: "req/s"}, {name: "tp", unit: "1"}, {name: "x"}],
    {rate: 4, tp: 2}), "rate=4, tp=2");
});

test("ticks of ratios lie around one and inside the axis", () => {
  assert.deepEqual(ratioTicks(0.5, 2), [0.5, 1 / 1.5, 1 / 1.2, 1, 1.2, 1.5, 2]);
  assert.ok(ratioTicks(0.98, 1.02).includes(1));
  assert.ok(ratioTicks(1e-9, 1e9).length <= 11);
});

test("a summary without values has no figures", () => {
  const empty = {name: "tpot", label: "TPOT", unit: "ms", value: 0, median: 0, count: 0, min: 0, max: 0,
    flags: summary, percentiles: [[99, 0]]};
  const runs = [{...run(1, 5, 10), metrics: [empty]}];
  const cells = columnsOfRuns({runs})[0].cells;
  for (const key of ["tpot.mean", "tpot.median", "tpot.p99"]) assert.ok(Number.isNaN(cells.get(key).value), key);
  assert.equal(cells.get("tpot.mean").count, 0);
  const point = {axes: {}, runs: [0], figures: [{name: "tpot", statistic: "p99", value: 0, low: 0, high: 0}]};
  assert.ok(Number.isNaN(cellOfPoint({axes: [], runs, points: [point]}, point, "tpot.p99").value));
});

test("the factor of real time is left out if no run had sound", () => {
  const of = (value) => ({metrics: [{name: "rtfx", label: "RTFx", value, unit: "1", flags: {}}]});
  assert.deepEqual(figures([of(0), of(0)]), []);
  assert.equal(figures([of(0), of(12)]).length, 1);
  assert.ok(isSilent("rtfx", [of(0)]) && !isSilent("rtfx", [of(3)]) && !isSilent("ttft", [of(0)]));
});
