import assert from "node:assert/strict";
import {readFileSync} from "node:fs";
import {test} from "node:test";

import {
  lookOf,
  onlyColours,
  panelSpec,
  pointRows,
  readPlots,
  sharedRanges,
} from "../../src/analysis/plots.js";
import {labelPlaces} from "../../src/ui/chart/labels.js";
import {shapeOf} from "../../src/ui/chart/shapes.js";
import {niceTicks, sqrtTicks, symlogTicks} from "../../src/ui/chart/ticks.js";
import {makeCurve, makeFigure, makePlots} from "../plot-page.mjs";

const read = (data) => readPlots(() => JSON.stringify(data));
const readFigure = (curves, more) => read(makePlots([makeFigure(curves, more)])).figures[0];

test("points are read in the order of x, with their texts", () => {
  const {
    panels: [{curves}],
  } = readFigure([
    makeCurve("a", 3, {
      x: [3, 1, 2],
      y: [30, 10, "inf"],
      low: [29, 9, null],
      high: [31, 11, null],
      labels: ["third", "first", ""],
      details: ["c", "a", "b"],
      weak: [0],
    }),
  ]);
  assert.deepEqual([...curves[0].x], [1, 2, 3]);
  assert.deepEqual([...curves[0].y], [10, Infinity, 30]);
  assert.deepEqual([...curves[0].low], [9, NaN, 29]);
  assert.deepEqual(curves[0].labels, ["first", "", "third"]);
  assert.deepEqual(curves[0].details, ["a", "b", "c"]);
  assert.deepEqual(curves[0].weak, [false, false, true]);
});

test("points whose x is not a number come last", () => {
  const {
    panels: [{curves}],
  } = readFigure([makeCurve("a", 4, {x: [null, 3, null, 1], y: [1, 2, 3, 4]})]);
  assert.deepEqual([...curves[0].x], [1, 3, NaN, NaN]);
  assert.deepEqual([...curves[0].y], [4, 2, 1, 3]);
});

test("figures with the same title are told apart", () => {
  const {figures} = read(makePlots(["a", "a", "", "a"].map((title) => makeFigure([], {title}))));
  assert.deepEqual(
    figures.map((figure) => figure.title),
    ["a", "a (2)", "Figure 3", "a (3)"],
  );
});

test("data of a newer format and a page without data are refused", () => {
  assert.throws(() => read({...makePlots([]), format: 2}), /format 2/);
  assert.throws(() => readPlots(() => null), /no data/);
});

test("colours, markers and dashes are those of the pictures", () => {
  const source = readFileSync(new URL("../../../figures/src/palette.cpp", import.meta.url), "utf8");
  const names = {circle: "dot", square: "square", diamond: "diamond", triangle: "triangle"};
  const shapes = source
    .match(/shapes\{([^}]*)\}/)[1]
    .match(/marker::\w+/g)
    .map((name) => names[name.slice(8)] ?? name.slice(8));
  shapes.forEach((marker, dash) =>
    assert.equal(lookOf({colour: 0, dash, width: 0}, false).marker, marker),
  );
  for (const [, pattern, dashes] of source.matchAll(/case (\d):\s+return \{([^}]*)\}/g))
    assert.deepEqual(
      lookOf({colour: 0, dash: Number(pattern), width: 0}, false).dash,
      dashes.split(",").map(Number),
    );
  const widths = source.match(/line_widths\{([^}]*)\}/)[1].split(",").map(Number);
  widths.forEach((value, width) =>
    assert.equal(lookOf({colour: 0, dash: 0, width}, false).width, value),
  );
});

test("the ninth colour has another pattern, and curves of one key have different markers", () => {
  assert.equal(lookOf({colour: 8, dash: 0, width: 0}, false).colour, "series0");
  assert.notEqual(
    lookOf({colour: 8, dash: 0, width: 0}, false).dash,
    lookOf({colour: 0, dash: 0, width: 0}, false).dash,
  );
  assert.equal(lookOf({colour: 1, dash: 0, width: 0}, true).marker, "square");
  assert.equal(lookOf({colour: 1, dash: 0, width: 0}, false).marker, "dot");
  assert.ok(onlyColours(readFigure([makeCurve("a", 2), makeCurve("b", 2, {colour: 3})])));
  assert.ok(!onlyColours(readFigure([makeCurve("a", 2, {dash: 1})])));
});

test("a curve has one name in the legend; its other series are parts of it", () => {
  const figure = readFigure([makeCurve("a", 4, {weak: [3]}), makeCurve("b", 4, {line: false})]);
  const {series} = panelSpec(figure, figure.panels[0]);
  const named = series.filter((each) => each.partOf === undefined);
  assert.deepEqual(
    named.map((each) => each.label),
    ["a", "b"],
  );
  for (const each of series)
    if (each.partOf !== undefined) assert.equal(series[each.partOf].label, each.label);
  assert.deepEqual(
    series.map((each) => [each.kind, each.marker ?? ""]),
    [
      ["band", ""],
      ["line", ""],
      ["points", "dot"],
      ["points", "dot"],
      ["points", "ring"],
      ["points", "dot"],
    ],
  );
  const ring = series[4];
  assert.deepEqual([...ring.x], [400]);
  assert.equal(ring.tip(0), "rate 400\nmean of 4 runs");
  assert.ok(series[5].lower, "points without a line have error bars");
});

test("the panels of a figure share their axes", () => {
  const figure = readFigure([], {
    columns: 2,
    panels: [
      {title: "a", row: 0, column: 0, curves: [makeCurve("c", 2, {x: [1, 2], y: [5, 6]})]},
      {title: "b", row: 0, column: 1, curves: [makeCurve("c", 2, {x: [9, 10], y: [50, 60]})]},
    ].map((panel) => ({
      ...panel,
      curves: panel.curves.map((curve) => ({...curve, low: undefined, high: undefined})),
    })),
  });
  const {x, y} = sharedRanges(figure);
  assert.ok(x[0] < 1 && x[1] > 10);
  assert.ok(y[0] === 0 && y[1] > 60);
});

test("the table has a row for each point, with its ends if they differ from it", () => {
  const rows = pointRows(
    readFigure([makeCurve("key=1\nother=2", 2, {low: [36, 5], high: [44, 5], weak: [1]})]),
  );
  assert.equal(rows.length, 2);
  assert.equal(rows[0].curve, "key=1, other=2");
  assert.deepEqual([rows[0].low, rows[0].high], [36, 44]);
  assert.deepEqual([rows[1].low, rows[1].high, rows[1].weak], [null, null, true]);
  assert.equal(rows[1].detail, "rate 200; mean of 2 runs");
});

test("each shape of an axis is undone by its inverse", () => {
  for (const [shape, values] of Object.entries({
    linear: [-5, 0, 7],
    log: [1e-9, 1, 3e8],
    symlog: [-1e6, -2, -0.5, 0, 1, 2, 2.5, 1e9],
    sqrt: [0, 0.25, 1e6],
  })) {
    const {to, from, has} = shapeOf({shape});
    for (const value of values) {
      assert.ok(has(value));
      assert.ok(Math.abs(from(to(value)) - value) <= Math.abs(value) * 1e-9, `${shape} ${value}`);
    }
  }
  assert.ok(!shapeOf({shape: "log"}).has(0) && !shapeOf({shape: "sqrt"}).has(-1));
  assert.equal(shapeOf({}), shapeOf({shape: "linear"}));
  assert.equal(shapeOf({log: true}), shapeOf({shape: "log"}));
});

test("ticks are round, inside and not too many", () => {
  assert.deepEqual(niceTicks(0, 1, 5), [0, 0.2, 0.4, 0.6, 0.8, 1]);
  assert.deepEqual(niceTicks(3, 3, 5), [3]);
  assert.deepEqual(symlogTicks(-150, 2000, 9), [-100, -10, -1, 0, 1, 10, 100, 1000]);
  assert.deepEqual(symlogTicks(0, 1, 5), niceTicks(0, 1, 5));
  const roots = sqrtTicks(0, 10_000, 6);
  assert.ok(roots.length >= 3 && roots.length <= 7);
  assert.equal(roots[0], 0);
});

test("labels cover neither each other nor a labelled point, and stay in the plot", () => {
  const plot = {left: 0, top: 0, width: 300, height: 200};
  const named = Array.from({length: 40}, (_, i) => ({
    x: 150 + 3 * (i % 7),
    y: 100 + 2 * i,
    text: `key=${i}\nother=1`,
  }));
  const placed = labelPlaces(named, plot);
  assert.ok(placed.length > 0 && placed.length < named.length);
  const box = ({x, y, lines}) => [
    x,
    y - 9,
    x + 5.9 * Math.max(...lines.map((line) => line.length)),
    y - 9 + 12 * lines.length,
  ];
  const boxes = placed.map(box);
  boxes.forEach((a, i) => {
    assert.ok(a[0] >= 0 && a[1] >= 0 && a[2] <= 300 && a[3] <= 200);
    for (const b of boxes.slice(i + 1))
      assert.ok(a[2] <= b[0] || b[2] <= a[0] || a[3] <= b[1] || b[3] <= a[1]);
  });
});
