import assert from "node:assert/strict";
import {test} from "node:test";

import {compareValues} from "../../src/ui/table.js";
import {drawSeries} from "../../src/ui/chart/marks.js";
import {csvOf, inWords, normalise, rangeOfX, rangeOfY} from "../../src/ui/chart/spec.js";
import {SvgPen} from "../../src/ui/chart/pens.js";

test("missing values are last in both directions", () => {
  const values = [3, NaN, 1, null, 2];
  assert.deepEqual([...values].sort((a, b) => compareValues(a, b)).slice(0, 3), [1, 2, 3]);
  assert.deepEqual([...values].sort((a, b) => compareValues(a, b, true)).slice(0, 3), [3, 2, 1]);
  assert.ok(compareValues("run 2", "run 10") < 0);
});

const spec = (series, more = {}) =>
  normalise({
    title: "t",
    x: {label: "time", unit: "s", time: true},
    y: [{label: "latency", unit: "ms"}],
    series,
    ...more,
  });

test("a chart of one point has a range", () => {
  const one = spec([{label: "a", kind: "line", x: [0], y: [5]}]);
  assert.deepEqual(rangeOfX(one), [0, 1]);
  const [low, high] = rangeOfY(one, one.y[0], [0, 1], new Set());
  assert.ok(low === 0 && high > 5);
  const none = spec([{label: "a", kind: "points", x: [], y: []}]);
  assert.deepEqual(
    rangeOfX(none),
    [0, 1].map((v) => v && 1),
  );
});

test("a goal far away does not flatten the chart, a goal nearby is inside", () => {
  const series = [{label: "a", kind: "line", x: [0, 1], y: [5, 10]}];
  const near = spec(series, {lines: [{y: 25, label: "g", kind: "goal"}]});
  assert.ok(rangeOfY(near, near.y[0], [0, 1], new Set())[1] >= 25);
  const far = spec(series, {lines: [{y: 2500, label: "g", kind: "goal"}]});
  assert.ok(rangeOfY(far, far.y[0], [0, 1], new Set())[1] < 25);
});

test("CSV has all points, also of bands", () => {
  const given = spec([
    {label: "=a", kind: "line", x: [0, 1], y: [5, NaN]},
    {label: "b", kind: "band", x: [0], lower: [1], upper: [2]},
  ]);
  assert.equal(
    csvOf(given),
    "series,time (s),latency (ms),lower,upper\r\n'=a,0,5,,\r\n'=a,1,,,\r\nb,0,,1,2\r\n",
  );
});

test("the text alternative names extremes and gaps", () => {
  const text = inWords(
    spec([
      {label: "a", kind: "line", x: [0, 1, 2], y: [5, 9, 1]},
      {label: "b", kind: "line", x: [0], y: [NaN]},
    ]),
  );
  assert.match(text, /a: 3 values, lowest 1 ms at time 2 s, mean 5 ms, highest 9 ms at time 1 s\./);
  assert.match(text, /b: no values\./);
});

test("the text alternative of a band names its lower and its upper edge", () => {
  const band = {label: "lowest to highest", kind: "band", x: [0, 1, 2], y: [5, 6, 7], lower: [4, 1, 3], upper: [6, 9, 8]};
  assert.match(
    inWords(spec([band])),
    /^lowest to highest: the lower edge goes from 1 ms at time 1 s to 4 ms at time 0 s, the upper edge goes from 6 ms at time 0 s to 9 ms at time 1 s\./,
  );
  assert.match(inWords(spec([{...band, upper: [NaN, NaN, NaN]}])), /the upper edge has no values\./);
});

test("steps hold their value until the next x, or from the one before", () => {
  const plot = {left: 0, top: 0, width: 100, height: 100, x: [0, 10], toX: (v) => v, toY: (v) => v};
  const path = (more) => {
    const out = [];
    const pen = {lines: (lines) => out.push(...lines), markers: () => {}};
    drawSeries(pen, plot, {kind: "steps", x: [1, 4, 6], y: [10, 20, 30], scale: "y", ...more}, false);
    return out;
  };
  assert.deepEqual(path({}), [[1, 10, 4, 10, 4, 20, 6, 20, 6, 30]]);
  assert.deepEqual(path({hold: "before"}), [[1, 10, 1, 20, 4, 20, 4, 30, 6, 30]]);
});

test("SVG escapes texts and characters that XML forbids", () => {
  const pen = new SvgPen(10, 10, "</title><script>x</script>");
  pen.text(0, 0, 'a\u0000<b>"&', 'red" onload="x');
  const text = pen.toString();
  assert.ok(
    !text.includes("<script") &&
      !text.includes("<b>") &&
      !text.includes("\u0000") &&
      !text.includes('" onload="x'),
  );
});
