import assert from "node:assert/strict";
import {test} from "node:test";
import {search} from "../../src/analysis/lane-search.js";
import {fewRows} from "./few-rows.mjs";

const strings = {session: ["alpha-7", "beta"], error: ["Bad Gateway <b>", "12 apples"], finish_reason: ["stop", "length"],
  class: ["lora-a"], server: ["http://a:1", "http://b:2"]};
const rows = fewRows([
  {start: 0, first: 100, last: 300, session: 0, finish: 0, server: 0, klass: 0, input: 10, output: 5},
  {start: 0, sent: 1, end: 50, session: 1, error: 0, status: 5, http: 502, server: 1, input: 20},
  {start: 0, sent: 1, end: 50, error: 1, status: 65536 - 6, server: 1, input: 30},
  {start: 0, first: 2000, last: 3000, finish: 1, server: 0, sequence: 12, input: 40, output: 9, longestGap: 700},
]);
const found = (query) => {
  const shown = search(rows, strings, query);
  return shown === null ? null : [...shown.keys()].filter((i) => shown[i]);
};

test("an empty query hides nothing", () => {
  assert.equal(found("  "), null);
});

test("words look into session, error, finish reason, class, server, outcome and number", () => {
  assert.deepEqual(found("ALPHA"), [0]);
  assert.deepEqual(found("gateway"), [1]);
  assert.deepEqual(found("length"), [3]);
  assert.deepEqual(found("lora"), [0]);
  assert.deepEqual(found("b:2"), [1, 2]);
  assert.deepEqual(found("timeout"), [2]);
  assert.deepEqual(found("12"), [2, 3]);
  assert.deepEqual(found("502"), [1]);
  assert.deepEqual(found("nowhere"), []);
});

test("a field limits the search to its column", () => {
  assert.deepEqual(found("session:beta"), [1]);
  assert.deepEqual(found("id:12"), [3]);
  assert.deepEqual(found("http:502"), [1]);
  assert.deepEqual(found("status:remote"), [1]);
  assert.deepEqual(found("error:stop"), []);
});

test("failed and ok are outcomes, and all words must match", () => {
  assert.deepEqual(found("failed"), [1, 2]);
  assert.deepEqual(found("ok length"), [3]);
  assert.deepEqual(found("failed gateway timeout"), []);
});

test("comparisons read times in ms or with a unit", () => {
  assert.deepEqual(found("ttft>200"), [3]);
  assert.deepEqual(found("ttft<=0.1s"), [0]);
  assert.deepEqual(found("gap>=700ms"), [3]);
  assert.deepEqual(found("input>10 input<40"), [1, 2]);
  assert.deepEqual(found("turn=5"), []);
});

test("a query that is no comparison is text, whatever it contains", () => {
  assert.deepEqual(found("<b>"), [1]);
  assert.deepEqual(found("ttft>(.*"), []);
  assert.deepEqual(found("constructor>1"), []);
  assert.deepEqual(found("__proto__:x"), []);
  assert.deepEqual(found("toString:1"), []);
});
