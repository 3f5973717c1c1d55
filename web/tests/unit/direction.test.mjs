import assert from "node:assert/strict";
import test from "node:test";

import {directionOf, hasDirection} from "../../src/analysis/direction.js";

const side = (value, more) => ({value, low: NaN, high: NaN, bound: NaN, effect: "good", label: "A", ...more});
const word = (metric, to, from, more, less) => directionOf(metric, side(to, {label: "B", ...more}), side(from, less));

test("more throughput and less latency are better", () => {
  assert.deepEqual(word("request_throughput", 49, 85), {kind: "bad", text: "worse (lower)"});
  assert.deepEqual(word("output_throughput", 85, 49), {kind: "good", text: "better (higher)"});
  assert.deepEqual(word("ttft", 182, 20), {kind: "bad", text: "worse (longer)"});
  assert.deepEqual(word("tpot", 2.4, 2.8), {kind: "good", text: "better (shorter)"});
  assert.deepEqual(word("correct_rate", 99, 80), {kind: "good", text: "better (higher)"});
  assert.deepEqual(word("cold_startup_time", 30, 20), {kind: "bad", text: "worse (longer)"});
});

test("counts and durations get no judgement", () => {
  assert.deepEqual(word("duration", 6, 3), {kind: "", text: ""});
  assert.deepEqual(word("completed", 300, 300, {effect: "bad"}), {kind: "", text: "equal"});
  assert.ok(hasDirection("itl") && !hasDirection("completed"));
});

test("a difference that the client or an interval explains is no change", () => {
  assert.equal(word("ttft", 20.6, 20, {bound: 0.4}, {bound: 0.3}).text, "equal within the client's error");
  assert.equal(word("ttft", 20.1, 20).text, "nearly equal");
  assert.equal(word("ttft", 20, 20).text, "equal");
  assert.deepEqual(word("ttft", 25, 20, {low: 18, high: 32}, {low: 15, high: 25}),
    {kind: "", text: "worse (longer), but the intervals overlap"});
  assert.equal(word("ttft", 25, 20, {low: 24, high: 26}, {low: 19, high: 21}).kind, "bad");
});

test("a figure that a client spoiled is not judged", () => {
  assert.deepEqual(word("itl", 3.6, 4.2, {}, {effect: "bad"}), {kind: "warn", text: "not usable (A)"});
  assert.deepEqual(word("itl", 3.6, 4.2, {effect: "bad"}), {kind: "warn", text: "not usable"});
  assert.equal(word("itl", 3.6, 4.2, {effect: "bad"}, {effect: "bad"}).text, "not usable (A, B)");
  assert.equal(word("itl", 3.6, 4.2, {effect: "warn"}).text, "better (shorter), perhaps by its client");
  assert.equal(word("itl", 3.6, 4.2, {}, {effect: "warn"}).text, "better (shorter), perhaps by the client of A");
  assert.equal(word("itl", 3.6, 4.2, {}, {effect: "unknown"}).kind, "good");
});

test("a missing value gets no word", () => {
  for (const [to, from] of [[NaN, 1], [1, NaN], [1, 0], [0, 1]]) assert.equal(word("ttft", to, from).text, "");
});
