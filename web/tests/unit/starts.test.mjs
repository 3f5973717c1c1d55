// Runs that measured starts: their cards and their comparison.
import assert from "node:assert/strict";
import {test} from "node:test";

import {conclusionOf} from "../../src/analysis/conclusion.js";
import {unseenText} from "../../src/analysis/doubts.js";
import {support} from "../../src/analysis/side-by-side.js";
import {startDoubts, startsOf} from "../../src/analysis/starts.js";
import {validitiesOf} from "../../src/analysis/validities.js";
import {mainFigures, sidesOf} from "../../src/analysis/what-changed.js";
import {format} from "../../src/ui/format.js";
import frontier from "../../src/views/frontier.js";
import {startsCard, timesCards} from "../../src/views/start-cards.js";
import {reportOf} from "./compared-runs.mjs";
import {startRun} from "./start-runs.mjs";

const ui = {format, el: (tag, members, ...children) => ({class: members?.class, children})};
const textOf = (node) => node === null || node === undefined ? ""
  : Array.isArray(node) ? node.map(textOf).join("") : typeof node === "object" ? textOf(node.children) : String(node);

test("each kind of start has a card with mean, range and phases", () => {
  const run = startRun("A", {cold: 30, warm: 12, phases: {listening: 20, ready: 10, first_token: 0.5, total: 30.5}});
  const [cold, warm, ...none] = timesCards(run, ui);
  assert.deepEqual([none.length, cold.class, warm.class], [0, "card ", "card "]);
  assert.equal(textOf(cold), "Cold start30 sMean of 3 starts, 29 s to 31 s.listening: 20 sready: 10 sfirst token: 0.5 stotal: 30.5 s");
  assert.match(textOf(warm), /^Warm start12 sMean of 5 starts, 11 s to 13 s\.listening/);
});

test("a compilation is told if an engine reports one", () => {
  const run = startRun("A", {cold: 30, warm: 12});
  run.metrics.push({...run.metrics[0], name: "cold_compilation_time", value: 9}, {...run.metrics[1], name: "warm_compilation_time", value: 0});
  const [cold, warm] = timesCards(run, ui).map(textOf);
  assert.match(cold, /compilation: 9 s$/);
  assert.doesNotMatch(warm, /compilation/);
});

test("the card of the run has the number of starts and is never red", () => {
  const run = startRun("A", {cold: 30, warm: 12, facts: {form: "server", ready_path: "/health"}});
  assert.match(textOf(startsCard(run, ui)), /^Run3 cold and 5 warm starts.*until GET \/health was answered\./);
  assert.equal(startsCard(run, ui).class, "card ");
  run.metrics.length = 1;
  run.metrics[0].count = 1;
  assert.match(textOf(startsCard(run, ui)), /^Run1 cold start(?!s)/);
  assert.match(textOf(timesCards(run, ui)), /One start\./);
});

test("what makes starts doubtful is told", () => {
  const facts = {killed: 2, cold_variables: [{name: "A", used: false}]};
  const run = startRun("A", {cold: 30, warm: 12, facts, phases: {first_token: 0.5}});
  run.metrics.find(({name}) => name === "warm_phase_first_token").count = 4;
  assert.deepEqual(startDoubts(run, format.count), [
    "The cold starts have written nothing into their new cache folders, so they may have used other caches.",
    "2 servers did not end after SIGTERM and had to be killed.", "1 warm start gave no first token."]);
  assert.equal(startsCard(run, ui).class, "card warn");
  facts.cold_variables.push({name: "B", used: true});
  assert.doesNotMatch(startDoubts(run, format.count).join(), /cache/);
});

test("facts of another form count as missing", () => {
  for (const facts of [undefined, null, 5, "x", {killed: "x", cold_variables: 3}])
    assert.deepEqual(startDoubts(startRun("A", {cold: 30, warm: 12, facts}), format.count), []);
  assert.deepEqual(startsOf({metrics: []}), []);
});

test("starts are compared by their means, and nothing is said of a client", () => {
  const report = {...reportOf(startRun("A", {cold: 30, warm: 12}), startRun("B", {cold: 60, warm: 18})), axes: [{name: "x"}]};
  const sides = sidesOf(report);
  const shown = mainFigures(report, sides);
  assert.deepEqual(shown.map(({key}) => key), ["cold_startup_time.mean", "warm_startup_time.mean"]);
  assert.deepEqual(conclusionOf(report, sides, shown, [], format), ["B is slower: mean cold start ×2.00, mean warm start ×1.50.",
    "One run a side, and other load on the machine is not seen: this does not prove the cause."]);
  assert.deepEqual(validitiesOf(report, sides, shown, format), []);
  assert.doesNotMatch(unseenText(report), /--observe|how the server was started/);
  assert.match(support(sides, 0, true), /the starts of one run follow each other/);
  assert.match(frontier.available(report), /measured starts/);
});
