// Opens a report with synthetic data and draws one of its sections.
import {readFileSync, writeFileSync} from "node:fs";
import {join} from "node:path";

import {open, ready, temporaryFolder} from "./browser.mjs";
import {fillPage} from "./encode.mjs";
import {makeReport} from "./make_report.mjs";

const folder = temporaryFolder();
const page = (name) => readFileSync(new URL(`../pages/${name}.html`, import.meta.url), "utf8");
let made = 0;

/**
 * @param {object} options  of makeReport; change(report): alters the report before it is written
 * @returns {Promise<{page: import("puppeteer-core").Page, problems: string[], report: object}>}
 */
export async function openReport(
  browser,
  options,
  {theme, change, template = "report", width} = {},
) {
  const {report, blobs} = makeReport(options);
  change?.(report);
  const file = join(folder, `${template}-${++made}.html`);
  writeFileSync(file, fillPage(page(template), report, blobs));
  const opened = await open(browser, file, {theme, width});
  await ready(opened.page);
  return {...opened, report};
}

/** Scrolls to a section and waits until it is drawn. */
export async function drawSection(page, id) {
  await page.$eval(`#${id}`, (section) => section.scrollIntoView());
  await page.waitForSelector(`#${id}[data-drawn], #${id}.empty`, {timeout: 60_000});
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  );
}

export const textOf = (page, selector) => page.$eval(selector, (element) => element.textContent);

/** Clicks the button with this text in a section. */
export const click = (page, section, text) =>
  page.$eval(
    `#${section}`,
    (element, wanted) => {
      [...element.querySelectorAll("button")]
        .find((button) => button.textContent === wanted)
        .click();
    },
    text,
  );
