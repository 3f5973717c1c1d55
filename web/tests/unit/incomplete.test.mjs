import assert from "node:assert/strict";
import test from "node:test";

import {damageSentence, incompleteness} from "../../src/analysis/incomplete.js";

const count = (n) => String(n);

test("the damage of a journal is a sentence", () => {
  assert.equal(damageSentence({places: 1, bytes_dropped: 87, records_read: 199}, count),
    "The journal is damaged in 1 place: 87 bytes are lost, 199 requests were read.");
  assert.equal(damageSentence({places: 2, bytes_dropped: 1, records_read: 1}, count),
    "The journal is damaged in 2 places: 1 byte is lost, 1 request was read.");
  assert.equal(damageSentence({}, count), "The journal is damaged.");
});

test("a run from a damaged, cut or stopped run says how much of it is known", () => {
  const of = (facts, interrupted = false) => incompleteness({facts, interrupted}, count);
  assert.equal(of({journal_damage: {places: 1}, accounting: {planned: 400, not_recorded: 201}}),
    "damaged journal: 199 of 400 requests known");
  assert.equal(of({journal_damage: {records_read: 199}}), "damaged journal: 199 requests known");
  assert.equal(of({journal_damage: {}}), "damaged journal");
  assert.equal(of({accounting: {planned: 400, not_recorded: 201}}, true),
    "cut journal: 199 of 400 requests known");
  assert.equal(of({accounting: {planned: 1, sent: 0}}, true),
    "stopped before its end: 0 of 1 request sent");
  assert.equal(of({}, true), "stopped before its end");
  assert.equal(of({accounting: {planned: 400, sent: 400, not_recorded: 0}}), null);
  assert.equal(incompleteness({interrupted: false}, count), null);
});
