// The sentences of the views errors, client-health, scatter, server-series, token-gaps and classes.
import assert from "node:assert/strict";
import {test} from "node:test";
import {failures} from "../../src/analysis/error-counts.js";
import {stallsOf} from "../../src/analysis/gap-figures.js";
import {DIMENSIONS, groupFigures} from "../../src/analysis/groups.js";
import {panelsOf} from "../../src/analysis/series-panels.js";
import {format} from "../../src/ui/format.js";
import {readingOf as ofGroups} from "../../src/views/classes.js";
import {boundText, decades, lagReading, signalsOf} from "../../src/views/client-health.js";
import {readingOf as ofErrors} from "../../src/views/errors.js";
import {slopeText} from "../../src/views/scatter.js";
import {readingOf as ofSeries} from "../../src/views/server-series.js";
import {keptText, readingOf as ofGaps} from "../../src/views/token-gaps.js";
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
    ["CPU of the busiest worker during the whole run", "warn"]]);
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
    "25 % of the gaps were 50.0 ms or longer, in 1 of 2 answers. The longest gap, 60.0 ms, was in request 0, before its 4th token.");
  assert.match(keptText({kind: "some", total: 5e6, rows: [1, 2]}, format), /^The run had 5,000,000 gaps\. .* for 2 requests/);
});

test("groups that chance may explain are not called different", () => {
  const many = (klass, e2el) => Array.from({length: 50}, (_, i) => ({start: 0, first: 10, last: e2el + i, output: 10, klass}));
  const groups = (a, b) => groupFigures(fewRows([...many(0, a), ...many(1, b)]), {class: ["a", "b"]}, DIMENSIONS.class);
  assert.match(ofGroups(groups(100, 105), format), /overlap, so chance may explain the difference\. Jain's .* \(n = 2 groups/);
  assert.match(ofGroups(groups(100, 900), format), /^“b” is the slowest group with a median E2EL of 925 ms \(n = 50\), “a” the fastest/);
  assert.equal(ofGroups([], format), "");
});
