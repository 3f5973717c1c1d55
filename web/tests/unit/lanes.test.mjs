import assert from "node:assert/strict";
import {test} from "node:test";
import {cutMiddle, layOut, orderBy, pack, shortNames} from "../../src/analysis/lanes.js";
import {random} from "../../src/analysis/slope.js";
import {fewRows} from "./few-rows.mjs";

const lanesOf = ({lanes, offsets, requests}) =>
  Array.from({length: lanes}, (_, at) => [...requests.subarray(offsets[at], offsets[at + 1])]);

test("packed lanes are as few as requests in flight at once, and nothing overlaps", () => {
  const next = random(3);
  const n = 3000;
  const begin = Float64Array.from({length: n}, () => next() * 1000);
  const end = begin.map((at) => at + next() * 20);
  const {lanes, of} = pack(begin, end);
  let most = 0;
  for (const at of begin) most = Math.max(most, begin.reduce((sum, from, i) => sum + (from <= at && end[i] > at ? 1 : 0), 0));
  assert.equal(lanes, most);
  const last = new Map();
  for (const i of orderBy(begin, false)) {
    assert.ok((last.get(of[i]) ?? -Infinity) <= begin[i]);
    last.set(of[i], end[i]);
  }
});

test("requests that follow each other share a packed lane", () => {
  const rows = fewRows([{start: 0, end: 10}, {start: 5, end: 20}, {start: 10, end: 30}]);
  assert.deepEqual(lanesOf(layOut(rows, {packed: true})), [[0, 2], [1]]);
  assert.deepEqual(lanesOf(layOut(rows)), [[0], [1], [2]]);
});

test("the requests of a session share a lane in the order of their start", () => {
  const rows = fewRows([{start: 50, end: 60, session: 1}, {start: 0, end: 10, session: 1}, {start: 5, end: 9, session: 0},
    {start: 6, end: 9}]);
  const nested = layOut(rows, {nested: true});
  assert.deepEqual(lanesOf(nested), [[1, 0], [2], [3]]);
  assert.equal(layOut(rows, {nested: false}).lanes, 4);
});

test("requests of a session at the same time have lanes beside each other", () => {
  const rows = fewRows([{start: 0, end: 10, session: 0}, {start: 1, end: 3, session: 1}, {start: 5, end: 9, session: 0},
    {start: 11, end: 12, session: 0}]);
  assert.deepEqual(lanesOf(layOut(rows)), [[0, 3], [2], [1]]);
  assert.deepEqual(lanesOf(layOut(rows, {order: "duration"})), [[0, 3], [2], [1]]);
});

test("lanes are sorted by duration, TTFT and longest gap, the largest first and unknown values last", () => {
  const rows = fewRows([{start: 0, first: 9, last: 10, longestGap: 1}, {start: 1, end: 30},
    {start: 2, first: 4, last: 22, longestGap: 15}]);
  const order = (order) => lanesOf(layOut(rows, {order})).map(([i]) => i);
  assert.deepEqual(order("duration"), [1, 2, 0]);
  assert.deepEqual(order("ttft"), [0, 2, 1]);
  assert.deepEqual(order("gap"), [2, 0, 1]);
});

test("hidden requests, and requests that never began, are in no lane", () => {
  const rows = fewRows([{start: 0, end: 1}, {start: NaN}, {start: 2, end: 3}]);
  const layout = layOut(rows, {shown: Uint8Array.of(0, 1, 1)});
  assert.deepEqual(lanesOf(layout), [[2]]);
  assert.deepEqual([...layout.lane], [-1, -1, 0]);
});

test("no requests are no lanes", () => {
  assert.equal(layOut(fewRows([])).lanes, 0);
  assert.equal(layOut(fewRows([]), {packed: true}).lanes, 0);
});

test("names of lanes stay different", () => {
  assert.deepEqual(shortNames(["a", "b"]), ["a", "b"]);
  assert.deepEqual(shortNames(["conversation-0011", "conversation-0012"]), ["0011", "0012"]);
  const long = shortNames(["user-aaaaaaaaaaaaaaaaaaaaaaaa-1", "other-aaaaaaaaaaaaaaaaaaaaaaa-2"]);
  assert.ok(long.every((name) => name.length <= 14 && name.includes("…")), long.join());
  assert.notEqual(long[0], long[1]);
  const middle = (c) => `x${"a".repeat(20)}${c}${"a".repeat(20)}`;
  assert.equal(new Set(shortNames([middle("b"), middle("c"), `y${"a".repeat(41)}`])).size, 3);
  assert.deepEqual(shortNames([]), []);
  assert.equal(shortNames(["only-one-conversation-of-the-run"])[0], "only-on…he-run");
  assert.equal(cutMiddle("0123456789", 5), "01" + "2…89".slice(1));
});
