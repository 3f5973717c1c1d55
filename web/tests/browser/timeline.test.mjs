// The page of --plot-timeline.
import assert from "node:assert/strict";
import {readFileSync} from "node:fs";
import {createRequire} from "node:module";
import {fileURLToPath} from "node:url";
import {test} from "node:test";

import {ready} from "../browser.mjs";
import {makePage} from "../make_report.mjs";
import {openText} from "../report-page.mjs";

const base = readFileSync(
  fileURLToPath(new URL("../../pages/timeline.html", import.meta.url)),
  "utf8",
);
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

async function withTimeline(options, look, how) {
  const {page, problems} = await openText(makePage(options, base), how);
  try {
    await ready(page);
    await look(page);
    assert.deepEqual(problems, []);
  } finally {
    await page.close();
  }
}

for (const [name, options] of Object.entries({
  "300 requests": {requests: 300, sessions: 12, errors: 0.05},
  "one request": {requests: 1, errors: 0},
  "no request": {requests: 0},
  "failed requests alone": {requests: 20, errors: 1},
  "hostile texts": {requests: 100, sessions: 5, errors: 0.3, hostile: true},
  "20,000 requests": {requests: 20_000, rate: 100},
})) {
  test(`the timeline stands with ${name}`, () =>
    withTimeline(options, async (page) => {
      assert.notEqual(await page.$eval("main", (each) => each.textContent.trim()), "");
      assert.equal(await page.evaluate(() => window.hacked), undefined);
      const {height, inner} = await page.evaluate(() => ({
        height: document.documentElement.scrollHeight,
        inner: innerHeight,
      }));
      assert.ok(height <= inner, `the page is ${height} pixels high, the window ${inner}`);
    }));
}

for (const theme of ["light", "dark"]) {
  test(`axe-core finds nothing in the timeline in the ${theme} theme`, () =>
    withTimeline(
      {requests: 100, sessions: 5, errors: 0.05},
      async (page) => {
        await page.evaluate(axe);
        const {violations} = await page.evaluate(() => window.axe.run(document));
        assert.deepEqual(
          violations.map((each) => `${each.id}: ${each.nodes[0].html.slice(0, 160)}`),
          [],
        );
      },
      {theme},
    ));
}

test("a timeline without data says so", async () => {
  const {page} = await openText(base);
  assert.match(await page.$eval("#app [role=alert]", (each) => each.textContent), /no data/);
  await page.close();
});
