import assert from "node:assert/strict";
import {test} from "node:test";
import {isShare, labelsOf, panelsOf, peakOf, scrapesOf, withGaps} from "../../src/analysis/series-panels.js";

const series = {interval_s: 1, sources: [
  {url: "http://a:8000/metrics", server: "vllm", scrapes: 4, failed: 1, first_error: "refused", at_s: [0, 1, 2, 3],
    series: [
      {name: "zz_custom", unit: "1", metric: "zz", labels: {}, values: [1, 1, 1, 1]},
      {name: "kv_cache_usage", unit: "1", metric: "k", labels: {}, values: [0.1, null, 0.9, 0.2]},
      {name: "running", unit: "1", metric: "r", labels: {}, values: [1, 2, 3, 4]},
      {name: "waiting", unit: "1", metric: "w", labels: {}, values: [null, null, null, null]},
    ]},
  {url: "http://b:8000/metrics", scrapes: 2, failed: 0, first_error: null, at_s: [0, 5],
    series: [{name: "running", unit: "1", metric: "r", labels: {}, values: [7, 8]}]},
]};

test("ready names come first, a panel for each name with a line for each source", () => {
  const panels = panelsOf(series);
  assert.deepEqual(panels.map(({name}) => name), ["running", "kv_cache_usage", "zz_custom"]);
  assert.deepEqual(panels[0].lines.map(({label}) => label), ["a:8000", "b:8000"]);
  assert.equal(panels[2].ready, false);
});

test("a failed scrape and a long pause are gaps", () => {
  const panels = panelsOf(series);
  assert.deepEqual([...panels[1].lines[0].y], [0.1, NaN, 0.9, 0.2]);
  assert.deepEqual([...panels[0].lines[1].x], [0, 2.5, 5]);
  assert.deepEqual([...panels[0].lines[1].y], [7, NaN, 8]);
  assert.deepEqual([...withGaps([], [], 1).x], []);
});

test("labels name what differs", () => {
  const line = (labels, metric = "m") => ({url: "http://a:1/metrics", labels, metric});
  assert.deepEqual(labelsOf([line({gpu: "0", host: "h"}), line({gpu: "1", host: "h"})]), ["gpu=0", "gpu=1"]);
  assert.deepEqual(labelsOf([line({}, "x"), line({}, "y")]), ["x", "y"]);
  assert.deepEqual(labelsOf([line({})]), ["a:1"]);
});

test("shares, peaks and scrapes are found", () => {
  const [running, usage] = panelsOf(series);
  assert.equal(isShare(usage), true);
  assert.equal(isShare(running), false);
  assert.deepEqual(peakOf(usage), {value: 0.9, at: 2, label: "a:8000"});
  assert.deepEqual(scrapesOf(series), {scrapes: 6, failed: 1, firstError: "a:8000: refused", sources: 2});
});

test("nothing scraped is no panels", () => {
  for (const none of [undefined, null, {}, {sources: []}, {sources: [{}]}]) assert.deepEqual(panelsOf(none), []);
});
