// What a reader does with the page: zoom, search, themes, print, download, another run.
import assert from "node:assert/strict";
import {readFileSync, readdirSync, statSync} from "node:fs";
import {join} from "node:path";
import {test} from "node:test";

import {drawAll, ready} from "../browser.mjs";
import {makeReport} from "../make_report.mjs";
import {folder, whole, withReport} from "../report-page.mjs";

test("zoom is shared by the charts over time, and Escape ends it", async () => {
  await withReport({requests: 1000}, async (page) => {
    await whole(page);
    const range = () => page.evaluate(() => window.inferbench.timeRange.get());
    const over = await page.$("#latency-over-time .u-over");
    await over.scrollIntoView();
    const box = await over.boundingBox();
    await page.mouse.move(box.x + box.width * 0.25, box.y + 40);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.5, box.y + 60, {steps: 5});
    await page.mouse.up();
    const zoomed = await range();
    assert.ok(zoomed && zoomed[1] > zoomed[0]);
    const buttons = await page.$$eval(
      "#throughput-concurrency .chart-tools button:first-child",
      (list) => list.map((each) => each.hidden),
    );
    assert.ok(buttons.includes(false));
    await (await page.$("#latency-over-time .plot")).focus();
    await page.keyboard.press("ArrowRight");
    const panned = await range();
    assert.ok(panned[0] > zoomed[0]);
    await page.keyboard.press("ArrowUp");
    const closer = await range();
    assert.ok(closer[1] - closer[0] < panned[1] - panned[0]);
    await page.keyboard.press("Escape");
    assert.equal(await range(), null);
  });
});

test("the values under the pointer are shown", async () => {
  await withReport({requests: 1000}, async (page) => {
    await drawAll(page);
    const over = await page.$("#throughput-concurrency .u-over");
    await over.scrollIntoView();
    const box = await over.boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, {steps: 3});
    await page.waitForFunction(() =>
      [...document.querySelectorAll("#throughput-concurrency .readout")].some(
        (each) => !each.hidden && each.textContent !== "",
      ),
    );
  });
});

test("the table of requests is searched, sorted and turned over", async () => {
  await withReport({requests: 300, sessions: 12, errors: 0.1}, async (page) => {
    await drawAll(page);
    const table = '#provenance .table:has([aria-label="Requests"])';
    const first = () => page.$eval(`${table} tbody tr td`, (cell) => cell.textContent);
    assert.equal(await first(), "0");
    await page.$eval(`${table} [aria-label="Next page"]`, (button) => button.click());
    assert.equal(await first(), "15");
    await page.$eval(`${table} th button[data-key=e2el_ms]`, (button) => button.click());
    const values = await page.$$eval(`${table} tbody tr td:nth-child(5)`, (cells) =>
      cells.map((cell) => Number(cell.dataset.value)),
    );
    assert.deepEqual(
      values,
      [...values].sort((a, b) => b - a),
    );
    await page.type(`${table} input`, "session-11");
    const rows = await page.$$eval(`${table} tbody tr`, (list) =>
      list.map((row) => row.textContent),
    );
    assert.ok(rows.length > 0 && rows.every((row) => row.includes("session-11")));
    assert.match(
      await page.$eval(`${table} .table-status`, (each) => each.textContent),
      /of 300 rows/,
    );
    await page.type(`${table} input`, "nothing has this");
    assert.equal(
      await page.$eval(`${table} tbody`, (each) => each.textContent),
      "No row has this text.",
    );
  });
});

test("the theme follows the system and the button changes it", async () => {
  await withReport(
    {requests: 50},
    async (page) => {
      await ready(page);
      const theme = () =>
        page.evaluate(() => [
          document.documentElement.dataset.theme,
          getComputedStyle(document.body).backgroundColor,
        ]);
      const dark = await theme();
      assert.equal(dark[0], "dark");
      await page.click('button[aria-label="Light or dark theme"]');
      const light = await theme();
      assert.equal(light[0], "light");
      assert.notEqual(light[1], dark[1]);
    },
    {theme: "dark"},
  );
});

test("the print has all sections in the light theme, drawn without the screen's width", async () => {
  await withReport(
    {requests: 400, errors: 0.05},
    async (page) => {
      await ready(page);
      await page.evaluate(() => window.inferbench.report.runs[0].load());
      await page.evaluate(() =>
        addEventListener(
          "afterprint",
          () =>
            (document.documentElement.dataset.printed =
              document.querySelectorAll(".chart svg").length),
        ),
      );
      await page.evaluate(() =>
        addEventListener("beforeprint", () =>
          setTimeout(() => {
            document.documentElement.dataset.sheets =
              document.querySelectorAll(".chart svg").length;
          }),
        ),
      );
      const pdf = await page.pdf({format: "A4", landscape: true, printBackground: true});
      assert.equal(Buffer.from(pdf.subarray(0, 5)).toString(), "%PDF-");
      assert.ok(pdf.length > 50_000);
      const drawn = await page.$$eval("section.section:not(.empty):not([data-drawn])", (list) =>
        list.map((each) => each.id),
      );
      assert.deepEqual(drawn, []);
      assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
      assert.equal(await page.$$eval(".chart svg", (list) => list.length), 0);
    },
    {theme: "dark"},
  );
});

test("charts, tables, requests and the report are downloaded", async () => {
  const options = {requests: 120, errors: 0.1};
  const {
    report: {
      runs: [run],
    },
  } = makeReport(options);
  await withReport(options, async (page) => {
    await drawAll(page);
    const client = await page.createCDPSession();
    const to = join(folder, "downloads");
    await client.send("Browser.setDownloadBehavior", {behavior: "allow", downloadPath: to});
    const names = () => {
      try {
        return readdirSync(to).filter((name) => !name.endsWith(".crdownload"));
      } catch {
        return [];
      }
    };
    const save = async (selector, text) => {
      const old = new Set(names());
      await page.evaluate(
        (where, label) =>
          [...document.querySelectorAll(where)].find((each) => each.textContent === label).click(),
        selector,
        text,
      );
      for (;;) {
        const name = names().find((each) => !old.has(each));
        if (name && statSync(join(to, name)).size > 0) return readFileSync(join(to, name));
        await new Promise((done) => setTimeout(done, 20));
      }
    };
    const png = await save("#latency-over-time .chart-tools button", "PNG");
    assert.equal(png.subarray(1, 4).toString(), "PNG");
    const svg = (await save("#latency-over-time .chart-tools button", "SVG")).toString();
    assert.match(svg, /^<svg /);
    assert.equal(
      await page.evaluate(
        (text) =>
          new DOMParser().parseFromString(text, "image/svg+xml").querySelector("parsererror"),
        svg,
      ),
      null,
    );
    assert.match(
      (await save("#latency-over-time .chart-tools button", "CSV")).toString(),
      /^\S.*\r\n/,
    );
    const lines = (await save("#provenance .actions button", "requests as CSV"))
      .toString()
      .trim()
      .split("\r\n");
    assert.equal(lines.length, 121);
    const requests = (await save("#provenance .actions button", "requests as JSON lines"))
      .toString()
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    assert.equal(requests.length, 120);
    assert.equal(
      requests.filter((request) => request.status === "ok").length,
      run.facts.accounting.ok,
    );
    assert.equal(requests.find((request) => request.gaps_ms).gaps_ms.length > 0, true);
    const report = JSON.parse(
      (await save("#provenance .actions button", "report as JSON")).toString(),
    );
    assert.deepEqual(report.runs[0].metrics, run.metrics);
  });
});

test("another run is selected, and all sections follow", async () => {
  await withReport({requests: 200, runs: 3}, async (page) => {
    const found = await whole(page);
    assert.ok(!found.get("side-by-side").empty);
    const before = await page.$eval(
      "#headline [data-metric=duration]",
      (each) => each.dataset.value,
    );
    await page.select(".page-tools select", "2");
    await page.waitForFunction(
      (old) => document.querySelector("#headline [data-metric=duration]")?.dataset.value !== old,
      {},
      before,
    );
    await drawAll(page);
    const after = await page.$eval("#headline [data-metric=duration]", (each) =>
      Number(each.dataset.value),
    );
    assert.equal(
      after,
      await page.evaluate(() => window.inferbench.report.runs[2].metric("duration").value),
    );
    assert.equal(
      await page.$eval("#provenance dd", (each) => each.textContent),
      await page.evaluate(() => window.inferbench.report.runs[2].name),
    );
  });
});
