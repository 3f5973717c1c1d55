import assert from "node:assert/strict";
import {test} from "node:test";
import {largest, nameOf, readingOf, slowest} from "../../src/analysis/reading.js";
import {clock, facts, kindLabels, tipLines} from "../../src/lanes/details.js";
import {format} from "../../src/ui/format.js";
import {fewRows} from "./few-rows.mjs";

const rows = fewRows([
  {start: 0, first: 1900, last: 2400, output: 12, longestGap: 80, gapCounts: [10, 0, 1]},
  {start: 0, first: 10, last: 1010, output: 11, longestGap: 90, session: 0, turn: 2},
  {start: 0, first: 10, last: 1010, output: 11, longestGap: 800},
  {start: 0, sent: 900, first: 1000, last: 1010, output: 3, longestGap: 5},
  {start: 0, sent: 1, end: 250, status: 5, http: 503, error: 0},
  {start: 0, sent: 1, end: 5000, status: 6},
  {start: 0, sent: 1, end: 70},
]);
const strings = {session: ["chat-1"], error: ["<b>full</b>"]};

test("a sentence says where the time of a request went", () => {
  const say = (i) => readingOf(rows, i, format.ms);
  assert.equal(say(0), "waited 1,900 ms of its 2,400 ms for its first token");
  assert.equal(say(1), "spent 1,000 ms of its 1,010 ms on its answer for 11 tokens, the longest gap 90.0 ms");
  assert.equal(say(2), "stood still for 800 ms of its 1,010 ms between two tokens");
  assert.equal(say(3), "spent 900 ms of its 1,010 ms on connecting and sending");
  assert.equal(say(4), "failed with HTTP 503 (remote) after 250 ms, answered with an error");
  assert.equal(say(5), "failed (timeout) after 5,000 ms, waiting for the answer");
  assert.equal(say(6), "took 70.0 ms for an answer that came whole");
});

test("the slowest successful request is named with the median", () => {
  const found = slowest(rows, strings, format.ms);
  assert.equal(found.row, 0);
  assert.match(found.text, /^The slowest request, number 0, waited 1,900 ms .* The median request took 1,010 ms\.$/);
  assert.equal(slowest(fewRows([{start: 0, end: 1, status: 5}]), {}, format.ms), null);
  assert.equal(slowest(fewRows([]), {}, format.ms), null);
  assert.equal(largest(Float64Array.of(NaN, NaN)), -1);
});

test("a request of a conversation is named with its turn and session", () => {
  assert.equal(nameOf(rows, strings, 1), "1 (turn 3 of chat-1)");
  assert.equal(nameOf(rows, {}, 1), "1");
});

test("the clock is upstream's", () => {
  assert.deepEqual([clock(0), clock(3723004), clock(999.6), clock(NaN)], ["00:00:00.000", "01:02:03.004", "00:00:01.000", "–"]);
});

test("all that is known of a request is listed, and nothing that is not", () => {
  const about = new Map(facts(rows, strings, [25, 50], 4, format));
  assert.equal(about.get("Error"), "<b>full</b>");
  assert.equal(about.get("HTTP status"), "503");
  assert.equal(about.get("First token"), "–");
  assert.equal(about.has("Session"), false);
  assert.equal(about.has("Longest gap"), false);
  assert.match(new Map(facts(rows, strings, [25, 50], 0, format)).get("First token"), /^00:00:01\.900 {2}\(start \+ 1,900 ms\)$/);
});

test("the tooltip has the lines of upstream's timeline", () => {
  const lines = tipLines(rows, 0, {kind: 3, from: 0, to: 1900}, kindLabels([25, 50]));
  assert.deepEqual(lines.map((line) => line.split(":")[0]), ["Type", "Start", "End", "Duration", "Prompt Tokens", "Output Tokens",
    "Request Start Time", "Request End Time"]);
  assert.equal(lines[0], "Type: TTFT");
  assert.match(tipLines(rows, 0, {kind: 5, from: 1900, to: 2400}, kindLabels([25, 50]))[0], /not in the file/);
});
