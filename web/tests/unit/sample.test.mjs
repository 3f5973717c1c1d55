import assert from "node:assert/strict";
import {test} from "node:test";
import {sampleText} from "../../src/analysis/sample.js";

test("a file with the rows of some requests says how many and which", () => {
  assert.match(sampleText({count: 10, total: 1000}, String), /^This file has the single times of 10 of the 1000 requests: .*slowest/);
  assert.equal(sampleText({count: 10, total: 10}, String), "");
  assert.equal(sampleText({count: 10}, String), "");
});
