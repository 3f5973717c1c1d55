import assert from "node:assert/strict";
import test from "node:test";

import {differences, flatten, setupDifferences} from "../../src/analysis/tree-diff.js";

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
