import assert from "node:assert/strict";
import test from "node:test";

import {basisTexts, comparisonOf, missedText, neededText, outcomeText, ratioTexts} from "../../src/analysis/paired-comparison.js";
import {format} from "../../src/ui/format.js";
import {makeComparison} from "../comparison-facts.mjs";
import {reportOf, runOf} from "./compared-runs.mjs";

const comparisonWith = (change = () => {}) => {
  const comparison = makeComparison();
  change(comparison);
  return comparisonOf({...reportOf(runOf("A"), runOf("B")), facts: {comparison}});
};
const metric = (more) => ({...comparisonWith().metrics[1], ...more});

test("only a page of a comparison has a comparison", () => {
  for (const comparison of [undefined, null, 3, "x", []])
    assert.equal(comparisonOf({...reportOf(runOf("A")), facts: {comparison}}), null);
  assert.equal(comparisonOf(reportOf(runOf("A"))), null);
});

test("the metrics have their titles and units, and the numbers of the comparison", () => {
  const {metrics, margin, confidence} = comparisonWith();
  assert.deepEqual(metrics.map(({title, verdict}) => `${title}: ${verdict}`), ["Output Token Throughput: faster", "P99 TTFT: cannot tell",
    "Median TPOT: same", "P99 E2EL: slower"]);
  const {unit, candidate, value, low, high, blocks, detectable, needed} = metrics[1];
  assert.deepEqual([unit, candidate, value, low, high, blocks, detectable, needed], ["ms", "candidate", 1.042, 0.96, 1.131, 8, 0.12, 29]);
  assert.deepEqual([margin, confidence], [0.02, 0.95]);
});

test("the candidates of one metric are beside each other", () => {
  const {metrics} = comparisonWith(({comparison}) =>
    comparison.candidates.push({...comparison.candidates[0], name: "third"}));
  assert.deepEqual(metrics.slice(0, 3).map(({name, candidate}) => `${name} ${candidate}`),
    ["output_throughput candidate", "output_throughput third", "ttft.p99 candidate"]);
});

test("settings have the values of each group as they are in the configuration", () => {
  const {settings} = comparisonWith((all) => all.settings_that_differ.push({name: "x", values: [[null, true], [{a: 1}], "y"]}));
  assert.deepEqual(settings.map(({values}) => values), [["256", "512"], ["not stated", "fp8"], ["null, true", '{"a":1}', "not stated"]]);
});

test("members of wrong types count as missing", () => {
  const {metrics, candidates, settings, doubts} = comparisonWith((all) => {
    Object.assign(all, {doubts: "x", settings_that_differ: [null, 3]});
    Object.assign(all.comparison, {base: {}, candidates: [null, {name: 4, metrics: [7, {name: null, verdict: "constructor", ratio: "x",
      found_90: {}}, null]}, {metrics: 3}]});
  });
  assert.deepEqual([settings, doubts], [[], []]);
  assert.deepEqual(candidates.map(({name}) => name), ["4", ""]);
  assert.equal(metrics.length, 1);
  assert.equal(metrics[0].verdict, "cannot tell");
  assert.ok(Number.isNaN(metrics[0].value) && Number.isNaN(metrics[0].detectable));
  assert.deepEqual(comparisonOf({...reportOf(runOf("A")), facts: {comparison: {comparison: []}}}).metrics, []);
});

test("the conclusion names a winner only if the comparison did", () => {
  const say = (outcome, more = {}) => outcomeText({base: "A", margin: 0.02}, {name: "B", outcome, descriptive: false, ...more}, format);
  assert.equal(say("slower"), "B is slower than A.");
  assert.equal(say("faster"), "B is faster than A.");
  assert.equal(say("same"), "B and A are the same within 2 %.");
  assert.equal(say("mixed"), "B is faster than A on some metrics and slower on others.");
  for (const unknown of ["cannot tell", "", "better"])
    assert.equal(say(unknown), "These runs cannot tell whether B is faster or slower than A.");
  assert.equal(say("faster", {descriptive: true}), "These runs describe B and A, and prove nothing.");
});

test("a ratio has its interval, what it rests on and what it would have missed", () => {
  assert.deepEqual(ratioTexts(metric(), format), ["1.042×", "0.96× to 1.131×"]);
  assert.deepEqual(ratioTexts(metric({low: NaN}), format), ["1.042×", "no interval"]);
  assert.deepEqual(ratioTexts(metric({value: NaN}), format), ["–", ""]);
  assert.deepEqual(basisTexts(metric(), format), ["8 blocks", "16 and 16 runs"]);
  assert.deepEqual(basisTexts(metric({blocks: 0, baseRuns: 1, otherRuns: 1}), format), ["1 and 1 run"]);
  assert.equal(missedText(metric(), format), "below 12 %");
  assert.equal(missedText(metric({detectable: NaN, untested: "B has one run only"}), format), "any difference");
  assert.equal(missedText(metric({detectable: NaN}), format), "not known");
});

test("only a metric that could not be told needs more blocks or runs", () => {
  assert.equal(neededText(metric(), format), "about 21 more blocks would tell");
  assert.equal(neededText(metric({needed: 9}), format), "about 1 more block would tell");
  assert.equal(neededText(metric({blocks: 0, baseRuns: 5, otherRuns: 6, needed: 12}), format), "about 7 more runs of each would tell");
  assert.equal(neededText(metric({needed: NaN}), format), "no practical number would tell");
  assert.equal(neededText(metric({verdict: "same"}), format), "");
  assert.equal(neededText(metric({untested: "B has one run only"}), format), "");
});
