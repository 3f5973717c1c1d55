// Prints size, time to interactive and time of all views for reports of several sizes.
// Usage: node web/tests/bench.mjs [REQUESTS...]   default: 1 2000 200000
// "first views": from the navigation until the first two sections stand. "rows": until the rows
// have been read. "all views": from then until every section is drawn. Times are the median of 5.
import {readFileSync, rmSync, statSync, writeFileSync} from "node:fs";
import {join} from "node:path";

import {drawAll, launch, open, ready, temporaryFolder} from "./browser.mjs";
import {builtPage, makePage} from "./make_report.mjs";

const sizes = process.argv.slice(2).map(Number);
const base = readFileSync(builtPage, "utf8");
const folder = temporaryFolder();
const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];
const row = (...cells) =>
  console.log(cells.map((cell, i) => String(cell).padStart([9, 12, 15, 12, 13, 11][i])).join(""));

console.log(`base page: ${statSync(builtPage).size} bytes`);
row("requests", "bytes", "first views ms", "rows ms", "all views ms", "heap MiB");
const browser = await launch();
try {
  for (const requests of sizes.length ? sizes : [1, 2000, 200_000]) {
    const file = join(folder, `${requests}.html`);
    writeFileSync(
      file,
      makePage({requests, rate: Math.max(25, requests / 1000), sessions: 0}, base),
    );
    const first = [],
      rows = [],
      all = [];
    let heap = 0;
    for (let i = 0; i < 5; ++i) {
      const {page, problems} = await open(browser, file);
      await ready(page);
      first.push(await page.evaluate(() => performance.getEntriesByName("ready")[0].startTime));
      rows.push(
        await page.evaluate(async () => {
          await window.inferbench.report.runs[0].load();
          return performance.now();
        }),
      );
      const from = await page.evaluate(() => performance.now());
      await drawAll(page);
      all.push((await page.evaluate(() => performance.now())) - from);
      heap = (await page.metrics()).JSHeapUsedSize / 2 ** 20;
      if (problems.length) throw new Error(problems.join("\n"));
      await page.close();
    }
    row(
      requests,
      statSync(file).size,
      median(first).toFixed(0),
      median(rows).toFixed(0),
      median(all).toFixed(0),
      heap.toFixed(0),
    );
    rmSync(file);
  }
} finally {
  await browser.close();
}
