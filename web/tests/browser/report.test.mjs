// What the page shows, opened from file://.
import assert from "node:assert/strict";
import {readFileSync, statSync} from "node:fs";
import {createRequire} from "node:module";
import {test} from "node:test";

import {ready} from "../browser.mjs";
import {makeComparison} from "../comparison-facts.mjs";
import {builtPage, makeReport} from "../make_report.mjs";
import {whole, withReport} from "../report-page.mjs";
import {makeSearch} from "../search-facts.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

test("the base page takes at most 400 KB", () => {
  assert.ok(statSync(builtPage).size <= 400_000);
});

test("all views are drawn, and no request leaves the page", async () => {
  await withReport({requests: 1500, sessions: 20, errors: 0.03}, async (page) => {
    const found = await whole(page);
    assert.ok(!found.get("latency-over-time").empty);
    assert.ok(found.get("frontier").empty);
    await page.evaluate(() =>
      document.querySelectorAll("details").forEach((each) => (each.open = true)),
    );
  });
});

test("two sections are drawn at once and the others when they are scrolled to", async () => {
  await withReport(
    {requests: 500},
    async (page) => {
      await ready(page);
      const drawn = () =>
        page.$$eval("section[data-drawn]", (list) => list.map((section) => section.id));
      assert.ok((await drawn()).includes("verdict") && (await drawn()).includes("headline"));
      assert.ok(!(await drawn()).includes("provenance"));
      await page.evaluate(() => document.getElementById("provenance").scrollIntoView());
      await page.waitForSelector("#provenance[data-drawn]");
    },
    {height: 600},
  );
});

test("figures in the page equal those of the JSON", async () => {
  const options = {requests: 800, errors: 0.05};
  const {
    report: {
      runs: [run],
    },
  } = makeReport(options);
  await withReport(options, async (page) => {
    await ready(page);
    const shown = await page.$$eval("#headline [data-metric]", (list) =>
      list.map((cell) => [
        cell.dataset.metric,
        cell.dataset.statistic ?? "value",
        cell.dataset.value,
      ]),
    );
    const found = new Map(
      shown.map(([metric, statistic, value]) => [`${metric} ${statistic}`, value]),
    );
    for (const metric of run.metrics) {
      const has = (statistic, value) =>
        assert.equal(
          Number(found.get(`${metric.name} ${statistic}`)),
          value,
          `${metric.name} ${statistic}`,
        );
      if (!metric.flags.summary) {
        has("value", metric.value);
        continue;
      }
      has("count", metric.count);
      has("mean", metric.value);
      for (const name of ["std", "min", "median", "max"]) has(name, metric[name]);
      for (const [p, value] of metric.percentiles) if (p !== 50) has(`p${p}`, value);
    }
    const bounds = await page.$$eval("#headline [data-bound]", (list) =>
      list.map((each) => [
        each.closest("td").dataset.metric,
        each.dataset.bound,
        each.dataset.value,
      ]),
    );
    assert.ok(bounds.length > 5);
    for (const [metric, statistic, value] of bounds) {
      const p = statistic === "median" ? 50 : Number(statistic.slice(1));
      assert.equal(
        Number(value),
        run.facts.certainty.figures[metric].percentiles.find((each) => each.percentile === p).bound,
      );
    }
    const facts = await page.$$eval("#verdict [data-fact]", (list) =>
      list.map((each) => [each.dataset.fact, Number(each.dataset.value)]),
    );
    for (const [name, value] of facts) assert.equal(value, run.facts.accounting[name]);
    const goals = await page.$$eval("#verdict [data-goal]", (list) =>
      list.map((each) => [each.dataset.goal, Number(each.dataset.value)]),
    );
    assert.deepEqual(
      goals,
      run.facts.thresholds.map((goal) => [goal.goal, goal.value]),
    );
    assert.equal(
      await page.$eval("#verdict .command pre", (each) => each.textContent),
      run.command,
    );
  });
});

test("a percentile that the sample cannot certify says how many values it needs", async () => {
  await withReport({requests: 100}, async (page) => {
    await ready(page);
    const text = await page.$eval(
      '#headline td[data-metric=ttft][data-statistic="p99.9"]',
      (cell) => `${cell.className}: ${cell.textContent}`,
    );
    assert.match(text, /^uncertain: .*needs n ≥ [\d,]+$/);
  });
});

test("a client that was the limit is told in the first section", async () => {
  await withReport({requests: 600, clientLimited: true, interrupted: true}, async (page) => {
    await ready(page);
    const text = await page.$eval("#verdict", (each) => each.textContent);
    assert.match(text, /INVALID: do not use/);
    assert.match(text, /interrupted after/);
    await whole(page);
  });
});

for (const theme of ["light", "dark"]) {
  for (const options of [
    {requests: 800, sessions: 9, errors: 0.03},
    {requests: 300, runs: 6, axis: true, clientLimited: true},
    {requests: 100, runs: 3, axis: true, facts: {search: makeSearch(3)}},
    {requests: 100, runs: 2, facts: {comparison: makeComparison()}},
  ]) {
    const kind = Object.keys(options.facts ?? {})[0] ?? "report";
    test(`axe-core finds nothing in the ${theme} theme, ${kind} of ${options.runs ?? 1} runs`, async () => {
      await withReport(
        options,
        async (page) => {
          await whole(page);
          await page.evaluate(() =>
            document.querySelectorAll("details").forEach((each) => (each.open = true)),
          );
          // The page forbids scripts that are not its own, so axe-core comes through the debugger.
          await page.evaluate(axe);
          const {violations} = await page.evaluate(() =>
            window.axe.run(document, {resultTypes: ["violations"]}),
          );
          assert.deepEqual(
            violations.map(
              (each) =>
                `${each.id}: ${each.nodes
                  .slice(0, 3)
                  .map((node) => node.html.slice(0, 160))
                  .join(" | ")}`,
            ),
            [],
          );
        },
        {theme},
      );
    });
  }
}
