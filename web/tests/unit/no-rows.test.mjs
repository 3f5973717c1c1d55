import assert from "node:assert/strict";
import test from "node:test";

import {allStarts, isStart, lacksRows, reasonWithoutRows, requestsOf} from "../../src/analysis/no-rows.js";
import {pointLabel} from "../../src/analysis/side-by-side.js";
import {runCard} from "../../src/views/verdict-cards.js";

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
  format: {count: String, time: (s) => `${s} s`, number: String, percent: String}};

test("a run of starts has no requests and says so", () => {
  const starts = run({metrics: [{name: "warm_startup_time", value: 2.5}]});
  assert.ok(isStart(starts) && !isStart(counted) && !isStart(run({})));
  assert.ok(!isStart(run({metrics: [...starts.metrics, ...counted.metrics]})), "it has requests too");
  assert.ok(allStarts({runs: [starts]}) && !allStarts({runs: [starts, counted]}) && !allStarts({runs: []}));
  assert.equal(reasonWithoutRows(starts, "there is no latency to show"),
    "The run measured starts and has no requests, so there is no latency to show.");
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
