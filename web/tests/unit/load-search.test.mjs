import assert from "node:assert/strict";
import test from "node:test";

import {certaintyText, goalsOf, goalTexts, isWide, limitTexts, missedText, nearness, pointsOf, probeOfLimit,
  searchOf} from "../../src/analysis/load-search.js";
import {format} from "../../src/ui/format.js";
import {makeSearch} from "../search-facts.mjs";
import {reportOf, runOf} from "./compared-runs.mjs";

const searchWith = (change = {}, runs = [runOf("A")]) =>
  searchOf({...reportOf(...runs), facts: {search: {...makeSearch(), ...change}}});
const goal = (more = {}) => searchWith({probes: [{load: 2, verdict: "passed", goals: [{goal: "ttft.p99<200ms",
  kind: "certified", verdict: "passed", allowed: 0.01, over: 3, count: 1300, ...more}]}]}).probes[0].goals[0];
const mean = (more = {}) => goal({goal: "e2el.mean<2s", kind: "estimated", limit: 2000, unit: "ms", batches: 20,
  estimate: 1500, half_width: 100, count: undefined, over: undefined, ...more});

test("only a page of a search has a search", () => {
  assert.equal(searchOf(reportOf(runOf("A"))), null);
  for (const search of [null, 3, "x", [], undefined])
    assert.equal(searchOf({...reportOf(runOf("A")), facts: {search}}), null);
});

test("the probes are in the order of load, and know their place in time", () => {
  const {probes} = searchWith();
  assert.deepEqual(probes.map(({load}) => load), [7.07, 11.5, 12.2, 12.6, 13, 14.7, 18.8, 50]);
  assert.deepEqual(probes.map(({order}) => order), [2, 4, 7, 8, 6, 5, 3, 1]);
});

test("members of wrong types count as missing", () => {
  const search = searchWith({between: "x", goals: {}, limit: "12", upper: {}, alpha: null, certified: 1, conclusion: [null, {}, "a"],
    probes: [null, 7, {load: "y", verdict: "<b>", goals: [3, null, {goal: 5, verdict: {}}], run: 0.5, reason: {}, requests: -1}]});
  assert.deepEqual([search.goals, search.conclusion, search.certified], [[], ["a"], null]);
  assert.ok([search.low, search.high, search.limit, search.alpha].every(Number.isNaN));
  const [probe] = search.probes;
  assert.equal(search.probes.length, 1);
  assert.deepEqual([probe.verdict, probe.run, probe.reason, probe.goals.length, probe.goals[0].goal],
    ["undecided", null, "", 1, "5"]);
  assert.ok(Number.isNaN(probe.requests));
  assert.deepEqual(pointsOf(search), []);
  assert.equal(limitTexts(search, format).limit, "not found");
});

test("a run is known only if the page has it", () => {
  const runs = [-1, 0, 1, 2, null, "0"].map((run) =>
    searchWith({probes: [{load: 1, run}]}, [runOf("A"), runOf("B")]).probes[0].run);
  assert.deepEqual(runs, [null, 0, 1, null, null, null]);
});

test("the limit is told with its interval, and without more than was found", () => {
  const say = (change) => limitTexts(searchWith(change), format);
  assert.deepEqual(say({}), {limit: "12.6 req/s",
    interval: "The limit is between 12.6, the largest load that passed, and 14.7 req/s, the smallest that failed."});
  assert.deepEqual(say({limit: 50, upper: null}), {limit: "at least 50 req/s", interval: "The highest load of the search passed."});
  assert.match(say({upper: null}).interval, /no load above it failed, so the interval has no upper end/);
  assert.deepEqual(say({limit: null, upper: 1}), {limit: "below 1 req/s", interval: "No load passed; this is the smallest load that failed."});
  assert.deepEqual(say({limit: null, upper: null}), {limit: "not found", interval: "No load passed, and none failed."});
  assert.equal(say({over: "max_concurrency", limit: 40}).limit, "40 concurrent requests");
  assert.equal(say({over: "users"}).limit, "12.6 users");
});

test("only a search without estimates is called certified", () => {
  const say = (change) => certaintyText(searchWith(change), format);
  assert.equal(say({}), "Certified: the chance of a limit above the true one is at most 1 %, if the requests depend " +
    "on each other no more than the conclusion says.");
  assert.doesNotMatch(say({certified: false}), /ertified:|chance/);
  assert.doesNotMatch(say({certified: undefined}), /Certified/);
  assert.equal(say({certified: undefined, alpha: null}), "");
});

test("a share has its allowed share, the requests that it rests on and the shares that it would have missed", () => {
  assert.deepEqual(goalTexts(goal(), format), ["0.231 %, allowed 1 %", "3 of 1,300 independent"]);
  assert.equal(missedText(goal({would_pass: 0.0055, would_fail: 0.017, more_needed: 99}), format),
    "if requests are independent: a share up to 0.55 % would have passed, from 1.7 % on would have failed");
  assert.equal(missedText(goal({verdict: "undecided", more_needed: 99.2}), format), "if requests are independent: at least 100 more would be needed to decide");
  assert.equal(missedText(goal(), format), "", "nothing is known");
  const none = {would_pass: null, would_fail: null};
  assert.equal(missedText(goal(none), format), "if requests are independent: no share would have passed");
  assert.equal(missedText(goal({...none, verdict: "undecided"}), format), "if requests are independent: no share would have passed, no share would have failed");
  assert.equal(missedText(goal({verdict: "undecided", observed: 0, would_pass: 0.004}), format),
    "enough if requests are independent, not yet if neighbours depend on each other as much as assumed");
  assert.equal(missedText(goal({...none, verdict: "failed"}), format), "");
  assert.deepEqual(goalTexts(goal({count: 0, over: 0, observed: null}), format), ["no requests", ""]);
});

test("an estimate has its unit, its interval and its batches, and is called estimated", () => {
  assert.deepEqual(goalTexts(mean(), format), ["1,500 ms [1,400 ms to 1,600 ms]", "estimated from 20 batches, limit 2,000 ms"]);
  assert.deepEqual(goalTexts(mean({goal: "itl.p99<50ms", unit: "", limit: 0.01, estimate: 0.004, half_width: 0.001}), format),
    ["0.4 % [0.3 % to 0.5 %]", "estimated from 20 batches, limit 1 %"]);
  assert.deepEqual(goalTexts(mean({estimate: null, half_width: null}), format), ["no estimate", ""]);
});

test("the limit rests on the probe at this load that passed", () => {
  assert.equal(probeOfLimit(searchWith()).independent, 2900);
  assert.equal(probeOfLimit(searchWith({limit: null})), undefined);
  assert.equal(probeOfLimit(searchWith({limit: 14.7})), undefined, "this probe failed");
});

test("1 is the limit of each goal, and less is better", () => {
  assert.ok(Math.abs(nearness(goal()).value - 3 / 1300 / 0.01) < 1e-12);
  assert.deepEqual(nearness(goal({over: 0})), {value: 0.5 / 1300 / 0.01, none: true});
  assert.equal(nearness(mean()).value, 0.75);
  assert.equal(nearness(mean({goal: "output_throughput>=500", unit: "token/s", limit: 500, estimate: 1000})).value, 0.5);
  assert.ok(Number.isNaN(nearness(goal({count: null, over: null})).value));
  assert.ok(Number.isNaN(nearness(mean({estimate: null})).value));
});

test("the columns are the goals that probes judged, and the axis of a wide search is logarithmic", () => {
  assert.deepEqual(goalsOf(searchWith({goals: ["ttft.p99 < 200 ms"]})), ["ttft.p99<200ms", "e2el.p99<5s"]);
  assert.deepEqual(goalsOf(searchWith({probes: []})), ["ttft.p99<200ms", "e2el.p99<5s"]);
  assert.ok(isWide(searchWith({between: [1, 21]})));
  assert.ok(!isWide(searchWith({between: [1, 20]})));
});

test("names of the program are told in words, and other texts as they are", () => {
  const {probes: [probe], ended} = searchWith({ended: "hi_passed", probes: [{load: 1, reason: "dependence"}]});
  assert.equal(probe.reason, "the requests depended on each other more than the warm-up showed");
  assert.equal(ended, "the highest load passed");
  assert.equal(searchWith({ended: "constructor"}).ended, "constructor");
});
