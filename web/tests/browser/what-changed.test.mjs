// The view what-changed, and the names of runs at what belongs to one of them.
import assert from "node:assert/strict";
import {readFileSync} from "node:fs";
import {test} from "node:test";

import {drawAll, ready} from "../browser.mjs";
import {fillPage} from "../encode.mjs";
import {makeReport} from "../make_report.mjs";
import {base, whole, withReport} from "../report-page.mjs";

const pageText = ({report, blobs}) => ({text: fillPage(base, report, blobs)});
const textOf = (page, selector) => page.$eval(selector, (each) => each.textContent);

test("two runs: the first screen has figures, ratios, words, settings and validity", async () => {
  const made = makeReport({requests: 300, runs: 2});
  const p99 = (run) => run.metrics.find((each) => each.name === "ttft").percentiles.find(([p]) => p === 99)[1];
  await withReport(pageText(made), async (page) => {
    await ready(page);
    const place = await page.$eval("#what-changed", (section) => section.getBoundingClientRect().bottom);
    assert.ok(place <= 900, `it ends at ${place}`);
    assert.match(await textOf(page, "#what-changed .conclusion"), /^(At another load \(.*\), )?candidate 1 is .*does not prove the cause\.$/);
    const heads = await page.$$eval("#what-changed thead th", (all) => all.map((each) => each.textContent));
    assert.deepEqual(heads.slice(3), ["candidate 1 ÷ baseline", "candidate 1 is"]);
    const rows = await page.$$eval("#what-changed tbody tr", (all) => all.map((row) => [...row.cells].map((cell) => cell.textContent)));
    assert.deepEqual(rows.map(([name]) => name), ["Request Throughput req/s",
      "Output Token Throughput token/s", "Median TTFT", "P99 TTFT",
      "Median TPOT", "P99 TPOT", "Median E2EL", "P99 E2EL"]);
    assert.match(rows[2].join("|"), /\d ms\|\d.* ms\|1\.\d+×\|worse \(longer\)/);
    const values = await page.$$eval("#what-changed [data-figure='ttft.p99']", (all) => all.map((cell) => Number(cell.dataset.value)));
    assert.deepEqual(values, made.report.runs.map(p99));
    const text = await textOf(page, "#what-changed dl");
    assert.match(text, /--max-concurrency not set → 256/);
    assert.match(text, /Client of baseline, candidate 1VALID: Usable here: the latencies/);
    assert.match(text, /does not know how the server was started/);
  });
});

test("a run that is not valid is marked where its figures are", async () => {
  const made = makeReport({requests: 300, runs: 2});
  const {client} = made.report.runs[0].facts;
  Object.assign(client, {verdict: "INVALID", reasons: ["P99 TTFT may be off by up to 990 ms"]});
  client.error_bound_ms.ttft.p99 = 990;
  client.limits[0].figure = 18;
  await withReport(pageText(made), async (page) => {
    await whole(page);
    assert.match(await textOf(page, "#what-changed dl"),
      /Only P99 TTFT of baseline is not usable; the other latencies in this table areINVALID: P99 TTFT may be off.*Not usable here: P99 TTFT\. Usable here: the other latencies/);
    assert.equal(await textOf(page, "#what-changed .unusable"), await textOf(page, "#what-changed [data-figure='ttft.p99']"));
    assert.match(await textOf(page, "#what-changed"), /not usable \(baseline\)/);
    assert.match(await textOf(page, "#what-changed tbody tr:first-child td"), /\derror not known$/);
    assert.match(await textOf(page, "#verdict"), /INVALID for: P99 TTFT(?!.*do not use)/);
    assert.match(await textOf(page, "#client-health"), /In part: the client was too late for P99 TTFT/);
    const marked = await page.$$eval("#side-by-side tr.bad", (all) => all.map((row) => row.textContent));
    assert.match(marked[0], /^P99 TTFT.*not usable \(baseline\)/);
    assert.match(marked[1], /baseline.*INVALID/, "the table of the order");
  });
});

test("what belongs to one run has its name, and follows the selection", async () => {
  await withReport({requests: 100, runs: 2}, async (page) => {
    await drawAll(page);
    const names = () => page.$$eval(".run-name", (all) => [...new Set(all.map((each) => each.textContent))]);
    assert.deepEqual(await names(), ["run baseline"]);
    assert.equal(await page.$("#what-changed .run-name, #side-by-side .run-name, #ecdf-tail .run-name"), null);
    assert.match(await textOf(page, "#verdict"), /Command of baseline/);
    await page.select(".page-tools select", "1");
    await page.waitForFunction(() => /Command of candidate 1/.test(document.getElementById("verdict").textContent));
    assert.deepEqual(await names(), ["run candidate 1"]);
  });
});

test("a page of one run names no run", async () => {
  await withReport({requests: 60}, async (page) => {
    await whole(page);
    assert.equal(await page.$(".run-name, #what-changed"), null);
    assert.doesNotMatch(await textOf(page, "#verdict"), /Command of/);
  });
});

test("three runs have their ratios below the values", async () => {
  await withReport({requests: 100, runs: 3}, async (page) => {
    await ready(page);
    const heads = await page.$$eval("#what-changed thead th", (all) => all.map((each) => each.textContent));
    assert.deepEqual(heads, ["Figure", "baseline", "candidate 1", "candidate 2"]);
    assert.match(await textOf(page, "#what-changed tbody tr:nth-child(5) td:nth-of-type(3)"), /ms1\.\d+× worse \(longer\)/);
  });
});

test("a sweep is short and leads to the frontier", async () => {
  const sweep = {blobs: {}, report: JSON.parse(readFileSync(new URL("../fixtures/sweep.json", import.meta.url), "utf8"))};
  await withReport(pageText(sweep), async (page) => {
    await ready(page);
    const height = await page.$eval("#what-changed", (section) => section.getBoundingClientRect().height);
    assert.ok(height < 700, `${height} pixels`);
    const text = await textOf(page, "#what-changed");
    assert.match(text, /lowest.*highest/);
    assert.match(text, /load\.request-rate 1 to 32 \(6 values\)/);
    await page.$$eval("#what-changed button.link", ([button]) => button.click());
    await page.waitForSelector("#frontier[data-drawn]");
  });
});

test("a percentile that the sample cannot bound is grey, with its ratio and its word", async () => {
  const made = makeReport({requests: 300, runs: 2});
  for (const {facts} of made.report.runs)
    facts.certainty.figures.ttft.percentiles.find((each) => each.percentile === 99).bound = null;
  await withReport(pageText(made), async (page) => {
    await ready(page);
    const kinds = await page.$$eval("#what-changed tbody tr", (all) => all.slice(2, 4).map((row) =>
      [...row.cells].slice(1).map((cell) => getComputedStyle(cell.querySelector("span")).fontStyle)));
    assert.deepEqual(kinds, [Array(4).fill("normal"), Array(4).fill("italic")]);
    assert.match(await textOf(page, "#what-changed dl"), /bound P99 TTFT[^.]*\(grey; section Figures\)/);
  });
});

test("on a narrow screen each column is in view", async () => {
  await withReport({requests: 300, runs: 2}, async (page) => {
    await page.setViewport({width: 480, height: 900});
    await ready(page);
    const {clientWidth, scrollWidth} = await page.$eval("#what-changed .table-scroll",
      ({clientWidth, scrollWidth}) => ({clientWidth, scrollWidth}));
    assert.ok(scrollWidth <= clientWidth, `${scrollWidth} of ${clientWidth}`);
  });
});
