import assert from "node:assert/strict";
import {test} from "node:test";
import {layOut} from "../../src/analysis/lanes.js";
import {KIND, KINDS, forEachSegment} from "../../src/analysis/segments.js";
import {LanePainter, pixelOf, timesOf} from "../../src/lanes/painter.js";
import {laneSvg} from "../../src/lanes/scene-svg.js";
import {fewRows} from "./few-rows.mjs";

const limits = [25, 50];
const sceneOf = (rows, from, to, how = {}) => ({rows, limits, layout: layOut(rows, how), shown: new Uint8Array(KINDS.length).fill(1),
  waits: true, from, to});
const lineOf = (scene, width, lane = 0) => {
  const painter = new LanePainter(width);
  painter.lane(scene, lane);
  return [...painter.line].map((kind) => (kind === 255 ? "." : String(kind))).join("");
};

test("a wide request has its segments in place, and a shared pixel the worst", () => {
  const rows = fewRows([{due: 0, start: 20, sent: 30, first: 60, last: 150, gaps: [24, 1, 1, 1, 1, 60, 2]}]);
  assert.equal(lineOf(sceneOf(rows, 0, 200), 20), "112333557777777.....");
});

test("the kinds that are switched off are not drawn", () => {
  const rows = fewRows([{due: 0, start: 20, first: 60, last: 100, gaps: [20, 20]}]);
  const scene = sceneOf(rows, 0, 100);
  scene.shown[KIND.queue] = 0;
  assert.equal(lineOf(scene, 10), "..33335555");
});

test("gaps that are not kept are parts in proportion to their counts", () => {
  const rows = fewRows([{start: 0, first: 0, last: 100, gapCounts: [6, 3, 1]}]);
  assert.equal(lineOf(sceneOf(rows, 0, 100), 10), "5555556667");
});

test("narrow requests share a pixel: what took longest wins, and failures always show", () => {
  const many = [];
  for (let i = 0; i < 100; ++i) many.push({start: i, first: i + 0.7, last: i + 0.9, gaps: [0.2]});
  const rows = fewRows(many);
  assert.equal(lineOf(sceneOf(rows, 0, 100, {packed: true}), 5), "33333");
  many[50] = {start: 50, sent: 50, end: 50.5, status: 6};
  assert.equal(lineOf(sceneOf(fewRows(many), 0, 100, {packed: true}), 5), "33833");
});

test("the pauses of a conversation are drawn between its requests", () => {
  const rows = fewRows([{start: 0, sent: 0, end: 20, session: 0}, {start: 60, sent: 60, end: 100, session: 0}]);
  assert.equal(lineOf(sceneOf(rows, 0, 100), 10), "4400004444");
});

test("a part of the time shows the same requests", () => {
  const many = [];
  for (let i = 0; i < 1000; ++i) many.push({start: i * 10, sent: i * 10, end: i * 10 + 10});
  assert.equal(lineOf(sceneOf(fewRows(many), 5000, 5100, {packed: true}), 10), "4444444444");
  assert.equal(lineOf(sceneOf(fewRows(many), 9990, 10010, {packed: true}), 4), "44..");
});

test("the times of a request agree with its segments", () => {
  const rows = fewRows([
    {due: 0, start: 5, sent: 7, first: 20, last: 60, gapCounts: [4, 0, 0]}, {start: 0, sent: NaN, end: 9, status: 3},
    {start: 0, sent: 2, end: 9, status: 4}, {start: 0, sent: 2, first: 3, last: 4, end: 9, status: 4}, {start: 0, sent: 1, end: 4}]);
  for (let i = 0; i < rows.count; ++i) {
    const sums = new Float64Array(KINDS.length);
    forEachSegment(rows, i, limits, (kind, from, to) => { sums[kind] += to - from; }, true);
    const times = new Float64Array(KINDS.length);
    timesOf(rows, i, times);
    assert.deepEqual([...times], [...sums], `request ${i}`);
  }
});

test("a line is copied to the rows of a bar, and rows outside the picture are left out", () => {
  const painter = new LanePainter(2);
  painter.line.set([KIND.prefill, 255]);
  const pixels = new Uint32Array(2 * 4);
  painter.copy(pixels, 2, 0, 2, 8, Uint32Array.from(KINDS, (_, kind) => kind + 10));
  assert.deepEqual([...pixels], [0, 0, 0, 0, 13, 0, 13, 0]);
  painter.copy(pixels, 2, 0, -3, 4, Uint32Array.from(KINDS, () => 99));
  assert.deepEqual([...pixels], [99, 0, 0, 0, 13, 0, 13, 0]);
});

test("colours become opaque pixels", () => {
  assert.deepEqual([...new Uint8Array(Uint32Array.of(pixelOf("#010203")).buffer)], [1, 2, 3, 255]);
});

test("the lanes as SVG have a shape for each segment, up to a limit", () => {
  const how = {first: 0, count: 10, height: 12, width: 100, colours: KINDS.map(() => "#123456"), text: "#000000",
    background: "#ffffff", ticks: [{at: 0, label: "00:00"}]};
  const rows = fewRows([{start: 0, first: 50, last: 100, gaps: [25, 25]}]);
  assert.equal(laneSvg(sceneOf(rows, 0, 100), how).match(/<rect/g).length, 4);
  const many = fewRows([{start: 0, first: 0, last: 30000, gaps: new Array(30000).fill(1)}]);
  assert.equal(laneSvg(sceneOf(many, 0, 30000), how), null);
});
