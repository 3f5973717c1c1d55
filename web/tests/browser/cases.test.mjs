// Extreme, hostile and damaged reports.
import assert from "node:assert/strict";
import {statSync} from "node:fs";
import {test} from "node:test";

import {drawAll} from "../browser.mjs";
import {fillPage} from "../encode.mjs";
import {makePage, makeReport} from "../make_report.mjs";
import {base, openText, whole, withReport} from "../report-page.mjs";

const cases = {
  "no request": {requests: 0},
  "one request": {requests: 1, errors: 0},
  "one failed request": {requests: 1, errors: 1},
  "two requests": {requests: 2},
  "all requests failed": {requests: 300, errors: 1},
  "no tokens": {requests: 300, tokens: false},
  "one token for each answer": {requests: 300, output: 1},
  "no server series": {requests: 300, series: false},
  "a frontier": {requests: 300, runs: 12, axis: true},
  "gaps kept for some requests": {requests: 3000, mostGaps: 2000, sessions: 5},
};
for (const [name, options] of Object.entries(cases)) {
  test(`the page is whole with ${name}`, () => withReport(options, whole));
}

test("the page is whole with a run without facts, figures and rows", async () => {
  const {report, blobs} = makeReport({requests: 1});
  report.runs[0] = {
    name: "bare",
    label: "",
    source: "",
    interrupted: false,
    replayed: false,
    metrics: [],
    facts: {},
  };
  await withReport({text: fillPage(base, report, blobs)}, whole);
});

test("nothing that a server says runs in the page", async () => {
  await withReport(
    {requests: 200, sessions: 6, errors: 0.2, hostile: true, runs: 2},
    async (page) => {
      await whole(page);
      await page.evaluate(() =>
        document.querySelectorAll("details").forEach((each) => (each.open = true)),
      );
      assert.equal(await page.evaluate(() => window.hacked), undefined);
      assert.equal(
        await page.$$eval(
          "#app script, #app img, #app iframe, #app object, #app svg[onload]",
          (list) => list.length,
        ),
        0,
      );
      assert.ok(
        (await page.$eval("#provenance", (each) => each.textContent)).includes(
          "<script>window.hacked=1</script>",
        ),
      );
      assert.equal(await page.title(), "</title><script>window.hacked=1</script>");
    },
  );
});

test("200,000 requests are drawn", {timeout: 240_000}, async () => {
  await withReport({requests: 200_000, rate: 200}, async (page, file) => {
    assert.ok(statSync(file).size <= 8e6, `${statSync(file).size} bytes`);
    await whole(page);
    const svg = await page.$eval(
      "#latency-over-time .chart-tools button:nth-child(3)",
      (button) => [button.textContent, button.disabled],
    );
    assert.deepEqual(svg, ["SVG", true]);
  });
});

const damaged = {
  "no data": [
    (text) => text.replace(/<script type="application[^]*<\/script>\s+(?=<script>)/, ""),
    /no data/,
  ],
  "cut JSON": [(text) => text.replace(/("id":"rows-0")[^<]*</, "$1<"), /cut or damaged/],
  "a newer format": [
    (text) => text.replace('"format":1', '"format":7'),
    /newer inferbench.*format 7/,
  ],
  "no place filled in": [() => base, /no data/],
};
for (const [name, [damage, message]] of Object.entries(damaged)) {
  test(`a file with ${name} says so in the page`, async () => {
    const {page} = await openText(damage(makePage({requests: 10}, base)));
    assert.match(await page.$eval("#app [role=alert]", (each) => each.textContent), message);
    await page.close();
  });
}

test("damaged rows leave the figures standing and say what is wrong", async () => {
  const cut = makePage({requests: 200}, base).replace(/(id="rows-0">.{200})[^<]*/, "$1");
  const {page} = await openText(cut);
  await drawAll(page);
  assert.ok((await page.$$("#headline [data-metric]")).length > 10);
  assert.match(
    await page.$eval("#latency-over-time [role=alert]", (each) => each.textContent),
    /cut or damaged/,
  );
  await page.close();
});

test("a page that has a selection of the requests says so", async () => {
  const {report, blobs} = makeReport({requests: 100});
  report.runs[0].rows.total = 5000;
  await withReport({text: fillPage(base, report, blobs)}, async (page) => {
    const found = await whole(page);
    assert.match(found.get("verdict").text, /5,000 requests in/);
    assert.match(found.get("verdict").text, /The page has 100 of 5,000 requests/);
  });
});

test("certainty without an effective number shows the values alone", async () => {
  const {report, blobs} = makeReport({requests: 100});
  const {figures} = report.runs[0].facts.certainty;
  for (const figure of Object.values(figures)) {
    figure.effective_count = null;
    for (const one of figure.percentiles) one.bound = null;
  }
  await withReport({text: fillPage(base, report, blobs)}, async (page) => {
    const found = await whole(page);
    assert.match(found.get("headline").text, /not certified/);
    assert.doesNotMatch(found.get("headline").text, /NaN|null/);
  });
});

test("a client without a verdict and a damaged journal are told in sentences", async () => {
  const {report, blobs} = makeReport({requests: 200, runs: 2});
  const [first, second] = report.runs;
  delete first.facts.client.verdict;
  first.facts.journal_damage = {places: 1, bytes_dropped: 87, records_read: 200};
  first.facts.accounting.planned = 400;
  first.facts.accounting.not_recorded = 200;
  second.config = first.config;
  second.description = first.description;
  report.title = `${first.name}-and-1-more`;
  await withReport({text: fillPage(base, report, blobs)}, async (page) => {
    const found = await whole(page);
    const verdict = found.get("verdict").text;
    assert.match(verdict, /Client of baseline\s*not known/);
    assert.match(verdict, /The journal has no end, so the client has no verdict\./);
    assert.match(
      verdict,
      /The journal is damaged in 1 place: 87 bytes are lost, 200 requests were read\./,
    );
    assert.match(verdict, /damaged journal: 200 of 400 requests known/);
    assert.doesNotMatch(verdict, /undefined/);
    const beside = found.get("side-by-side").text;
    const changed = found.get("what-changed").text;
    assert.match(changed, /Not complete: baseline, damaged journal: 200 of 400 requests known\./);
    assert.match(changed, /Client of baseline\s*not known/);
    assert.match(beside, /damaged journal: 200 of 400 requests known/);
    assert.match(
      beside,
      /differences between the figures come from what is missing of the runs \(baseline, damaged journal: 200 of 400 requests known\), or from the server/,
    );
    assert.equal(await page.title(), "Comparison: baseline, candidate 1");
    assert.equal(await page.$eval("h1", (each) => each.textContent), "Comparison: baseline, candidate 1");
  });
});

test("a window in which the server fell behind is no good run", async () => {
  const kindOf = (page) =>
    page.$eval("#verdict .cards > :last-child", (card) => `${card.className}: ${card.textContent}`);
  const {report, blobs} = makeReport({requests: 600, slowdown: 40});
  Object.assign(report.runs[0].facts.steady, {begin_s: 4, end_s: 20, requests: 400});
  await withReport({text: fillPage(base, report, blobs)}, async (page) => {
    await whole(page);
    assert.match(await kindOf(page), /warn: .*(offered and only|still rises)/);
  });
});

test("a summary without values shows none, and no sound no factor of real time", async () => {
  const {report, blobs} = makeReport({requests: 100});
  const {metrics} = report.runs[0];
  const tpot = metrics.find((metric) => metric.name === "tpot");
  Object.assign(tpot, {value: 0, count: 0, min: 0, max: 0, std: 0, median: 0});
  tpot.percentiles = tpot.percentiles.map(([p]) => [p, 0]);
  metrics.push({name: "rtfx", unit: "1", title: "RTFx (Inverse Real-Time Factor)", label: "RTFx", help: "",
    value: 0, flags: {integer: false, summary: false, selected: true, upstream: true}});
  await withReport({text: fillPage(base, report, blobs)}, async (page) => {
    const found = await whole(page);
    assert.doesNotMatch(found.get("headline").text, /RTFx/);
    const cells = await page.$$eval("#headline table:first-of-type tr", (lines) =>
      [...lines.find((line) => line.cells[0].textContent.startsWith("TPOT")).cells].map((cell) => cell.textContent));
    assert.match(cells[1], /^0/);
    assert.deepEqual(new Set(cells.slice(2, -1)), new Set(["–"]));
  });
});
