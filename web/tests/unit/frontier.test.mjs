import assert from "node:assert/strict";
import {readFileSync} from "node:fs";
import test from "node:test";

import {frontier, gpusOf, pareto, sweptAxis} from "../../src/analysis/frontier.js";

const sweep = () => JSON.parse(readFileSync(new URL("../fixtures/sweep.json", import.meta.url)));

test("points that another point beats on both sides are not on the line", () => {
  const places = [{x: 1, y: 10}, {x: 2, y: 9}, {x: 1.5, y: 8}, {x: 3, y: 2}, {x: NaN, y: 99}];
  assert.deepEqual(pareto(places, "more"), [true, true, false, true, false]);
  assert.deepEqual(pareto(places, "less"), [true, false, false, false, false]);
});

test("equal points share the line", () => {
  assert.deepEqual(pareto([{x: 1, y: 1}, {x: 1, y: 1}, {x: 1, y: 0}], "more"), [true, true, false]);
  assert.deepEqual(pareto([], "more"), []);
});

test("throughput is divided by the GPUs if every point names them", () => {
  assert.equal(gpusOf({axes: {gpus: 4}}, []), 4);
  assert.equal(gpusOf({axes: {}}, [{description: {metadata: {num_gpus: "8"}}}]), 8);
  assert.ok(Number.isNaN(gpusOf({axes: {}}, [{description: {}}])));
  assert.ok(Number.isNaN(gpusOf({axes: {gpus: "many"}}, [])));
});

test("the axis with the most values is swept", () => {
  const points = [[1, 5], [1, 10], [2, 5], [2, 10], [2, 20]].map(([tp, rate]) => ({axes: {rate, tp}}));
  assert.equal(sweptAxis([{name: "rate"}, {name: "tp"}], points), "rate");
  assert.equal(sweptAxis([{name: "tp"}, {name: "rate"}], points), "rate");
  assert.equal(sweptAxis([], points), null);
});

test("the sweep of the fixture has groups, intervals and unstable points", () => {
  const {places, perGpu} = frontier(sweep(), "speed");
  assert.ok(perGpu);
  assert.deepEqual([...new Set(places.map((place) => place.group))], ["gpus=1", "gpus=2"]);
  const point = places[0];
  assert.equal(point.runs.length, 3);
  assert.ok(point.y.low < point.y.value && point.y.value < point.y.high);
  assert.ok(point.x.low < point.x.value && point.x.value < point.x.high);
  const unstable = places.filter((place) => place.state === "unstable");
  assert.deepEqual(unstable.map((place) => place.setting),
    ["request_rate=16, gpus=1", "request_rate=32, gpus=1",
      "request_rate=32, gpus=2"]);
  assert.ok(unstable.every((place) => !place.pareto));
  assert.ok(places.some((place) => place.pareto));
});

test("P99 time to first token makes less better", () => {
  const {places} = frontier(sweep(), "ttft");
  const line = places.filter((place) => place.pareto).sort((a, b) => a.x.value - b.x.value);
  for (let i = 1; i < line.length; ++i) assert.ok(line[i].y.value > line[i - 1].y.value);
});

test("a run whose rate the answers set is neither stable nor unstable", () => {
  const report = sweep();
  for (const run of report.runs) run.description.request_rate = "inf";
  assert.ok(frontier(report, "speed").places.every((place) => place.state === "closed"));
});

test("runs without a steady window and without rows have an unknown load", () => {
  const report = sweep();
  for (const run of report.runs) run.facts = {};
  assert.ok(frontier(report, "speed").places.every((place) => place.state === "unknown"));
});
