import assert from "node:assert/strict";
import {test} from "node:test";

import {cell, csv} from "../../src/data/csv.js";
import {format} from "../../src/ui/format.js";

test("milliseconds have three significant digits and keep whole digits", () => {
  const texts = [
    [0, "0 ms"],
    [0.01234, "0.0123 ms"],
    [9.999, "10.0 ms"],
    [73.48, "73.5 ms"],
    [1367.97, "1,368 ms"],
    [13312, "13.3 s"],
    [-2.5, "-2.50 ms"],
    [Infinity, "∞"],
    ["inf", "∞"],
    [NaN, "–"],
    [null, "–"],
    [undefined, "–"],
  ];
  for (const [value, text] of texts) assert.equal(format.ms(value), text);
});

test("numbers have at most four significant digits", () => {
  for (const [value, text] of [
    [1234.5, "1,235"],
    [0.012345, "0.01235"],
    [22.26, "22.26"],
    [5, "5"],
    [0.5, "0.5"],
    [1e-9, "1.000e-9"],
    [1234567, "1,234,567"],
  ])
    assert.equal(format.number(value), text);
  for (const [value, text] of [
    [13312.4, "13,312"],
    [47.81, "47.8"],
    [124.3, "124"],
    [5, "5.00"],
  ])
    assert.equal(format.figure(value), text);
});

test("exact numbers are those of the file", () => {
  assert.equal(Number(format.exact(0.1 + 0.2)), 0.1 + 0.2);
});

test("a share below 100 % is never shown as 100 %", () => {
  for (const [value, text] of [
    [1, "100 %"],
    [0.99999, "99.999 %"],
    [0.9999999, "99.999 %"],
    [0.123, "12.3 %"],
    [0, "0 %"],
    [0.0001, "0.01 %"],
  ])
    assert.equal(format.percent(value), text);
});

test("times of the run are seconds, minutes and hours", () => {
  for (const [value, text] of [
    [0.5, "0.5 s"],
    [59.94, "59.9 s"],
    [65, "1:05"],
    [65.26, "1:05.2"],
    [3725, "1:02:05"],
    [-3, "-3 s"],
  ])
    assert.equal(format.time(value), text);
});

test("dates, bytes, units and percentiles", () => {
  assert.equal(format.date(1795574073833), "2026-11-25 02:34:33 UTC");
  assert.equal(format.date(1e20), "–");
  assert.equal(format.bytes(1536), "1.5 KiB");
  assert.equal(format.unit(12, "token/s"), "12 token/s");
  assert.equal(format.unit(12, "1"), "12");
  assert.equal(format.percentile(99.9), "P99.9");
  assert.equal(format.ratio(1.254), "1.25×");
});

test("CSV quotes what RFC 4180 asks for", () => {
  assert.equal(
    csv([
      ["a", "b,c", 'd"e', "f\ng"],
      [1, null, NaN, -0.5],
    ]),
    'a,"b,c","d""e","f\ng"\r\n1,,,-0.5\r\n',
  );
});

test("a text that a spreadsheet would execute is made harmless", () => {
  assert.equal(cell("=1+1"), "'=1+1");
  assert.equal(cell("@x"), "'@x");
  assert.equal(cell("-5.5e3"), "-5.5e3");
  assert.equal(cell("-rm"), "'-rm");
  assert.equal(cell(-5), "-5");
});

test("an upper bound is never rounded down", () => {
  assert.equal(format.atMost(0.07123, "ms"), "0.0713 ms");
  assert.equal(format.atMost(0.07, "ms"), "0.0700 ms");
  assert.equal(format.atMost(12.31), "12.4");
  assert.equal(format.atMost(99.91), "100");
  assert.equal(format.atMost(9.991), "10.0");
  assert.equal(format.atMost(1234.2), "1,235");
  assert.equal(format.atMost(12341, "ms"), "12.4 s");
  assert.equal(format.atMost(0), "0");
  assert.equal(format.atMost(NaN), "–");
  for (let i = 0; i < 2000; ++i) {
    const value = Math.exp((i - 1000) / 60);
    const shown = Number(format.atMost(value).replaceAll(",", ""));
    assert.ok(shown >= value && shown <= value * 1.0101, `${value}: ${shown}`);
  }
});

test("an effective number is rounded down", () => {
  assert.equal(format.effective(1599.99), "1,599");
  assert.equal(format.effective(null), "–");
});
