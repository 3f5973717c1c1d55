// The page of a search for the largest load that meets the goals.
import assert from "node:assert/strict";
import {test} from "node:test";

import {ready} from "../browser.mjs";
import {fillPage} from "../encode.mjs";
import {makeReport} from "../make_report.mjs";
import {base, whole, withReport} from "../report-page.mjs";
import {makeSearch} from "../search-facts.mjs";

function pageOf({runs = 3, change = () => {}} = {}) {
  const {report, blobs} = makeReport({requests: 60, runs, axis: true, facts: {search: makeSearch(runs)}});
  change(report.facts.search, report);
  return {text: fillPage(base, report, blobs)};
}
const textOf = (page, selector) => page.$eval(selector, (each) => each.textContent);
const rowsOf = (page) => page.$$eval("#load-search .probes tbody tr", (all) =>
  all.map((row) => [...row.cells].map((cell) => cell.textContent)));

test("the page begins with the limit, its interval and what it rests on", async () => {
  await withReport(pageOf(), async (page) => {
    await whole(page);
    assert.equal(await textOf(page, "#load-search .limit"), "12.6 req/s");
    assert.equal(await page.$eval("#load-search .limit", (each) => each.dataset.value), "12.6");
    assert.match(await textOf(page, "#load-search .limit-interval"),
      /between 12\.6, .* and 14\.7 req\/s.* It rests on 2,900 independent observations\./);
    const names = await page.$$eval("#load-search .conclusion b", (all) => all.map((each) => each.textContent));
    assert.deepEqual(names, ["limit:", "rests on:", "interval:", "undecided:", "error:", "missed:"]);
    assert.match(await textOf(page, "#load-search dl"), /1 to 50 req\/s, at most 12 probes, precision 1 %CertaintyCertified: .* at most 1 %/);
    const text = await textOf(page, "#app");
    assert.doesNotMatch(text, /What changed|is slower than|is faster than/);
  });
});

test("the probes are in the order of load with words, shares, hit rate and time", async () => {
  await withReport(pageOf(), async (page) => {
    await ready(page);
    const rows = await rowsOf(page);
    assert.deepEqual(rows.map(([load, verdict]) => `${load} ${verdict}`), ["7.07 passed", "11.5 passed", "12.2 passed", "12.6 passed",
      "13 undecided", "14.7 failed", "18.8 failed", "50 failed"]);
    assert.deepEqual(rows[1].slice(2, 7), ["2,600",
      "0.115 %, allowed 1 % passed3 of 2,600 independentif requests are independent: a share up to 0.55 % would have passed, from 1.7 % on would have failed",
      "0.0385 %, allowed 1 % passed1 of 2,600 independentif requests are independent: a share up to 0.55 % would have passed, from 1.7 % on would have failed",
      "–", "4:29.5"]);
    const colours = await page.$$eval("#load-search .probes tr > td:nth-child(2) .word", (all) => all.map((each) => each.className));
    assert.deepEqual([...new Set(colours)], ["word good", "word warn", "word bad"]);
  });
});

test("the chart has each probe by its verdict, the allowed share and the interval", async () => {
  await withReport(pageOf(), async (page) => {
    await ready(page);
    const words = await textOf(page, "#load-search .chart .for-readers");
    assert.match(words, /passed: 8 values, .*failed: 3 values, .*undecided: 5 values/);
    assert.match(words, /the limit is here: from 12\.6 to 14\.7\. allowed: at 1\.00×\. passed: 12\.6 req\/s: at 12\.6\./);
    assert.match(await textOf(page, "#load-search"), /as if it had half a request/);
  });
});

test("the name of a run selects it, and a probe without a run has its journal", async () => {
  await withReport(pageOf(), async (page) => {
    await ready(page);
    assert.match((await rowsOf(page)).map((row) => row.join("|")).join("\n"), /probes\/7\.journal/);
    await page.$$eval("#load-search .probes button.link", (all) => all.at(-1).click());
    await page.waitForFunction(() => document.querySelector(".page-tools select").value === "0");
    await page.waitForSelector("#headline[data-drawn]");
    assert.equal((await page.$$("#load-search .probes button.link")).length, 3);
  });
});

test("a run of a search has the verdicts of its goals, and its cancelled requests are not failed", async () => {
  const change = (search, report) => {
    Object.assign(report.runs[0].facts, {accounting: {ok: 90, failed: 0, cancelled: 10, sent: 100},
      probe: {verdict: "passed", goals: [{goal: "ttft.p99<200ms", verdict: "passed", text: "ttft.p99<200ms: <b> of 900"}]}});
  };
  await withReport(pageOf({runs: 1, change}), async (page) => {
    await whole(page);
    const text = await textOf(page, "#verdict");
    assert.match(text, /Goalspassed by its requestspassed: ttft\.p99<200ms: <b> of 900/);
    assert.doesNotMatch(text, /none set|10 failed/);
  });
});

test("on a narrow screen the page does not scroll sideways", async () => {
  await withReport(pageOf(), async (page) => {
    await ready(page);
    const {clientWidth, scrollWidth} = await page.$eval("html", ({clientWidth, scrollWidth}) => ({clientWidth, scrollWidth}));
    assert.ok(scrollWidth <= clientWidth, `${scrollWidth} of ${clientWidth}`);
    const third = await page.$eval("#load-search .probes thead th:nth-child(3)", (head) => head.getBoundingClientRect().right);
    assert.ok(third <= clientWidth, "load, verdict and independent requests are in view");
  }, {width: 480});
});

const cases = {
  "no probe": (search) => Object.assign(search, {probes: [], limit: null, upper: null}),
  "one run": (search, report) => report.runs.splice(1),
  "a limit without an upper end": (search) => Object.assign(search, {upper: null}),
  "no member but the needed ones": (search) => {
    for (const name of Object.keys(search))
      if (!["over", "between", "goals", "conclusion", "probes"].includes(name)) delete search[name];
    search.probes = search.probes.map(({load, verdict}) => ({load, verdict}));
  },
  "members of wrong types": (search) => Object.assign(search, {between: [null, "x"], goals: 3, limit: {}, conclusion: "x",
    probes: [null, [], {load: {}, goals: {}}, {load: 3, goals: [{goal: null, kind: 4, allowed: "0", observed: -1}]}]}),
  "means and rates": (search) => Object.assign(search, {certified: false, probes: search.probes.map((probe) => ({...probe,
    goals: [{goal: "e2el.mean<2s", kind: "estimated", verdict: probe.verdict, limit: 2000, unit: "ms", batches: 20,
      estimate: 100 * probe.load, half_width: 40, text: ""}]}))}),
  "loads of 0 and infinity": (search) => {
    search.between = [0, "inf"];
    search.probes[0].load = "inf";
    search.probes[1].load = 0;
  },
};
for (const [name, change] of Object.entries(cases)) {
  test(`the page of a search is whole with ${name}`, () => withReport(pageOf({change}), async (page) => {
    const found = await whole(page);
    assert.doesNotMatch(found.get("load-search").text, /NaN|undefined|\bnull\b|\[object/);
  }));
}

test("no text of a search runs in the page", async () => {
  const markup = "<img src=x onerror='window.hacked=1'><script>window.hacked=1</script>";
  const change = (search) => {
    Object.assign(search, {over: markup, goals: [markup], conclusion: [markup, markup], ended: markup});
    search.probes.forEach((probe) => {
      Object.assign(probe, {reason: markup, journal: markup});
      probe.goals.forEach((goal) => Object.assign(goal, {goal: markup}));
    });
  };
  await withReport(pageOf({change}), async (page) => {
    await whole(page);
    assert.equal(await page.evaluate(() => window.hacked), undefined);
    assert.equal(await page.$("#app script, #app img"), null);
    assert.ok((await textOf(page, "#load-search")).includes(markup));
  });
});
