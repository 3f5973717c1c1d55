import assert from "node:assert/strict";
import test from "node:test";

import {lacksRows, reasonWithoutRows, requestsOf, startOf} from "../../src/analysis/no-rows.js";
import {pointLabel} from "../../src/analysis/side-by-side.js";
import {answersCard, requestsCard, runCard} from "../../src/views/verdict-cards.js";

const run = (members) => ({count: 0, total: 0, facts: {}, metrics: [], ...members,
  metric(name) { return this.metrics.find((each) => each.name === name); }});
const counted = run({metrics: [{name: "completed", value: 29}, {name: "failed", value: 1},
  {name: "duration", value: 3}]});

test("the requests of a run are those of its rows, otherwise those of its figures", () => {
  assert.equal(requestsOf(run({count: 3, total: 5, metrics: counted.metrics})), 5);
  assert.equal(requestsOf(counted), 30);
  assert.equal(requestsOf(run({facts: {accounting: {sent: 7}}})), 7);
  assert.equal(requestsOf(run({metrics: [{name: "completed", value: "inf"}]})), 0);
  assert.equal(requestsOf({}), 0);
});

test("a run without rows has sent no request, or its result does not have their details", () => {
  assert.ok(lacksRows(counted) && !lacksRows(run({})) && !lacksRows(run({count: 3, total: 3})));
  assert.equal(reasonWithoutRows(counted, "there is no latency to show"),
    "The details of the requests are not part of the result, so there is no latency to show.");
  assert.equal(reasonWithoutRows(run({})), "No request was sent.");
  assert.equal(reasonWithoutRows(undefined), "No request was sent.");
});

const ui = {el: (tag, members, ...children) => ({tag, members, children}),
  format: {count: String, time: (s) => `${s} s`, number: String, percent: (share) => `${100 * share} %`}};

test("the cards of a run of starts show the start and are not red", () => {
  const starts = run({metrics: [{name: "cold_startup_time", value: 2.5}]});
  assert.equal(startOf(starts).value, 2.5);
  assert.equal(startOf(counted), undefined);
  assert.match(JSON.stringify(runCard(starts, ui)), /cold start: 2.5 s/);
  assert.match(JSON.stringify(requestsCard(starts, ui)), /starts were measured/);
  assert.doesNotMatch(JSON.stringify([runCard(starts, ui), requestsCard(starts, ui)]), /bad/);
});

test("the card of the answers has the share of right answers, its interval and the reasons", () => {
  const text = (scores) => JSON.stringify(answersCard(run({facts: {scores}}), ui));
  assert.equal(answersCard(run({}), ui), null);
  assert.match(text({exact: {scored: 4, unscored: 1, mean: 0.75, low: 0.25, high: 0.875, confidence: 0.99,
    reasons: {"no JSON": 1}}}), /75 % correct.*99 % interval: 25 % to 87.5 %.*4 answers scored by exact, 1 without.*no JSON: 1/);
  assert.match(text({exact: {scored: 0, unscored: 5, reasons: {}}}), /warn.*none scored/);
});

test("the card of a run without rows is red only if no request was sent", () => {
  const text = (of) => JSON.stringify(runCard(of, ui));
  assert.match(text(counted), /30 requests in 3 s/);
  assert.match(text(counted), /details of the requests are not part of the result/);
  assert.doesNotMatch(text(counted), /bad/);
  assert.match(text(run({})), /bad.*no request/);
});

test("a point has the names that the user gave, otherwise its setting", () => {
  const report = {axes: [{name: "max_num_seqs", unit: "request"}]};
  const axes = {max_num_seqs: 8};
  assert.equal(pointLabel(report, {axes, facts: {label: "small, heavy"}}, 0), "small, heavy");
  assert.equal(pointLabel(report, {axes, facts: {label: ""}}, 0), "max_num_seqs=8");
  assert.equal(pointLabel(report, {axes, facts: {label: 8}}, 0), "max_num_seqs=8");
  assert.equal(pointLabel(report, {axes: {}}, 1), "point 2");
});
