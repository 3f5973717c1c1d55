// A browser with synthetic reports, for the tests in tests/browser.
import assert from "node:assert/strict";
import {readFileSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {after, before} from "node:test";

import {drawAll, launch, open, temporaryFolder} from "./browser.mjs";
import {builtPage, makePage} from "./make_report.mjs";

export const base = readFileSync(builtPage, "utf8");
export const folder = temporaryFolder();
let browser;
let files = 0;

before(async () => {
  browser = await launch();
});
after(() => browser?.close());

/** Writes a page to a new file and opens it. */
export async function openText(text, how) {
  const file = join(folder, `${++files}.html`);
  writeFileSync(file, text);
  return {file, ...(await open(browser, file, how))};
}

/**
 * Opens a report with synthetic data (or options.text), runs `look`, and fails on any problem of
 * the page.
 */
export async function withReport(options, look, how) {
  const {page, problems, file} = await openText(options.text ?? makePage(options, base), how);
  try {
    await look(page, file);
    assert.deepEqual(problems, []);
  } finally {
    await page.close();
  }
}

const sections = [
  "verdict",
  "headline",
  "latency-over-time",
  "throughput-concurrency",
  "side-by-side",
  "ecdf-tail",
  "frontier",
  "swim-lanes",
  "errors",
  "client-health",
  "scatter",
  "server-series",
  "token-gaps",
  "classes",
  "provenance",
];

/**
 * The order of the sections of a page: with several runs their comparison comes first; of a search or
 * a comparison its conclusion.
 */
function sectionsOf({runs, axes, conclusion}) {
  if (runs < 2) return conclusion ? [conclusion, ...sections] : sections;
  const first = ["verdict", ...(runs > 4 && axes > 0 ? ["frontier"] : []), "side-by-side"];
  return [conclusion ?? "what-changed", ...first, ...sections.filter((id) => !first.includes(id))];
}

/** No section failed, and each has a drawing or says why it has none. */
export async function whole(page) {
  await drawAll(page);
  const found = await page.$$eval("section.section", (list) =>
    list.map((section) => ({
      id: section.id,
      empty: section.classList.contains("empty"),
      text: section.querySelector(".section-body").textContent,
      failed: section.querySelector("[role=alert]")?.textContent ?? null,
    })),
  );
  const counts = await page.evaluate(() => {
    const {runs, axes, facts} = window.inferbench.report;
    const conclusion = facts.search ? "load-search" : facts.comparison ? "paired-comparison" : null;
    return {runs: runs.length, axes: axes.length, conclusion};
  });
  assert.deepEqual(
    found.map((section) => section.id),
    sectionsOf(counts),
  );
  for (const section of found) {
    assert.equal(section.failed, null, section.id);
    assert.notEqual(section.text.trim(), "", section.id);
  }
  return new Map(found.map((section) => [section.id, section]));
}
