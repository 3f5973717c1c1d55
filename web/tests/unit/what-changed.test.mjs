import assert from "node:assert/strict";
import test from "node:test";

import {doubtsOf, unseenText} from "../../src/analysis/doubts.js";
import {settingsOf} from "../../src/analysis/setting-texts.js";
import {validitiesOf} from "../../src/analysis/validities.js";
import {compared, mainFigures, rangeOf, sideOf, sidesOf} from "../../src/analysis/what-changed.js";
import {format} from "../../src/ui/format.js";
import {reportOf, runOf} from "./compared-runs.mjs";

const made = (...runs) => {
  const report = reportOf(...runs);
  const sides = sidesOf(report);
  return {report, sides, shown: mainFigures(report, sides)};
};
const validities = ({report, sides, shown}) => validitiesOf(report, sides, shown, format);
const doubts = ({report, sides, shown}, settings = []) => doubtsOf(report, sides, shown, settings, format).join(" ");

test("the main figures are throughput, median and P99", () => {
  const {report, sides, shown} = made(runOf("A"), runOf("B", {rate: 40, ttft: 60}));
  assert.deepEqual(shown.map((figure) => figure.key), ["request_throughput", "ttft.median", "ttft.p99"]);
  const [, b] = compared(report, sides, 0, shown[2]);
  assert.deepEqual([b.value, b.ratio.value, b.word.text], [180, 3, "worse (longer)"]);
});

test("without P99 the highest percentile is shown", () => {
  const runs = [runOf("A"), runOf("B")];
  for (const run of runs) run.metric("ttft").percentiles = [[75, 30], [95, 40]];
  assert.deepEqual(made(...runs).shown.map((figure) => figure.key), ["request_throughput", "ttft.median", "ttft.p95"]);
});

test("runs of one setting are one side", () => {
  const report = reportOf(runOf("A"), runOf("A"), runOf("B", {verdict: "INVALID", bound: 9}));
  report.points = [{axes: {rate: 1}, runs: [0, 1], figures: []}, {axes: {rate: 2}, runs: [2], figures: []}];
  const sides = sidesOf(report);
  assert.deepEqual(sides.map((side) => side.runs), [[0, 1], [2]]);
  assert.deepEqual(compared(report, sides, 0, mainFigures(report, sides)[1]).map(({effect}) => effect), ["good", "bad"]);
});

test("sides without a doubt share their verdict", () => {
  assert.deepEqual(validities(made(runOf("A", {bound: 0.01}), runOf("B", {bound: 0.02}))), [{head: "Client of A, B", names: ["A", "B"], kind: "good",
    word: "VALID", text: "Usable here: the latencies (client's error at most 0.0200 ms)."}]);
});

test("a verdict says which of the shown figures it spoils", () => {
  const say = (more) => validities(made(runOf("A", more), runOf("B")))[0];
  const invalid = {verdict: "INVALID", reasons: ["P99 ITL may be off"]};
  const one = say({...invalid, bound: 5.5, ttft: 30});
  assert.deepEqual([one.names, one.kind, one.word], [["A"], "bad", "INVALID"]);
  assert.equal(one.text, "P99 ITL may be off. Not usable here: Median TTFT. Perhaps affected here: P99 TTFT.");
  assert.equal(one.head, "Only Median TTFT of A is not usable");
  const none = runOf("A", invalid);
  none.facts.client.limits[0].figure = 18;
  none.facts.client.worst_error_bound = {figure: "P99 ITL", ms: 9, of_limit: 18};
  const [other] = validities(made(none, runOf("B")));
  assert.equal(other.text, "P99 ITL may be off. Usable here: the latencies (client's error at most 0.100 ms).");
  assert.equal(other.head, "Only P99 ITL of A is not usable; the latencies in this table are");
  assert.match(say({...invalid, starved: 0.5}).text, /No figure of it is usable\./);
  assert.match(say({verdict: "SUSPECT", starved: 0.005}).text, /Each figure of it may be affected\./);
  assert.deepEqual(say({verdict: null}), {head: "Client of A", names: ["A"], kind: "note",
    word: "not observed", text: ""});
});

test("settings are told by flag, and values that do not differ are left out", () => {
  const of = (rate, seed) => ({config: {load: {"request-rate": rate}, run: {seed}, dataset: {use: "random"}}, flags: {"request-rate": rate}});
  const two = made(runOf("A", of(4, 1)), runOf("B", of(8, 2)));
  assert.deepEqual(settingsOf(two.report, two.sides), {more: 0, environment: [], settings: [
    {name: "--request-rate", values: "4 → 8", load: true}, {name: "run.seed", values: "1 → 2", load: false}]});
  const many = made(...[1, 2, 4, 8, 16].map((rate) => runOf(`r${rate}`, of(rate, rate > 2 ? 2 : 1))));
  assert.deepEqual(settingsOf(many.report, many.sides).settings.map(({values}) => values), ["1 to 16 (5 values)", "1, 2"]);
});

test("the page says what it does not know of the server", () => {
  const seen = {series: {sources: [{}]}};
  assert.match(unseenText(reportOf(runOf("A"), runOf("B"))), /how the server was started.*no run had --observe/);
  assert.match(unseenText(reportOf(runOf("A", seen), runOf("B"))), /only 1 of 2 runs had --observe/);
  assert.match(unseenText(reportOf(runOf("A", seen), runOf("B", seen))), /section Server has what --observe recorded/);
});

test("what makes a comparison doubtful is told", () => {
  assert.equal(doubts(made(runOf("A"), runOf("B"))), "One run a side does not show how much runs of the same setting differ.");
  const text = doubts(made(runOf("A", {failed: 5}), runOf("B", {tokens: 5000, interrupted: true})), [{name: "--num-prompts", load: true}]);
  assert.match(text, /Not complete: B, stopped before its end/);
  assert.match(text, /Requests that failed: 5 of 100 of A;/);
  assert.match(text, /different loads \(--num-prompts\)/);
  assert.match(text, /60 → 50 output tokens on average/);
  const certainty = {confidence: 0.99, figures: {ttft: {count: 100, effective_count: 90, percentiles: [{percentile: 99, bound: null}]}}};
  assert.match(doubts(made(runOf("A", {certainty}), runOf("B"))), /Too few independent requests to bound P99 TTFT/);
});

test("a sweep has the lowest and the highest usable value", () => {
  const {report, sides, shown} = made(runOf("a", {rate: 1, verdict: "INVALID", starved: 1}), runOf("b", {rate: 2}),
    runOf("c", {rate: 9}), runOf("d", {rate: 5}), runOf("e", {rate: NaN}));
  const {low, high, left} = rangeOf(report, sides, shown[0]);
  assert.deepEqual([low.label, high.value, left], ["b", 9, 1]);
  assert.equal(rangeOf(report, sides.slice(0, 1), shown[0]), null);
});

test("a value has its doubts: too few requests, and an error of the client that is not known", () => {
  const certainty = {confidence: 0.99, figures: {ttft: {count: 100, percentiles: [{percentile: 99, bound: null}]}}};
  const off = runOf("A", {certainty, verdict: "INVALID"});
  off.facts.client.limits[0].figure = 18;
  const {report, sides, shown} = made(off, runOf("B"));
  const doubtsOfSide = (side) => shown.map((figure) => sideOf(report, sides[side], figure))
    .map(({uncertain, errorUnknown}) => [uncertain, errorUnknown]);
  assert.deepEqual(doubtsOfSide(0), [[false, true], [false, false], [true, false]]);
  assert.deepEqual(doubtsOfSide(1), [[false, false], [false, false], [false, false]]);
});
