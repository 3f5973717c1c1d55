import assert from "node:assert/strict";
import test from "node:test";

import {arrivalWork, inFlight, little, offeredAndServed, outputRate, paced, plannedRate, rates,
  steadyWindow} from "../../src/analysis/load.js";
import {bins} from "../../src/analysis/time-bins.js";

/** Rows of [start, first, last or NaN, output, status]; due = start. */
function rowsOf(list) {
  const column = (f) => Float64Array.from(list, f);
  const status = Uint16Array.from(list, ([, , , , s = 0]) => s);
  return {count: list.length, start: column(([s]) => s), due: column(([s]) => s),
    sent: column(([s]) => s), firstByte: column(([, f]) => f), first: column(([, f]) => f),
    last: column(([, , l]) => l), end: column(([, , l]) => l),
    output: Int32Array.from(list, ([, , , o]) => o), ok: (i) => status[i] === 0, status};
}

test("rates count events in their bins", () => {
  assert.deepEqual([...rates([0, 400, 600, 1999, 2500, NaN], bins(2, 4))], [4, 2, 0, 4]);
});

test("the last bin is as long as the run in it", () => {
  const into = bins(1.8, 2);  // 1 s and 0.8 s
  assert.deepEqual([...into.lengths], [1, 0.8]);
  assert.deepEqual([...rates([0, 500, 1000, 1200, 1400, 1800], into)], [2, 5]);
  const rows = rowsOf([[0, 0, 1800, 18], [0, 0, 1800, 18]]);
  assert.deepEqual([...outputRate(rows, into)].map((v) => Math.round(v * 1e6) / 1e6), [20, 20]);
  assert.deepEqual([...inFlight(rows, into).mean].map((v) => Math.round(v * 1e6) / 1e6), [2, 2]);
  assert.equal(arrivalWork(rowsOf([[1000, 1000, 1800, 1]]), into)[1], 1);
});

test("tokens are spread over the time from the first to the last event", () => {
  const into = bins(4, 4);
  const found = outputRate(rowsOf([[0, 500, 3500, 30], [0, 1000, 1000, 5], [0, 0, 4000, 9, 5]]), into);
  assert.deepEqual([...found].map((v) => Math.round(v * 1e6) / 1e6), [5, 15, 10, 5]);
});

test("no token is lost whatever the bins", () => {
  const list = [];
  for (let i = 0; i < 500; ++i) list.push([i * 7, i * 7 + 3, i * 7 + 3 + (i * i) % 900, 1 + i % 50]);
  const wanted = list.reduce((sum, row) => sum + row[3], 0);
  for (const count of [1, 3, 17, 400]) {
    const into = bins(4.5, count);
    const sum = outputRate(rowsOf(list), into).reduce((total, rate, b) => total + rate * into.lengths[b], 0);
    assert.ok(Math.abs(sum - wanted) < 1e-6, `${sum} of ${wanted}`);
  }
});

test("requests in flight have mean, lowest and highest number in each bin", () => {
  const found = inFlight(rowsOf([[0, 1, 2000, 1], [500, 1, 1500, 1], [1000, 1, 3000, 1, 5]]),
    bins(3, 3));
  assert.deepEqual([...found.mean], [1.5, 2.5, 1]);
  assert.deepEqual([...found.high], [2, 3, 1]);
  assert.deepEqual([...found.low], [0, 2, 0]);
});

test("a slot that is handed over at the same instant counts once", () => {
  const found = inFlight(rowsOf([[0, 1, 1000, 1], [1000, 1, 2000, 1]]), bins(2, 1));
  assert.equal(found.high[0], 1);
});

test("Little's law holds in a steady part, and the whole run has no residual", () => {
  const list = [];
  for (let i = 0; i < 1000; ++i) list.push([i * 10, i * 10 + 20, i * 10 + 200, 4]);
  const rows = rowsOf(list);
  const steady = little(rows, 2000, 8000);
  assert.ok(Math.abs(steady.residual) < 0.01, String(steady.residual));
  assert.ok(Math.abs(steady.n - 20) < 0.1);
  assert.ok(Math.abs(little(rows, 0, 10190).residual) < 1e-9);
  const work = arrivalWork(rows, bins(10, 10));
  assert.ok(Math.abs(work[5] - 20) < 0.1);
});

test("Little's law of nothing has no value", () => {
  const found = little(rowsOf([]), 0, 1000);
  assert.equal(found.count, 0);
  assert.ok(Number.isNaN(found.residual));
  assert.ok(Number.isNaN(little(rowsOf([[0, 1, 2, 1]]), 5, 5).lambda));
});

test("a server that keeps up serves what is offered, whatever its latency", () => {
  const list = [];
  for (let i = 0; i < 1000; ++i) list.push([i * 10, i * 10 + 20, i * 10 + 2500, 4]);
  const {offered, served} = offeredAndServed(rowsOf(list));
  assert.ok(Math.abs(offered - 100) < 1);
  assert.ok(Math.abs(served - 100) < 1);
});

test("an overloaded server serves less than is offered", () => {
  const list = [];
  for (let i = 0; i < 1000; ++i) list.push([i * 10, i * 20 + 20, i * 20 + 40, 4]);
  const {offered, served} = offeredAndServed(rowsOf(list));
  assert.ok(Math.abs(offered - 100) < 1);
  assert.ok(Math.abs(served - 50) < 1);
});

test("a burst has no offered rate, and failures are not served", () => {
  assert.ok(Number.isNaN(offeredAndServed(rowsOf([[0, 1, 2, 1], [0, 1, 2, 1]])).offered));
  const {served, done} = offeredAndServed(rowsOf([[0, 1, 2, 1, 5], [10, 11, 12, 1, 5]]));
  assert.equal(done, 0);
  assert.equal(served, 0);
});

test("the steady window is our own, else upstream's, else there is a reason", () => {
  const own = {steady: {found: true, begin_s: 1, end_s: 9, method: "MSER-5"},
    steady_state: {window: {start_s: 2, end_s: 5}}};
  assert.deepEqual(steadyWindow(own), {begin: 1, end: 9, source: "MSER-5"});
  assert.equal(steadyWindow({...own, steady: {found: false}}).begin, 2);
  assert.equal(steadyWindow({steady: {found: false, reason: "too few"}}).reason, "too few");
  assert.ok(steadyWindow({}).reason.length > 0);
  assert.ok(steadyWindow(undefined).reason.length > 0);
});

test("only a constant rate is a planned rate", () => {
  assert.equal(plannedRate({description: {request_rate: 60}}), 60);
  assert.equal(plannedRate({description: {request_rate: "inf"}}), null);
  assert.equal(plannedRate({description: {request_rate: 60, traffic: "sine"}}), null);
  assert.equal(plannedRate({config: {load: {"request-rate": 3}}}), 3);
  assert.equal(paced({description: {request_rate: "inf"}}), false);
  assert.equal(paced({description: {request_rate: "inf", self_timed: true}}), true);
});
