// The page of `inferbench sweep plot`.
import assert from "node:assert/strict";
import {readFileSync, statSync} from "node:fs";
import {createRequire} from "node:module";
import {test} from "node:test";

import {drawAll} from "../browser.mjs";
import {openText} from "../report-page.mjs";
import {builtPlotPage, makeCurve, makeFigure, makePlots, plotPage} from "../plot-page.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const hostile = '</script><script>window.hacked=1</script><img src=x onerror="window.hacked=2">';

async function withPlots(data, look, how) {
  const {page, problems} = await openText(plotPage(data), how);
  try {
    await drawAll(page);
    await look(page);
    assert.equal(await page.evaluate(() => window.hacked), undefined);
    assert.equal(await page.$("[role=alert]"), null);
    assert.deepEqual(problems, []);
  } finally {
    await page.close();
  }
}

const curves = [
  makeCurve("seqs=16", 6, {weak: [5]}),
  makeCurve("seqs=32", 6, {colour: 1, y: [30, 31, 33, 37, 45, 60]}),
];
const several = makeFigure([], {
  rows: 2,
  columns: 2,
  panels: [0, 1, 2].map((i) => ({title: `tp=${i}`, row: i >> 1, column: i % 2, curves})),
});
const pareto = makeFigure(
  [
    makeCurve("All runs", 6, {grey: true, line: false, low: undefined, high: undefined}),
    makeCurve("Pareto frontier", 6, {labels: ["a\nb", "c", "d", "e", "f", "g"]}),
  ],
  {title: "Pareto frontier"},
);

test("what is drawn is said once, with and without groups", async () => {
  const figures = [makeFigure(curves), makeFigure(curves, {title: "tp=1"})];
  await withPlots(makePlots(figures), async (page) => {
    const found = await page.$$eval("section", (list) => list.map((each) => each.textContent));
    for (const text of found) assert.equal(text.split("ttft against rate").length, 2, text);
  });
});

test("the page takes at most 200 KB without data", () => {
  assert.ok(statSync(builtPlotPage).size <= 200_000);
});

for (const [name, figures] of Object.entries({
  "two curves": [makeFigure(curves)],
  "several panels": [several],
  "a frontier": [pareto],
  "one point": [makeFigure([makeCurve("a", 1)])],
  "10,000 points": [makeFigure([makeCurve("a", 10_000)])],
  "values that are not finite": [
    makeFigure([makeCurve("a", 4, {x: [1, 2, "inf", 4], y: [1, null, 3, "-inf"]})]),
  ],
  "values without a place": ["log", "symlog", "sqrt"].map((scale) =>
    makeFigure([makeCurve("a", 5, {x: [-3, 0, 1, 20, 300], y: [-1, 0, 2, 30, 4000]})], {
      x: {label: "x", scale},
      y: {label: "y", scale},
    }),
  ),
  "no point": [makeFigure([])],
  "hostile texts": [
    makeFigure([makeCurve(hostile, 3, {labels: [hostile, "", ""], details: Array(3).fill(hostile)})], {
      title: hostile,
      notes: [hostile],
      x: {label: hostile, scale: hostile},
      y: {label: hostile, scale: "linear"},
    }),
  ],
}))
  test(`the page stands with ${name}`, () =>
    withPlots(makePlots(figures, {title: name}), async (page) => {
      const found = await page.$$eval("section", (list) => list.map((each) => each.textContent));
      assert.equal(found.length, figures.length);
      for (const text of found) assert.notEqual(text.trim(), "");
      const open = () => document.querySelectorAll("details").forEach((each) => (each.open = true));
      await page.evaluate(open);
    }));

test("very long names widen neither the page nor the legend", () =>
  withPlots(
    makePlots([
      makeFigure([makeCurve("n".repeat(2000), 3)], {
        title: "t".repeat(2000),
        y: {label: "y".repeat(2000), scale: "linear"},
        notes: ["o".repeat(2000)],
      }),
    ]),
    async (page) => {
      const [whole, window] = await page.evaluate(() => [
        document.documentElement.scrollWidth,
        innerWidth,
      ]);
      assert.ok(whole <= window, `${whole} > ${window}`);
    },
  ));

test("the pointer shows the text of the nearest point", () =>
  withPlots(makePlots([makeFigure(curves)]), async (page) => {
    const at = await page.$eval(".u-over", (over) => {
      const {left, top, width, height} = over.getBoundingClientRect();
      return {left, top, width, height};
    });
    // The points of seqs=16 rise from the left; the pointer looks for the first of them.
    let text = "";
    for (let y = at.top + at.height - 4; y > at.top && !/seqs/.test(text); y -= 6) {
      await page.mouse.move(at.left + at.width * 0.02, y);
      text = await page.$eval(".readout", (box) => (box.hidden ? "" : box.textContent));
    }
    assert.match(text, /rate 100.*seqs=.*mean of 1 runs/s);
  }));

test("the table behind a figure has each value exactly", () =>
  withPlots(makePlots([makeFigure(curves)]), async (page) => {
    await page.$eval("details.points summary", (each) => each.click());
    await page.waitForSelector("details.points table");
    const rows = await page.$$eval("details.points tbody tr", (list) =>
      list.map((row) => [...row.cells].map((cell) => cell.dataset.value ?? cell.textContent)),
    );
    assert.equal(rows.length, 12);
    assert.deepEqual(rows[5].slice(0, 3), ["seqs=16", "600", String(curves[0].y[5])]);
    assert.ok(rows[5].includes("unstable") && rows[4].includes("stable"));
  }));

test("a click in the legend hides the whole curve", () =>
  withPlots(makePlots([makeFigure(curves)]), async (page) => {
    const ink = () =>
      page.$eval("canvas", (canvas) => {
        const {data} = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
        let blue = 0;
        for (let i = 0; i < data.length; i += 4) blue += data[i + 2] > data[i] + 60 ? 1 : 0;
        return blue;
      });
    const names = await page.$$eval(".legend button", (list) => list.map((each) => each.textContent));
    assert.deepEqual(names, ["seqs=16", "seqs=32"]);
    const before = await ink();
    assert.ok(before > 500, `${before} blue pixels`);
    await page.$eval(".legend button", (each) => each.click());
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
    // The browser may smooth letters with colours.
    const after = await ink();
    assert.ok(after < before / 20, `${after} of ${before} blue pixels`);
  }));

for (const theme of ["light", "dark"])
  test(`axe-core finds nothing in the ${theme} theme`, () =>
    withPlots(
      makePlots([makeFigure(curves), several, pareto]),
      async (page) => {
        await page.evaluate(() =>
          document.querySelectorAll("details").forEach((each) => (each.open = true)),
        );
        await page.waitForSelector("details.points table");
        await page.evaluate(axe);
        const {violations} = await page.evaluate(() =>
          window.axe.run(document, {resultTypes: ["violations"]}),
        );
        assert.deepEqual(
          violations.map((each) => `${each.id}: ${each.nodes[0].html.slice(0, 160)}`),
          [],
        );
      },
      {theme},
    ));

test("a page without figures and a page without data say so", async () => {
  for (const [text, expected] of [
    [plotPage(makePlots([])), /no figure/],
    [readFileSync(builtPlotPage, "utf8"), /no data/],
  ]) {
    const {page} = await openText(text);
    assert.match(await page.$eval("#app [role=alert]", (each) => each.textContent), expected);
    await page.close();
  }
});
