// Chromium for tests and screenshots.
import {existsSync, mkdtempSync, rmSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";

import puppeteer from "puppeteer-core";

const places = [
  process.env.INFERBENCH_CHROMIUM,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];

/** The path of the browser, or null. */
export function findChromium() {
  return places.find((place) => place && existsSync(place)) ?? null;
}

/** A folder that is removed when the process ends. */
export function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), "inferbench-web-"));
  process.on("exit", () => rmSync(folder, {recursive: true, force: true}));
  return folder;
}

export async function launch() {
  const executablePath = findChromium();
  if (!executablePath)
    throw new Error("Chromium is missing: apt-get install chromium, or set INFERBENCH_CHROMIUM");
  return puppeteer.launch({
    executablePath,
    headless: true,
    protocolTimeout: 120_000,
    args: [
      "--headless=new",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-dev-shm-usage",
      "--force-device-scale-factor=1",
    ],
  });
}

/**
 * Opens a file and watches it: `problems` lists each request that leaves the file, each violation of
 * the Content-Security-Policy and each error of a script.
 */
export async function open(
  browser,
  file,
  {width = 1280, height = 900, theme = "light", media} = {},
) {
  const page = await browser.newPage();
  const problems = [];
  const url = file.startsWith("file:") ? file : `file://${file}`;
  await page.setViewport({width, height});
  await page.emulateMediaFeatures([{name: "prefers-color-scheme", value: theme}]);
  if (media) await page.emulateMediaType(media);
  page.on("request", (request) => {
    const to = request.url();
    if (to.split("#")[0] !== url && !to.startsWith("data:") && !to.startsWith("blob:"))
      problems.push(`request of ${to}`);
  });
  page.on("pageerror", (error) => problems.push(`error: ${error.stack ?? error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(`console: ${message.text()}`);
  });
  await page.evaluateOnNewDocument(() => {
    addEventListener("securitypolicyviolation", (event) =>
      console.error(`violates ${event.violatedDirective}: ${event.blockedURI}`),
    );
  });
  await page.goto(url, {waitUntil: "load"});
  return {page, problems};
}

/** Waits for the first two sections. */
export async function ready(page) {
  await page.waitForSelector("html[data-ready]", {timeout: 60_000});
}

/** Draws all sections and waits for them. */
export async function drawAll(page) {
  await ready(page);
  await page.evaluate(() => window.inferbench.drawAll());
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  );
}
