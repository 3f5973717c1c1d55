import assert from "node:assert/strict";
import test from "node:test";

import {flagOf} from "../../src/analysis/flag-names.js";

const runs = (...flags) => flags.map((each) => ({description: {flags: each}}));

test("a setting has the name of its flag", () => {
  const flag = (path, values, ...flags) => flagOf({path, values}, runs(...flags));
  assert.equal(flag("backend.extra-body.temperature", ["0", "0.7"], {temperature: 0}, {temperature: 0.7}), "--temperature");
  assert.equal(flag("backend.extra-body.top_p", [null, "0.9"], {}, {"top-p": 0.9}), "--top-p");
  assert.equal(flag("load.max-concurrency", [null, "256"], {}, {"max-concurrency": 256}), "--max-concurrency");
  assert.equal(flag("dataset.input-len", ["100", "200"], {"random-input-len": "100"}, {"random-input-len": "200"}),
    "--random-input-len");
  assert.equal(flag("dataset.use", ["random", "sonnet"], {"dataset-name": "random"}, {"dataset-name": "sonnet"}), "--dataset-name");
  assert.equal(flag("backend.extra-body.stop", ["a", "b"], {"extra-body": "{\"stop\":\"a\"}"}, {"extra-body": "{\"stop\":\"b\"}"}),
    "--extra-body (stop)");
});

test("a setting that no flag set has none", () => {
  const flag = (path, values, ...flags) => flagOf({path, values}, runs(...flags));
  assert.equal(flag("load.request-rate", ["4", "8"], {}, {}), null);
  assert.equal(flag("load.request-rate", ["4", "8"], {"request-rate": 4}, {"request-rate": 4}), null, "it does not differ");
  assert.equal(flag("dataset.input-len", ["1", "2"], {"random-input-len": "100"}, {"random-input-len": "200"}), null,
    "its values are others");
  assert.equal(flagOf({path: "load.request-rate", values: ["4", "8"]}, [{}, {description: {}}]), null);
});
