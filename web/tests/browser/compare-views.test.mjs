// The views side-by-side, ecdf-tail and frontier in a browser.
import assert from "node:assert/strict";
import {readFileSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {after, before, test} from "node:test";

import {drawAll, findChromium, launch, open, temporaryFolder} from "../browser.mjs";
import {fillPage} from "../encode.mjs";
import {makeReport} from "../make_report.mjs";

const skip = findChromium() ? false : "Chromium is not installed";
const template = readFileSync(new URL("../../pages/report.html", import.meta.url), "utf8");
const folder = temporaryFolder();
let browser;
before(async () => {
  if (!skip) browser = await launch();
});
after(() => browser?.close());

let made = 0;
async function pageOf({report, blobs}) {
  const file = join(folder, `compare-${++made}.html`);
  writeFileSync(file, fillPage(template, report, blobs));
  const opened = await open(browser, file);
  await drawAll(opened.page);
  return opened;
}

const sweep = () => ({blobs: {},
  report: JSON.parse(readFileSync(new URL("../fixtures/sweep.json", import.meta.url), "utf8"))});
const texts = (page, selector) =>
  page.$$eval(selector, (all) => all.map((element) => element.textContent));
const choose = (page, selector, value) => page.$eval(selector, (select, to) => {
  select.value = to;
  select.dispatchEvent(new Event("change"));
}, value);

test("one run says how to see several", {skip}, async () => {
  const {page, problems} = await pageOf(makeReport({requests: 50}));
  assert.match((await texts(page, "#side-by-side")).join(),
    /inferbench report A\.journal B\.journal --reporter html/);
  assert.match((await texts(page, "#frontier")).join(), /needs several runs along an axis/);
  assert.deepEqual(problems, []);
  await page.close();
});

test("two runs have ratios, an order, their n and what was set up differently", {skip}, async () => {
  const made = makeReport({requests: 300, runs: 2});
  const {page, problems} = await pageOf(made);
  const section = (await texts(page, "#side-by-side")).join();
  assert.match(section, /Independent observations \(runs\) a side: baseline \(base\): 1; candidate 1: 1/);
  assert.match(section, /load\.max-concurrency\s*--max-concurrency\s*not set\s*256/);
  assert.doesNotMatch(section, /reporter\[|run\.save-|resolved\./);
  const rows = await page.$$eval("#side-by-side [aria-label^='Figures of the runs'] tbody tr", (all) =>
    all.map((row) => [...row.cells].map((cell) => cell.textContent)));
  assert.deepEqual(rows.slice(0, 4).map(([name]) => name),
    ["Request Throughput", "Output Token Throughput", "Total Token Throughput", "Median TTFT"]);
  assert.match(rows[3].at(-2), /^1\.\d+×/);
  assert.equal(rows[3].at(-1), "worse (longer)");
  const value = (run, name) => made.report.runs[run].metrics.find((m) => m.name === name).value;
  const cells = await page.$$eval("#side-by-side [data-value]", (all) => all.map((cell) =>
    Number(cell.dataset.value)));
  for (const run of [0, 1])
    for (const name of ["output_throughput", "ttft"])
      assert.ok(cells.includes(value(run, name)), `${name} of run ${run}`);
  await choose(page, "#side-by-side select", "1");
  assert.match((await texts(page, "#side-by-side th")).join(), /baseline is,candidate 1 \(base\)/);
  assert.deepEqual(problems, []);
  await page.close();
});

test("no text says that a run wins or that nothing differs", {skip}, async () => {
  const {page} = await pageOf(makeReport({requests: 100, runs: 2}));
  const section = (await texts(page, "#side-by-side, #what-changed")).join();
  assert.doesNotMatch(section, /\b(winner|faster than|no difference|significant)\b/i);
  await page.close();
});

test("the distribution has a curve, a tail and a table for each latency", {skip}, async () => {
  const made = makeReport({requests: 600, runs: 1});
  const {page, problems} = await pageOf(made);
  const p99 = made.report.runs[0].metrics.find((m) => m.name === "ttft").percentiles
    .find(([p]) => p === 99)[1];
  const cells = await page.$$eval("#ecdf-tail [data-value]", (all) => all.map((cell) =>
    Number(cell.dataset.value)));
  assert.ok(cells.includes(p99), "the P99 of the result file is in the table");
  assert.match((await texts(page, "#ecdf-tail")).join(), /no bound: n too small/);
  assert.match((await texts(page, "#ecdf-tail .note")).join(), /of the goal ttft\.p99<900ms/);
  for (const metric of ["tpot", "itl", "e2el"]) {
    await choose(page, "#ecdf-tail select", metric);
    assert.equal((await texts(page, "#ecdf-tail .chart-title")).length, 2, metric);
  }
  assert.deepEqual(problems, []);
  await page.close();
});

test("a latency that no request has is said to be missing", {skip}, async () => {
  for (const options of [{requests: 40, errors: 1}, {requests: 40, tokens: false}]) {
    const {page, problems} = await pageOf(makeReport(options));
    await choose(page, "#ecdf-tail select", "itl");
    assert.match((await texts(page, "#ecdf-tail")).join(), /No successful request has/);
    assert.deepEqual(problems, []);
    await page.close();
  }
});

test("a sweep has a frontier whose unstable points are told", {skip}, async () => {
  const {page, problems} = await pageOf(sweep());
  const rows = await page.$$eval("#frontier tbody tr", (all) =>
    all.map((row) => [...row.cells].map((cell) => cell.textContent)));
  assert.equal(rows.length, 12);
  assert.deepEqual(rows.filter((row) => row.at(-2) === "unstable").map((row) => row.slice(0, 3)),
    [["16", "1", "3"], ["32", "1", "3"], ["32", "2", "3"]]);
  assert.ok(rows.every((row) => row.at(-2) !== "unstable" || row.at(-1) === "no"));
  const section = (await texts(page, "#frontier")).join();
  assert.match(section, /It rests on 3 runs a point/);
  assert.match(section, /token\/s per GPU/);
  const legends = await texts(page, "#frontier .legend button");
  assert.ok(legends.includes("gpus=1 (unstable)"), legends.join());
  for (const side of ["ttft", "e2el"]) {
    await choose(page, "#frontier select", side);
    assert.equal((await texts(page, "#frontier .chart-title")).length, 1);
  }
  assert.deepEqual(problems, []);
  await page.close();
});

test("points with several runs are compared by their means", {skip}, async () => {
  const {page} = await pageOf(sweep());
  assert.match((await texts(page, "#side-by-side")).join(), /12 sides of 3/);
  await choose(page, "#side-by-side .choice:nth-of-type(2) select", "runs");
  assert.match((await texts(page, "#side-by-side")).join(), /36 sides of 1/);
  await page.close();
});
