// Pages of runs with a scorer, and of runs that measured starts.
import assert from "node:assert/strict";
import {test} from "node:test";

import {ready} from "../browser.mjs";
import {fillPage} from "../encode.mjs";
import {makeReport} from "../make_report.mjs";
import {base, whole, withReport} from "../report-page.mjs";
import {startRun} from "../unit/start-runs.mjs";

const cardsOf = (page) => page.$$eval("#verdict .cards > .card", (all) => all.map((card) => {
  const [title, big] = [card.querySelector("h3"), card.querySelector(".big")].map((each) => each.textContent);
  return {title, big, kind: card.className.replace("card", "").trim(), text: card.textContent};
}));
const valueOf = (page, selector) => page.$eval(selector, (each) => Number(each.dataset.value));

function withScores(runs) {
  const made = makeReport({requests: 200, runs});
  for (const [i, run] of made.report.runs.entries()) {
    const mean = 0.98 - 0.3 * i;
    run.facts.scores = {"structured-output": {scored: 190, unscored: 10, mean, low: mean - 0.02, high: mean + 0.01, confidence: 0.99,
      reasons: {"not the schema": 1, "<b>no JSON</b>": 3}}};
    run.metrics.push({name: "correct_rate", unit: "%", title: "Correct Rate", label: "Correct rate", help: "", value: 100 * mean,
      flags: {integer: false, summary: false, selected: false, upstream: false}});
  }
  return {text: fillPage(base, made.report, made.blobs)};
}

test("a run with a scorer has a card of its answers", async () => {
  await withReport(withScores(1), async (page) => {
    await whole(page);
    const cards = await cardsOf(page);
    assert.deepEqual(cards.map(({title}) => title), ["Client", "Goals", "Requests", "Answers", "Run"]);
    const {big, kind, text} = cards[3];
    assert.deepEqual([big, kind], ["98 % correct", ""]);
    assert.match(text, /99 % interval: 96 % to 99 %\.190 answers scored by structured-output, 10 without a score\.3 × <b>no JSON<\/b>1 × not the schema/);
    assert.equal(await valueOf(page, "#verdict [data-scores=mean]"), 0.98);
    assert.equal(await valueOf(page, "#headline [data-metric=correct_rate]"), 98);
    const tops = await page.$$eval("#verdict .card", (all) => all.map((card) => card.getBoundingClientRect().top));
    assert.equal(new Set(tops).size, 1, "the cards are in a row");
  });
});

test("runs with a scorer are compared by their correct rates", async () => {
  await withReport(withScores(2), async (page) => {
    await whole(page);
    const row = await page.$eval("#what-changed [data-figure=correct_rate]", (cell) => cell.parentElement.textContent);
    assert.match(row, /^Correct Rate %9896 to 9968.*worse \(lower\)$/);
    assert.match(await page.$eval("#what-changed .conclusion", (each) => each.textContent), /correct rate ×0\.694/);
    const heads = await page.$$eval("#verdict thead th", (all) => all.map((each) => each.textContent));
    assert.ok(heads.some((head) => head.startsWith("Correct answers")));
    assert.match(await page.$eval("#verdict tbody", (each) => each.textContent), /98 % \[96 % to 99 %\]/);
    assert.match(await page.$eval("#side-by-side", (each) => each.textContent), /interval of the correct rate of one run has a confidence of 99 %/);
  });
});

function withStarts(...runs) {
  const made = makeReport({requests: 0, runs: runs.length});
  made.report.runs = made.report.runs.map((run, i) => {
    const {label, metrics, facts} = runs[i];
    return {...run, label, metrics, facts, command: "", description: {}, config: {serve_parameters: {load: i}}};
  });
  return {text: fillPage(base, made.report, made.blobs)};
}
const fast = () => startRun("fast", {cold: 30, warm: 12, phases: {listening: 20, first_token: 1}, facts: {form: "server", ready_path: "/health"}});
const slow = () => startRun("slow", {cold: 60, warm: 12});

test("a run of starts has the cards of its starts, none of them red", async () => {
  await withReport(withStarts(fast()), async (page) => {
    const found = await whole(page);
    const cards = await cardsOf(page);
    assert.deepEqual(cards.map(({title, big, kind}) => [title, big, kind]),
      [["Cold start", "30 s", ""], ["Warm start", "12 s", ""], ["Run", "3 cold and 5 warm starts", ""]]);
    assert.equal(await valueOf(page, "#verdict [data-start=cold_phase_listening]"), 20);
    for (const id of ["latency-over-time", "errors", "client-health", "server-series"])
      assert.match(found.get(id).text, /^The run measured starts and has no requests/, id);
  });
});

test("starts of two settings are compared by their times", async () => {
  await withReport(withStarts(fast(), slow()), async (page) => {
    const found = await whole(page);
    assert.match(await page.$eval("#what-changed .conclusion", (each) => each.textContent),
      /^slow is slower: mean cold start ×2\.00; equal or nearly: mean warm start\./);
    assert.doesNotMatch(found.get("what-changed").text, /Client|not observed|--observe/);
    assert.deepEqual(await page.$$eval("#verdict tbody tr", (all) => all.map((row) => [...row.cells].map((cell) => cell.textContent))),
      [["fast", "30", "3", "12", "5"], ["slow", "60", "3", "12", "5"]]);
    assert.doesNotMatch(found.get("side-by-side").text, /requests of one run|not known/);
    assert.deepEqual((await cardsOf(page)).map(({title}) => title), ["Cold start of fast", "Warm start of fast", "Run of fast"]);
    await page.select("header select", "1");
    await ready(page);
    await page.waitForFunction(() => document.querySelector("#verdict .cards")?.textContent.includes("Cold start of slow"));
  });
});
