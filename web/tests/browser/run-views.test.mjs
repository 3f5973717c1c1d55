// Errors, client health, scatter, server series, token gaps and groups in a browser.
import assert from "node:assert/strict";
import {after, before, test} from "node:test";

import {findChromium, launch} from "../browser.mjs";
import {click, drawSection, openReport, textOf} from "../sections.mjs";

const skip = findChromium() ? false : "Chromium is not installed";
const views = ["swim-lanes", "errors", "client-health", "scatter", "server-series", "token-gaps", "classes"];
let browser;
before(async () => {
  if (!skip) browser = await launch();
});
after(() => browser?.close());

const open = async (id, options, how) => {
  const opened = await openReport(browser, options, how);
  await drawSection(opened.page, id);
  return opened;
};
const firstNote = (page, id) => textOf(page, `#${id} .note`);
const cells = (page, id, table = 0) => page.$$eval(`#${id} table`, (all, at) =>
  [...all[at].querySelectorAll("tbody tr")].map((row) => [...row.cells].map((cell) => cell.textContent)), table);
const choose = (page, id, value) => page.$eval(`#${id} select`, (select, to) => {
  select.value = to;
  select.dispatchEvent(new Event("change"));
}, value);

test("the numbers of failures are those of the result file", {skip}, async () => {
  const {page, problems, report} = await open("errors", {requests: 500, errors: 0.1});
  const {failed} = report.runs[0].facts.accounting;
  assert.match(await firstNote(page, "errors"), new RegExp(`^${failed} of 500 requests failed`));
  const rows = await cells(page, "errors");
  assert.equal(rows.reduce((sum, row) => sum + Number(row[3]), 0), failed);
  for (const error of report.runs[0].facts.errors)
    assert.ok(rows.some((row) => row[0] === error.class && row[7].includes(error.first.slice(0, 40))), error.first);
  assert.deepEqual(problems, []);
  await page.close();
});

test("a long or hostile text of a server is cut and stays text", {skip}, async () => {
  const {page, problems} = await open("errors", {requests: 60, errors: 0.5, hostile: true}, {
    change: (report) => { report.runs[0].rows.strings.error[0] = `<img src=x onerror="window.hacked=1">${"x".repeat(5000)}`; }});
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  assert.equal(await page.$$eval("#errors img, #errors script", (all) => all.length), 0);
  assert.ok(await page.$$eval("#errors summary", (all) => all.every((each) => each.textContent.length <= 300)));
  assert.deepEqual(problems, []);
  await page.close();
});

test("a failure leads to its lane", {skip}, async () => {
  const {page} = await open("errors", {requests: 100, errors: 0.2});
  const number = (await cells(page, "errors"))[0].at(-1);
  await click(page, "errors", number);
  await page.waitForSelector(".lanes-facts");
  assert.equal(await page.$eval(".lanes-facts dd", (dd) => dd.textContent), number);
  await page.close();
});

test("the first word says whether the client was the limit", {skip}, async () => {
  for (const [options, change, answer, kind] of [
    [{requests: 100}, undefined, "No", "good"],
    [{requests: 400, clientLimited: true}, undefined, "Yes", "bad"],
    [{requests: 100}, (report) => { report.runs[0].facts.client.verdict = "SUSPECT"; }, "Perhaps", "warn"],
    [{requests: 100}, (report) => { delete report.runs[0].facts.client; }, "Unknown", "note"],
  ]) {
    const {page, problems} = await open("client-health", options, {change});
    assert.ok((await firstNote(page, "client-health")).startsWith(answer), answer);
    assert.ok((await page.$eval("#client-health .note", (note) => note.className)).includes(kind));
    assert.deepEqual(problems, []);
    await page.close();
  }
});

test("the time in which the client was late is told", {skip}, async () => {
  const {page} = await open("client-health", {requests: 600, clientLimited: true});
  assert.match(await textOf(page, "#client-health"), /The client kept its own schedule late for [\d.]+ s of the run \(red\)/);
  assert.match(await textOf(page, "#client-health"), /client was the limit: from/);
  await page.close();
});

test("nothing is coloured beside a client that was not the limit", {skip}, async () => {
  const {page} = await open("client-health", {requests: 200}, {change: ({runs: [run]}) => {
    run.facts.client.signs.find((sign) => sign.name === "longest_standstill_ms").figure = 12;
  }});
  assert.ok((await firstNote(page, "client-health")).startsWith("No"));
  assert.equal(await page.$$eval("#client-health tbody tr.warn, #client-health tbody tr.bad", (all) => all.length), 0);
  const rows = await cells(page, "client-health");
  const standstill = rows.find((row) => row[0].startsWith("longest standstill"));
  assert.deepEqual(standstill.slice(2), ["sign only", "sign only", "any", "observed"]);
  assert.doesNotMatch(await textOf(page, "#client-health"), /ttft_from_due/);
  await page.close();
});

test("slopes have their n, and the colour changes", {skip}, async () => {
  const {page, problems} = await open("scatter", {requests: 300, errors: 0});
  assert.match(await firstNote(page, "scatter"), /^1,000 more input tokens add .* to TTFT .*n = 300.*; 1,000 more output tokens/);
  await choose(page, "scatter", "cached");
  assert.match(await textOf(page, "#scatter .legend"), /nothing cached/);
  assert.deepEqual(problems, []);
  await page.close();
});

test("series of the server are charts on the clock of the run, or the flag is named", {skip}, async () => {
  const {page, problems, report} = await open("server-series", {requests: 500});
  const names = new Set(report.runs[0].facts.series.sources.flatMap((source) => source.series.map((each) => each.name)));
  assert.equal(await page.$$eval("#server-series figure", (all) => all.length), names.size);
  assert.deepEqual(problems, []);
  await page.close();
  const without = await open("server-series", {requests: 50, series: false});
  assert.match(await textOf(without.page, "#server-series"), /start the run with --observe/);
  await without.page.close();
});

test("the gaps of the page are those of the run", {skip}, async () => {
  const {page, problems, report} = await open("token-gaps", {requests: 200, errors: 0});
  const {total} = report.runs[0].rows.gaps;
  assert.match(await textOf(page, "#token-gaps"), new RegExp(`All ${total.toLocaleString("en-US")} gaps`));
  assert.deepEqual(problems, []);
  await page.close();
  const some = await open("token-gaps", {requests: 3000, mostGaps: 1000});
  assert.match(await textOf(some.page, "#token-gaps"), /the single gaps are kept for [\d,]+ requests/);
  await some.page.close();
});

test("groups have the counts of their requests and a fairness index with its n", {skip}, async () => {
  const {page, problems} = await open("classes", {requests: 300, sessions: 20});
  const rows = await cells(page, "classes");
  assert.equal(rows.reduce((sum, row) => sum + Number(row[1]), 0), 300);
  assert.match(await firstNote(page, "classes"), /Jain's fairness index of their speed is [01]\.\d+ \(n = 3 groups/);
  for (const by of ["turn", "session", "status", "server"]) {
    await choose(page, "classes", by);
    assert.ok((await cells(page, "classes")).length > 1, by);
  }
  assert.deepEqual(problems, []);
  await page.close();
});

test("every view copes with odd runs in both themes", {skip}, async () => {
  for (const options of [{requests: 0}, {requests: 1, errors: 0}, {requests: 1, errors: 1}, {requests: 30, errors: 1},
    {requests: 30, tokens: false}, {requests: 60, hostile: true, sessions: 9, errors: 0.3}]) {
    for (const theme of ["light", "dark"]) {
      const {page, problems} = await openReport(browser, options, {theme});
      for (const id of views) {
        await drawSection(page, id);
        assert.doesNotMatch(await textOf(page, `#${id}`), /could not be drawn|cannot read|undefined|NaN/, `${id} ${JSON.stringify(options)}`);
      }
      assert.deepEqual(problems, [], JSON.stringify(options));
      await page.close();
    }
  }
});

test("rows of some requests are told as a sample, and failures are those of the result file", {skip}, async () => {
  const {page, problems, report} = await openReport(browser, {requests: 200, errors: 0.1}, {change: ({runs: [run]}) => {
    run.rows.total = 50_000;
    run.facts.accounting.failed = 4321;
  }});
  for (const id of ["errors", "client-health", "scatter", "token-gaps", "classes", "swim-lanes"]) {
    await drawSection(page, id);
    assert.match(await textOf(page, `#${id}`), /200 of the 50,000 requests: some drawn by lot, and the slowest/, id);
  }
  assert.match(await firstNote(page, "errors"), /^4,321 of 50,000 requests failed/);
  assert.equal((await cells(page, "errors")).length, report.runs[0].facts.errors.length);
  assert.deepEqual(problems, []);
  await page.close();
});

test("nothing of the client, of the server or of errors in the facts is no fault", {skip}, async () => {
  const {page, problems} = await openReport(browser, {requests: 40}, {change: (report) => { report.runs[0].facts = {}; }});
  for (const id of views) {
    await drawSection(page, id);
    assert.doesNotMatch(await textOf(page, `#${id}`), /could not be drawn|cannot read/, id);
  }
  assert.deepEqual(problems, []);
  await page.close();
});
