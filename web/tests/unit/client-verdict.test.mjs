import assert from "node:assert/strict";
import {test} from "node:test";
import {answerOf, inFlightAtStart, lateSpans, lengthOf, paced, scheduleLag} from "../../src/analysis/client-verdict.js";
import {fewRows} from "./few-rows.mjs";

const ms = (value) => `${value} ms`;
const worst = (of_limit, value = 0.03) => ({figure: "P99 TTFT", ms: value, of_limit});

test("the first words answer whether the client was the limit", () => {
  assert.equal(answerOf({verdict: "VALID", worst_error_bound: worst(0.1)}, ms).text,
    "No: the client was not the limit; the client's own error is at most 0.03 ms, on P99 TTFT.");
  assert.equal(answerOf({verdict: "SUSPECT", worst_error_bound: worst(2)}, ms).kind, "warn");
  const bad = answerOf({verdict: "INVALID", worst_error_bound: worst(20, 12)}, ms);
  assert.equal(bad.kind, "bad");
  assert.match(bad.text, /^Yes: .* 12 ms, on P99 TTFT\. Do not use them\.$/);
});

test("without a verdict the bounds alone answer, and without bounds nothing does", () => {
  assert.equal(answerOf({worst_error_bound: worst(0.5)}, ms).answer, "No");
  assert.equal(answerOf({worst_error_bound: worst(5)}, ms).answer, "Perhaps");
  assert.equal(answerOf({worst_error_bound: worst(50)}, ms).answer, "Yes");
  for (const client of [undefined, null, {}, {verdict: "odd"}, {worst_error_bound: null}, {worst_error_bound: {ms: "x"}}])
    assert.equal(answerOf(client, ms).answer, "Unknown");
  assert.equal(answerOf({verdict: "VALID", worst_error_bound: null}, ms).answer, "No");
});

test("requests are due one after another at a rate, in a ramp, a pattern or a trace", () => {
  assert.equal(paced({request_rate: "inf"}), false);
  assert.equal(paced(undefined), false);
  for (const about of [{request_rate: 5}, {request_rate: "inf", traffic: "x"}, {ramp_up: {}}, {self_timed: true}])
    assert.equal(paced(about), true);
});

test("requests in flight are counted at each start", () => {
  const rows = fewRows([{start: 0, end: 10}, {start: 5, end: 20}, {start: 10, end: 12}, {start: NaN}]);
  assert.deepEqual([...inFlightAtStart(rows)], [1, 2, 2, 0]);
});

test("waiting for a turn under the limit in flight is not the client's own lag", () => {
  const rows = fewRows([{due: 0, start: 1, sent: 1.5, end: 10}, {due: 2, start: 10, sent: 10, end: 20}]);
  const found = scheduleLag(rows, {request_rate: 5, max_concurrency: 1});
  assert.equal(found.waited, 2);
  assert.deepEqual([...found.lag], [1.5, 8]);
  assert.deepEqual([...found.own], [NaN, NaN]);
  assert.deepEqual([...scheduleLag(rows, {request_rate: 5, max_concurrency: 4}).own], [1, 8]);
  assert.deepEqual([...scheduleLag(rows, {request_rate: 5, max_concurrency: 4}, true).own], [NaN, NaN]);
  assert.deepEqual([...scheduleLag(rows, {request_rate: "inf"}).own], [NaN, NaN]);
});

test("spans in which a tenth of the requests were late by the client are bad", () => {
  const list = [];
  for (let i = 0; i < 1000; ++i) {
    const late = i >= 500 && i < 600 ? 80 : i >= 800 && i < 850 ? 2 : 0;
    list.push({due: i * 10, start: i * 10 + late, first: i * 10 + late + 100, last: i * 10 + late + 200});
  }
  const rows = fewRows(list);
  const spans = lateSpans(rows, scheduleLag(rows, {request_rate: 100}));
  assert.deepEqual(spans.map(({kind}) => kind), ["bad", "warn"]);
  assert.ok(Math.abs(spans[0].from - 5) < 0.2 && Math.abs(spans[0].to - 6) < 0.2);
  assert.ok(Math.abs(lengthOf(spans, "bad") - 1) < 0.2);
  assert.deepEqual(lateSpans(fewRows([]), scheduleLag(fewRows([]), {})), []);
});
