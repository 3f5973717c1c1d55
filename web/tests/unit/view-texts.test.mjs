// The sentences of the views errors, client-health, scatter, server-series, token-gaps and classes.
import assert from "node:assert/strict";
import {test} from "node:test";
import {failures} from "../../src/analysis/error-counts.js";
import {stallsOf} from "../../src/analysis/gap-figures.js";
import {DIMENSIONS, groupFigures} from "../../src/analysis/groups.js";
import {panelsOf} from "../../src/analysis/series-panels.js";
import {format} from "../../src/ui/format.js";
import {readingOf as ofGroups} from "../../src/views/classes.js";
import {boundText, decades, figureName, lagReading, signalsOf} from "../../src/views/client-health.js";
import {readingOf as ofErrors} from "../../src/views/errors.js";
import {reading as ofQuarters} from "../../src/views/latency-over-time.js";
import {slopeText} from "../../src/views/scatter.js";
import {readingOf as ofSeries} from "../../src/views/server-series.js";
import {readingOf as ofLanes} from "../../src/views/swim-lanes.js";
import {readingOfRate} from "../../src/views/throughput-concurrency.js";
import {keptText, readingOf as ofGaps, togetherText} from "../../src/views/token-gaps.js";
import {fewRows} from "./few-rows.mjs";

test("failures are told with number, share, kind and time", () => {
  const rows = fewRows([{start: 0, sent: 1, end: 1500, status: 5, http: 503}, {start: 0, sent: 1, end: 2500, status: 5, http: 503},
    {start: 0, first: 1, last: 2}, {start: 0, first: 1, last: 2}]);
  assert.equal(ofErrors(failures(rows), 4, format),
    "2 of 4 requests failed (50 %), all of them: remote (HTTP 503), answered with an error, first at 1.5 s of the run, last at 2.5 s.");
  assert.equal(ofErrors({groups: [], failed: 0}, 4, format), "None of the 4 requests failed.");
  assert.equal(ofErrors({groups: [], failed: 0}, 0, format), "No request was sent.");
});

test("bounds of the client are never rounded down", () => {
  assert.equal(boundText(0.0000930, format), "≤ 0.001 ms");
  assert.equal(boundText(1.2301, format), "1.24 ms");
  assert.equal(boundText(0, format), "0 ms");
  assert.equal(boundText(undefined, format), "–");
});

test("an axis of lags has whole decades", () => {
  assert.deepEqual(decades(Float64Array.of(NaN, 0.02, 30)), {min: 0.01, max: 100});
  assert.deepEqual(decades(Float64Array.of(NaN)), {min: 0.01, max: 1});
});

test("a signal above its limits is marked, and an absent limit is none", () => {
  const states = signalsOf({limits: [{name: "error_bound", figure: 12, suspect: 1, invalid: 10},
    {name: "retransmits", figure: 0.5, suspect: 0.001, invalid: null}, {name: "new_signal", figure: 0, suspect: 0, invalid: 0}],
  signs: [{name: "cpu", figure: 0.95, told_above: 0.9}]}).map(({text, state}) => [text.split(",")[0], state]);
  assert.deepEqual(states, [["largest error of a latency", "bad"], ["segments that TCP sent again", "warn"], ["new_signal", "good"],
    ["CPU of the busiest worker during the whole run", "told"]]);
  assert.deepEqual(signalsOf(undefined), []);
});

test("the lag of a burst is not the client's", () => {
  const run = {description: {request_rate: "inf"}};
  assert.match(lagReading(run, {waited: 0}, [], format), /^The requests were all due at the same time/);
  assert.match(lagReading({description: {request_rate: 5}}, {waited: 3}, [{from: 0, to: 2, kind: "bad"}], format),
    /late for 2 s of the run \(red\)\. 3 requests waited for a permit/);
});

test("a slope has its unit, interval and n", () => {
  const fit = {slope: 0.0567, lower: 0.05, upper: 0.06, n: 2946, pairs: 100000, sampled: true};
  assert.equal(slopeText(fit, ["input tokens", "TTFT"], format),
    "1,000 more input tokens add 56.7 ms to TTFT (median slope; 95 % interval 50.0 ms to 60.0 ms, n = 2,946, from a sample of 100,000 pairs)");
  assert.match(slopeText({...fit, slope: -0.01}, ["input tokens", "TTFT"], format), /take 10\.0 ms off TTFT/);
  assert.match(slopeText(null, [], format), /three are needed/);
});

test("the series are told by their peaks", () => {
  const series = {interval_s: 1, sources: [{url: "http://a/metrics", at_s: [0, 60], series: [
    {name: "waiting", unit: "requests", values: [0, 7]}, {name: "running", unit: "requests", values: [1, 72]},
    {name: "kv_cache_usage", unit: "1", values: [0.1, 0.58]}]}]};
  assert.equal(ofSeries(panelsOf(series), format),
    "Requests waited inside the server: up to 7 at 1:00; at most 72 ran at the same time; its KV cache was 58 % full at most.");
  assert.equal(ofSeries([], format), "");
});

test("stalls are told with their share and the longest gap", () => {
  const rows = fewRows([{start: 0, first: 1, last: 80, gaps: [10, 20, 60]}, {start: 0, first: 1, last: 80, gaps: [10]}]);
  const run = {rows, strings: {}, classLimits: [25, 50]};
  assert.equal(ofGaps(run, stallsOf(rows), format),
    "25 % of the gaps were 50.0 ms or longer, in 1 of 2 answers. The longest gap, 60.0 ms, was in request 0, before event 4.");
  assert.match(keptText({kind: "some", total: 5e6, rows: [1, 2]}, format), /^The run had 5,000,000 gaps\. .* for 2 requests/);
});

test("groups that chance may explain are not called different", () => {
  const many = (klass, e2el) => Array.from({length: 50}, (_, i) => ({start: 0, first: 10, last: e2el + i, output: 10, klass}));
  const groups = (a, b) => groupFigures(fewRows([...many(0, a), ...many(1, b)]), {class: ["a", "b"]}, DIMENSIONS.class);
  assert.match(ofGroups(groups(100, 105), format), /overlap, so chance may explain the difference\. Jain's .* \(n = 2 groups/);
  assert.match(ofGroups(groups(100, 900), format), /^“b” is the slowest group with a median E2EL of 925 ms \(n = 50\), “a” is the fastest group/);
  assert.equal(ofGroups([], format), "");
});

test("groups of few requests, and groups beside a like one, are not named", () => {
  const many = (klass, e2el, n = 50) => Array.from({length: n}, (_, i) => ({start: 0, first: 10, last: e2el + i, output: 10, klass}));
  const say = (...lists) => ofGroups(groupFigures(fewRows(lists.flat()), {class: ["a", "b", "c", "d"]}, DIMENSIONS.class), format);
  assert.match(say(many(0, 100, 19), many(1, 900)), /^Fewer than two groups have 20 successful requests/);
  assert.match(say(many(0, 100), many(1, 900), many(2, 5000, 3)),
    /^“b” is the slowest .*, “a” is the fastest .*1 group with fewer than 20 successful requests is not compared\./);
  const alike = say(many(0, 100), many(1, 103), many(2, 900), many(3, 903));
  assert.match(alike, /do not overlap, but those of neighbouring groups do, so no group is named/);
  assert.doesNotMatch(alike, /“/);
  const slow = say(many(0, 100), many(1, 103), many(2, 900));
  assert.match(slow, /^“c” is the slowest group/);
  assert.doesNotMatch(slow, /fastest/);
});

test("a client that was not the limit has no signal in colour", () => {
  const client = {limits: [{name: "retransmits", figure: 0.5, suspect: 0.001, invalid: null}],
    signs: [{name: "longest_standstill_ms", figure: 12, told_above: 0}]};
  const tones = (verdict) => signalsOf({...client, verdict}).map(({tone}) => tone);
  assert.deepEqual(tones("VALID"), ["", ""]);
  assert.deepEqual(tones("SUSPECT"), ["warn", ""]);
  assert.ok(Number.isNaN(signalsOf(client)[1].suspect), "a sign has no limit");
  const spans = [{from: 0, to: 2, kind: "bad"}];
  assert.match(lagReading({description: {request_rate: 5}}, {waited: 0}, spans, format, true), /2 s of the run \(grey\), too little/);
});

test("figures of the client have their labels", () => {
  assert.equal(figureName({metrics: [{name: "ttft", label: "TTFT!"}]}, "ttft"), "TTFT!");
  assert.equal(figureName({metrics: []}, "ttft_from_due"), "TTFT from due");
  assert.equal(figureName({}, "new_figure"), "new figure");
});

test("a few requests do not say whether the server kept up", () => {
  const rowsOf = (n) => fewRows(Array.from({length: n}, (_, i) => ({start: i * 100, first: i * 400 + 1, last: i * 400 + 300})));
  const say = (n) => readingOfRate({format}, {rows: rowsOf(n), description: {request_rate: 10}, facts: {}});
  assert.match(say(10).text, /: too few requests to say whether the server kept up\.$/);
  assert.equal(say(10).kind, undefined);
  assert.match(say(100).text, /were not served in time/);
});

test("a change is claimed only where it is known how many requests are independent", () => {
  const part = (value) => ({count: 100, effective: 60.9, value, low: value - 1, high: value + 1});
  const found = {percent: 90, first: part(50), last: part(90), change: "rose"};
  const say = (sure) => ofQuarters({format}, "TTFT", found, sure);
  assert.match(say({known: true, confidence: 0.95}), /P90 TTFT rose .* about 60 and 60 independent\); the 95 % intervals do not overlap\./);
  assert.match(say({known: false, confidence: 0.99}), /not known\); this sample does not show whether it changed\./);
});

test("gaps without a place on the axis are told", () => {
  assert.equal(togetherText(0, format), "");
  assert.equal(togetherText(3, format), " 3 gaps are shorter than 0.01 ms (events that came together) and are not drawn.");
});

test("the slowest request is told with the server's queue if the client was not the limit", () => {
  const rows = fewRows([{start: 1000, first: 5000, last: 5400, output: 9, longestGap: 60}, {start: 0, first: 10, last: 20, output: 2}]);
  const source = (running, waiting) => ({at_s: [0, 1, 2, 3, 4], series: [{name: "running", values: [1, 2, 3, running, 5]},
    {name: "waiting", values: [0, 0, 0, waiting, 0]}]});
  const series = (...sources) => ({interval_s: 1, sources});
  const say = (facts) => ofLanes({rows, strings: {}, facts}, format).text;
  const valid = {verdict: "VALID"};
  assert.match(say({client: valid, series: series(source(31, 12))}), /median request .*\. At 3 s 31 requests ran and 12 waited in the server\.$/);
  assert.match(say({client: valid, series: series(source(1, 2), source(3, 4))}), /4 requests ran and 6 waited/);
  assert.doesNotMatch(say({client: valid, series: series(source(null, null))}), /in the server/);
  assert.doesNotMatch(say({client: {verdict: "INVALID"}, series: series(source(31, 12))}), /in the server/);
  assert.doesNotMatch(say({client: valid}), /in the server/);
});
