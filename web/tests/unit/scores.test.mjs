// The fact `scores` in the card of the answers and in the comparison of runs.
import assert from "node:assert/strict";
import {test} from "node:test";

import {conclusionOf} from "../../src/analysis/conclusion.js";
import {doubtsOf} from "../../src/analysis/doubts.js";
import {scoresOf} from "../../src/analysis/scores.js";
import {compared, mainFigures, sidesOf} from "../../src/analysis/what-changed.js";
import {format} from "../../src/ui/format.js";
import {answersCard} from "../../src/views/answers-card.js";
import {reportOf, runOf} from "./compared-runs.mjs";

const ui = {format, el: (tag, members, ...children) => ({class: members?.class, children})};

/** The texts of an element in their order. */
const textOf = (node) => node === null || node === undefined ? ""
  : Array.isArray(node) ? node.map(textOf).join("") : typeof node === "object" ? textOf(node.children) : String(node);
const cardOf = (scores) => answersCard({facts: {scores}}, ui);

const some = {scored: 1000, unscored: 0, mean: 0.75, low: 0.7, high: 0.8, confidence: 0.99, reasons: {"no JSON": 100, "not the schema": 150}};

test("the card of the answers has the share of right answers, its interval, the counts and the reasons", () => {
  const card = cardOf({"structured-output": some});
  assert.equal(card.class, "card ");
  assert.equal(textOf(card), "Answers75 % correct99 % interval: 70 % to 80 %.1,000 answers scored by structured-output." +
    "150 × not the schema100 × no JSON");
  assert.match(textOf(cardOf({exact: {...some, scored: 1, unscored: 2}})), /\.1 answer scored by exact, 2 without a score\./);
});

test("the card names the three most frequent reasons", () => {
  const text = textOf(cardOf({x: {...some, reasons: {a: 1, b: 5, c: 2, d: 4, e: 3}}}));
  assert.match(text, /5 × b4 × d3 × e3 × other reasons$/);
});

test("without a score there is no share, and without a scorer no card", () => {
  const none = cardOf({exact: {scored: 0, unscored: 5, reasons: {}}});
  assert.equal(none.class, "card warn");
  assert.equal(textOf(none), "Answersnone scored0 answers scored by exact, 5 without a score.");
  assert.equal(cardOf(undefined), null);
});

test("a fact of another form counts as missing", () => {
  for (const scores of ["x", 5, [], {}, {exact: 3}, {exact: null}]) assert.equal(scoresOf({facts: {scores}}), null);
  const odd = {exact: {scored: "9", mean: null, low: "x", reasons: {a: -1, b: "x", c: 2}}};
  assert.deepEqual(scoresOf({facts: {scores: odd}}).reasons, [{text: "c", count: 2}]);
  assert.match(textOf(cardOf(odd)), /none scored/);
});

function scored(label, mean, half) {
  const run = runOf(label);
  run.metrics.push({name: "correct_rate", title: "Correct Rate", label: "Correct rate", unit: "%", value: 100 * mean, flags: {}});
  run.facts.scores = {exact: {...some, mean, low: mean - half, high: mean + half}};
  return run;
}
const sidesWith = (...runs) => {
  const report = reportOf(...runs);
  const sides = sidesOf(report);
  return [report, sides, mainFigures(report, sides)];
};

test("the correct rate is a main figure with the interval of its run", () => {
  const [report, sides, shown] = sidesWith(scored("A", 0.75, 0.03125), scored("B", 0.5, 0.03125));
  assert.deepEqual(shown.map(({key}) => key), ["request_throughput", "correct_rate", "ttft.median", "ttft.p99"]);
  const [a, b] = compared(report, sides, 0, shown[1]);
  assert.deepEqual([a.value, a.low, a.high, b.word.text], [75, 71.875, 78.125, "worse (lower)"]);
  assert.equal(sides[0].cells.get("correct_rate").count, 1000);
  assert.match(conclusionOf(report, sides, shown, [], format)[0], /^B is about as fast as A: worse: correct rate ×0\.667;/);
  assert.match(doubtsOf(report, sides, shown, [], format).join(" "),
    /The interval of the correct rate is that of one run, with a confidence of 99 %/);
});

test("correct rates whose intervals overlap are not told apart", () => {
  const [report, sides, shown] = sidesWith(scored("A", 0.75, 0.25), scored("B", 0.5, 0.25));
  assert.match(conclusionOf(report, sides, shown, [], format)[0], /not told apart, because the intervals overlap: correct rate/);
});
