// The page of a comparison of groups of runs.
import assert from "node:assert/strict";
import {test} from "node:test";

import {ready} from "../browser.mjs";
import {makeComparison} from "../comparison-facts.mjs";
import {fillPage} from "../encode.mjs";
import {makeReport} from "../make_report.mjs";
import {base, whole, withReport} from "../report-page.mjs";

function pageOf({runs = 2, change = () => {}} = {}) {
  const {report, blobs} = makeReport({requests: 60, runs, facts: {comparison: makeComparison()}});
  change(report.facts.comparison, report);
  return {text: fillPage(base, report, blobs)};
}
const textOf = (page, selector) => page.$eval(selector, (each) => each.textContent);

test("the page begins with the conclusion and has each verdict with what it rests on", async () => {
  await withReport(pageOf(), async (page) => {
    await whole(page);
    assert.equal(await textOf(page, "#paired-comparison .verdict-line"), "candidate is faster than baseline on some metrics and slower on others.");
    assert.match(await textOf(page, "#paired-comparison .conclusion"), /8 blocks; a difference below 12 % would have been missed/);
    const heads = await page.$$eval("#paired-comparison thead th", (all) => all.map((each) => each.textContent));
    assert.deepEqual([heads[1], heads[3]], ["candidate ÷ baseline", "candidate is"]);
    const rows = await page.$$eval("#paired-comparison tbody tr", (all) => all.map((row) =>
      [...row.cells].filter((cell) => cell.className !== "plot-cell").map((cell) => cell.textContent).join("|")));
    assert.deepEqual(rows, [
      "Output Token Throughput|1.031×1.018× to 1.044×2,210 token/s → 2,279 token/s|faster|8 blocks16 and 16 runs|below 1.9 %",
      "P99 TTFT|1.042×0.96× to 1.131×182 ms → 190 ms|cannot tellabout 21 more blocks would tell|8 blocks16 and 16 runs|below 12 %",
      "Median TPOT|1.003×0.996× to 1.01×14.2 ms → 14.2 ms|same|8 blocks16 and 16 runs|below 1.1 %",
      "P99 E2EL|1.062×1.03× to 1.095×4,210 ms → 4,471 ms|slower|8 blocks16 and 16 runs|below 4.8 %"]);
    const text = await textOf(page, "#paired-comparison dl");
    assert.match(text, /backend\.max-num-seqs 256 → 512; server\.dtype not stated → fp8/);
    assert.match(text, /candidate fails 0\.4 % of its requests.*Client of baseline, candidate 1VALID/);
    assert.equal(await page.$("#what-changed"), null);
  });
});

test("the drawing has each ratio in its place and the margin behind it", async () => {
  await withReport(pageOf(), async (page) => {
    await ready(page);
    const rows = await page.$$eval("#paired-comparison tbody .forest", (all) => all.map((svg) => {
      const part = (name) => svg.querySelector(name)?.getBoundingClientRect();
      const middle = ({left, right}) => (left + right) / 2;
      const [value, bar, margin, equal] = [".value", ".interval", ".margin", ".equal"].map(part);
      return {kind: svg.classList[1], side: Math.sign(Math.round(4 * (middle(value) - middle(equal)))), held: bar.left <= value.left + 5 && bar.right >= value.right - 5,
        across: bar.left < middle(equal) && bar.right > middle(equal), inside: bar.left >= margin.left && bar.right <= margin.right};
    }));
    assert.deepEqual(rows.map(({kind}) => kind), ["good", "warn", "same", "bad"]);
    assert.deepEqual(rows.map(({side}) => side), [1, 1, 1, 1]);
    assert.deepEqual(rows.map(({across}) => across), [false, true, true, false]);
    assert.deepEqual(rows.map(({inside}) => inside), [false, false, true, false]);
    const colours = await page.$$eval("#paired-comparison tbody .forest .value", (all) => all.map((each) => getComputedStyle(each).fill));
    assert.equal(new Set(colours).size, 4, "four verdicts, four colours");
  });
});

test("on a narrow screen each column is in view", async () => {
  await withReport(pageOf(), async (page) => {
    await ready(page);
    const {clientWidth, scrollWidth} = await page.$eval("#paired-comparison .table-scroll",
      ({clientWidth, scrollWidth}) => ({clientWidth, scrollWidth}));
    assert.ok(scrollWidth <= clientWidth, `${scrollWidth} of ${clientWidth}`);
  }, {width: 480});
});

const cases = {
  "one run": (_, report) => report.runs.splice(1),
  "no metric": ({comparison}) => Object.assign(comparison.candidates[0], {metrics: []}),
  "nothing": (all) => Object.keys(all).forEach((name) => delete all[name]),
  "two candidates": ({comparison}) => comparison.candidates.push({...comparison.candidates[0], name: "third", conclusion: "same"}),
  "metrics that were not tested": ({comparison}) => Object.assign(comparison.candidates[0], {descriptive: true, blocks: 0, base_runs: 1,
    candidate_runs: 1, metrics: comparison.candidates[0].metrics.map((each) => ({...each, verdict: "cannot tell",
      untested: "candidate has one run only", base: null, low: null, high: null, found_90: null, needed: null}))}),
  "an interval without an end": ({comparison}) => Object.assign(comparison.candidates[0].metrics[1], {low: 0, high: "inf"}),
  "members of wrong types": (all) => Object.assign(all, {doubts: 3, settings_that_differ: {},
    comparison: {base: 1, candidates: [{metrics: [3, {name: {}, ratio: "1"}]}, 9]}}),
};
for (const [name, change] of Object.entries(cases)) {
  test(`the page of a comparison is whole with ${name}`, () => withReport(pageOf({change}), async (page) => {
    const found = await whole(page);
    assert.doesNotMatch(found.get("paired-comparison").text, /NaN|undefined|\bnull\b|\[object/);
  }));
}

test("no text of a comparison runs in the page", async () => {
  const markup = "<img src=x onerror='window.hacked=1'><script>window.hacked=1</script>";
  const change = (all) => {
    Object.assign(all, {doubts: [markup], notes: [markup], settings_that_differ: [{name: markup, values: [[markup], [markup]]}]});
    Object.assign(all.comparison, {base: markup});
    Object.assign(all.comparison.candidates[0], {name: markup, conclusion: markup, text: markup});
    all.comparison.candidates[0].metrics.forEach((each) => Object.assign(each, {title: markup, unit: markup, untested: markup, verdict: markup}));
  };
  await withReport(pageOf({change}), async (page) => {
    await whole(page);
    assert.equal(await page.evaluate(() => window.hacked), undefined);
    assert.equal(await page.$("#app script, #app img"), null);
    assert.ok((await textOf(page, "#paired-comparison")).includes(markup));
  });
});
