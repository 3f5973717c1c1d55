// The views latency-over-time and throughput-concurrency in a browser.
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
async function pageOf(options) {
  const {report, blobs} = makeReport(options);
  const file = join(folder, `time-${++made}.html`);
  writeFileSync(file, fillPage(template, report, blobs));
  const opened = await open(browser, file);
  await drawAll(opened.page);
  return {...opened, report};
}

const texts = (page, selector) =>
  page.$$eval(selector, (all) => all.map((element) => element.textContent));
const titles = (page, id) => texts(page, `#${id} .chart-title`);

test("latencies and load are drawn over one time axis", {skip}, async () => {
  const {page, problems} = await pageOf({requests: 800, errors: 0.05});
  assert.deepEqual(await titles(page, "latency-over-time"), ["Time to first token (TTFT)",
    "Time per output token (TPOT)", "Longest token gap of a request (ITL)",
    "End-to-end latency (E2EL)"]);
  assert.deepEqual(await titles(page, "throughput-concurrency"), ["Requests per second",
    "Output tokens per second", "Requests in flight", "Little's law: λ·W against N"]);
  const legends = await texts(page, "#latency-over-time .chart:first-of-type .legend button");
  assert.ok(legends.some((text) => /^failed \(\d+\)$/.test(text)), legends.join());
  const notes = (await texts(page, "#latency-over-time .note")).join("\n");
  assert.match(notes, /quarter of the time \(\d+ and \d+ requests, about \d+ and \d+ independent\)/);
  assert.match((await texts(page, "#throughput-concurrency .note")).join("\n"), /offered .* served \(/);
  const shades = await texts(page, "#throughput-concurrency .chart p.for-readers");
  assert.ok(shades[0].includes("warm-up: from") && shades[0].includes("steady: from"), shades[0]);
  assert.ok(shades.some((text) => /lowest to highest: the lower edge goes from .*, the upper edge goes from /.test(text)));
  assert.deepEqual(problems, []);
  await page.close();
});

test("the zoom of a chart is the zoom of all charts over time", {skip}, async () => {
  const {page} = await pageOf({requests: 400});
  await page.evaluate(() => {
    const plot = document.querySelector("#latency-over-time .plot");
    plot.focus();
    for (let i = 0; i < 3; ++i) plot.dispatchEvent(new KeyboardEvent("keydown", {key: "+", bubbles: true}));
  });
  const zoomed = await page.$$eval("#latency-over-time .chart, #throughput-concurrency .chart",
    (charts) => charts.map((chart) => !chart.querySelector(".chart-tools button").hidden));
  assert.equal(zoomed.length, 8);
  assert.ok(zoomed.every(Boolean), zoomed.join());
  await page.close();
});

test("the scale of the latencies can be changed and keeps the keyboard", {skip}, async () => {
  const {page, problems} = await pageOf({requests: 300});
  const before = await page.$eval("#latency-over-time select", (select) => {
    select.focus();
    const old = select.value;
    select.value = old === "log" ? "linear" : "log";
    select.dispatchEvent(new Event("change"));
    return old;
  });
  const now = await page.$eval("#latency-over-time select", (select) =>
    ({value: select.value, focused: document.activeElement === select}));
  assert.notEqual(now.value, before);
  assert.ok(now.focused);
  assert.equal((await titles(page, "latency-over-time")).length, 4);
  assert.deepEqual(problems, []);
  await page.close();
});

test("no, few, failed and token-free requests are drawn without an error", {skip}, async () => {
  for (const options of [{requests: 0}, {requests: 1, errors: 0}, {requests: 60, errors: 1},
    {requests: 60, tokens: false}, {requests: 60, hostile: true}]) {
    const {page, problems} = await pageOf(options);
    assert.deepEqual(problems, [], JSON.stringify(options));
    assert.deepEqual(await texts(page, "#latency-over-time [role=alert], #throughput-concurrency [role=alert]"), []);
    assert.equal(await page.evaluate(() => window.hacked), undefined);
    if (options.requests === 0)
      assert.match((await texts(page, "#latency-over-time")).join(), /No request was sent/);
    if (options.errors === 1)
      assert.deepEqual(await titles(page, "latency-over-time"), ["End-to-end latency (E2EL)"]);
    await page.close();
  }
});

test("Little's law has no residual over the whole run", {skip}, async () => {
  const {page} = await pageOf({requests: 500});
  const rows = await page.$$eval("#throughput-concurrency tbody tr", (all) =>
    all.map((row) => [...row.cells].map((cell) => cell.textContent)));
  const whole = rows.find((row) => row[0] === "whole run");
  assert.equal(whole[2], "500");
  assert.equal(whole.at(-1), "0 %");
  await page.close();
});
