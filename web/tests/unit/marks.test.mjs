import assert from "node:assert/strict";
import {test} from "node:test";
import {drawSeries} from "../../src/ui/chart/marks.js";

/** A plot of 100 x 100 pixels with a logarithmic y axis from 1 to 100. */
const plot = {
  left: 0,
  top: 0,
  width: 100,
  height: 100,
  x: [0, 10],
  toX: (v) => v * 10,
  toY: (v) => (v > 0 ? 100 - 50 * Math.log10(v) : NaN),
};
const pen = () => ({
  polygons: [],
  segments: [],
  fill(polygons) {
    this.polygons.push(...polygons);
  },
  lines(lines) {
    this.segments.push(...lines);
  },
  markers() {},
});

test("a band whose lower end has no place goes down to the end of the axis", () => {
  const to = pen();
  drawSeries(to, plot, {kind: "band", x: [2, 4], lower: [-5, 10], upper: [100, 100]}, false);
  assert.deepEqual(to.polygons, [[20, 0, 40, 0, 40, 50, 20, 100]]);
});

test("an error bar whose lower end has no place goes down to the end of the axis", () => {
  const to = pen();
  drawSeries(to, plot, {kind: "points", x: [2], y: [10], lower: [0], upper: [100]}, false);
  assert.deepEqual(to.segments[0], [20, 100, 20, 0]);
});

test("a band without ends has a gap", () => {
  const to = pen();
  drawSeries(to, plot, {kind: "band", x: [2], lower: [NaN], upper: [NaN]}, false);
  assert.deepEqual(to.polygons, []);
});
