import assert from "node:assert/strict";
import test from "node:test";

import {differences, flatten, hasNoEffect, setupDifferences} from "../../src/analysis/tree-diff.js";

test("leaves have paths, and a list of plain values is a leaf", () => {
  assert.deepEqual([...flatten({a: {b: 1, c: [1, 2]}, d: null, e: {}, f: "x"})],
    [["a.b", "1"], ["a.c", "[1,2]"], ["d", "null"], ["f", "x"]]);
});

test("entries of a list are found by kind and id, whatever their order", () => {
  const a = [{kind: "backend", id: "openai", version: "1"}, {kind: "dataset", id: "x", version: "1"}];
  const b = [a[1], {...a[0], version: "2"}];
  assert.deepEqual(differences([{plugins: a}, {plugins: b}]),
    [{path: "plugins[backend openai].version", values: ["1", "2"]}]);
});

test("two entries with the same name stay apart", () => {
  const found = flatten({r: [{use: "csv", f: "a"}, {use: "csv", f: "b"}]});
  assert.equal(found.get("r[csv].f"), "a");
  assert.equal(found.get("r[csv 2].f"), "b");
});

test("a path that one tree lacks is null there", () => {
  assert.deepEqual(differences([{a: 1}, {}, {a: 1}]), [{path: "a", values: ["1", null, "1"]}]);
  assert.deepEqual(differences([undefined, null]), []);
});

test("a tree without end in depth is cut", () => {
  let deep = {};
  for (let i = 0; i < 5000; ++i) deep = {deep};
  assert.ok(flatten({deep, a: 1}).size >= 1);
});

test("identifiers that differ between any two runs are left out", () => {
  const run = (prefix, rate) => ({config: {dataset: {"request-id-prefix": prefix},
    load: {"request-rate": rate}}, description: {model_id: "m"}, environment: {}});
  const found = setupDifferences([run("a", 4), run("b", 8)]);
  assert.deepEqual(found.config, [{path: "load.request-rate", values: ["4", "8"]}]);
  assert.deepEqual(found.environment, []);
});

const runOf = (config, more) => ({config, description: {}, environment: {}, ...more});

test("settings that say where results go or what the user sees are left out", () => {
  const found = setupDifferences([
    runOf({run: {label: "a", "result-dir": "x", metadata: {k: 1}, "save-result": true, seed: 1},
      reporter: [{use: "html"}]}),
    runOf({run: {label: "b", "result-dir": "y", metadata: {k: 2}, journal: "j", live: "all", seed: 2},
      reporter: [{use: "csv", file: "f"}], dataset: {"request-id-prefix": "p"}})]);
  assert.deepEqual(found.config, [{path: "run.seed", values: ["1", "2"]}]);
  assert.ok(hasNoEffect("reporter[csv].file") && hasNoEffect("run.metadata.k"));
  assert.ok(!hasNoEffect("run.seed") && !hasNoEffect("reporters"));
});

test("load and server come first, settings that a run lacks included", () => {
  const found = setupDifferences([
    runOf({run: {seed: 1}, metrics: {m: 1}, server: {timeout: 1}, load: {"request-rate": 4}}),
    runOf({run: {seed: 2}, metrics: {m: 2}, server: {}, load: {"max-concurrency": 8, "request-rate": null},
      dataset: {salt: "s"}})]);
  assert.deepEqual(found.config.map(({path}) => path), ["load.max-concurrency", "load.request-rate",
    "server.timeout", "dataset.salt", "metrics.m", "run.seed"]);
  assert.deepEqual(found.config[1].values, ["4", null]);
});

test("the description repeats no setting of the plan", () => {
  const run = (model, goals, rate) => runOf({backend: {model}, load: {rate}},
    {description: {model_id: model, thresholds: goals, request_rate: rate}});
  assert.deepEqual(setupDifferences([run("a", [1], 1), run("b", [2], 2)]).config.map(({path}) => path),
    ["load.rate", "backend.model"]);
  assert.deepEqual(setupDifferences([runOf({}, {description: {model_id: "a", thresholds: [1]}}),
    runOf({}, {description: {model_id: "b", thresholds: [2]}})]).config.map(({path}) => path), ["model_id"]);
  const served = (model) => runOf({backend: {model: null}}, {description: {model_id: model}});
  assert.deepEqual(setupDifferences([served("a"), served("b")]).config,
    [{path: "model", values: ["a", "b"]}]);
});

test("reporters are no part of machine and versions", () => {
  const run = (...plugins) => runOf({}, {environment: {machine: {cores: plugins.length}, plugins}});
  const html = {kind: "reporter", id: "html", version: "1"};
  const vllm = (version, file) => ({kind: "backend", id: "vllm", version, file});
  assert.deepEqual(setupDifferences([run(html, vllm("1", "a")), run(vllm("2", "b"))]).environment, [
    {path: "machine.cores", values: ["2", "1"]},
    {path: "plugins[backend vllm].version", values: ["1", "2"]}]);
});
