import assert from "node:assert/strict";
import test from "node:test";

import {boundOf, effectOn, effectOnRun, worst} from "../../src/analysis/client-effect.js";

const p99 = (metric) => ({key: `${metric}.p99`, metric});
const throughput = {key: "request_throughput", metric: "request_throughput"};
const limits = (bound, starved = 0) => [{name: "error_bound", figure: bound, suspect: 1, invalid: 10},
  {name: "retransmits", figure: 0, suspect: 0.001, invalid: null},
  {name: "starved", figure: starved, suspect: 0.001, invalid: 0.01}];
const bounds = {itl: {p99: 8.99}, ttft: {p99: 0.7}, tpot: {p99: 0.1}};

test("a verdict because of one figure spoils this figure alone", () => {
  const client = {verdict: "INVALID", limits: limits(18), error_bound_ms: bounds};
  assert.equal(effectOnRun(client), "good");
  assert.equal(effectOn(client, p99("itl"), 4.18), "bad");
  assert.equal(effectOn(client, p99("itl"), 200), "warn", "less than 10 % of it, more than 1 %");
  assert.equal(effectOn(client, p99("ttft"), 20), "warn");
  assert.equal(effectOn(client, p99("ttft"), 200), "good");
  assert.equal(effectOn(client, p99("tpot"), 3), "good");
  assert.equal(effectOn(client, throughput, 85), "unknown", "throughput has no bound");
  assert.equal(effectOn(client, p99("e2el"), 185), "unknown");
  assert.equal(boundOf(client, p99("itl")), 8.99);
  assert.ok(Number.isNaN(boundOf(client, throughput)));
});

test("a verdict because of the whole run spoils every figure", () => {
  const client = {verdict: "INVALID", limits: limits(18, 0.02), error_bound_ms: bounds};
  for (const figure of [p99("tpot"), p99("e2el"), throughput]) assert.equal(effectOn(client, figure, 3), "bad");
  assert.equal(effectOn({...client, verdict: "SUSPECT", limits: limits(0, 0.002)}, throughput, 3), "warn");
});

test("a verdict that the limits do not explain spoils every figure", () => {
  for (const given of [undefined, [], limits(0.2)])
    assert.equal(effectOn({verdict: "INVALID", limits: given}, p99("ttft"), 20), "bad");
});

test("a valid run has good figures, and a run without a verdict unknown ones", () => {
  assert.equal(effectOn({verdict: "VALID"}, throughput, 85), "good");
  assert.equal(effectOn({verdict: "VALID", error_bound_ms: {ttft: null}}, p99("ttft"), 20), "good");
  assert.equal(effectOn(undefined, throughput, 85), "unknown");
  assert.equal(effectOn({error_bound_ms: bounds}, p99("tpot"), 3), "unknown");
  assert.equal(effectOn({error_bound_ms: bounds}, p99("itl"), 3), "bad");
});

test("the worst of effects is told", () => {
  assert.equal(worst([]), "good");
  assert.equal(worst(["unknown", "good"]), "unknown");
  assert.equal(worst(["warn", "unknown", "good"]), "warn");
});
