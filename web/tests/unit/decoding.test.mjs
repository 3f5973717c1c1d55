import assert from "node:assert/strict";
import {test} from "node:test";
import {deflateSync} from "node:zlib";

import {
  bytesOfBase64,
  DamagedFile,
  inflate,
  Reader,
  readColumn,
  scaled,
} from "../../src/data/encoding.js";
import {readReport, Rows, Run} from "../../src/data/model.js";
import {Bytes, columns, encodeRows} from "../encode.mjs";
import {makeReport} from "../make_report.mjs";
import {makeRows} from "../synthetic.mjs";

const textOf =
  ({report, blobs}) =>
  (id) =>
    id === "report" ? JSON.stringify(report) : (blobs[id] ?? null);

test("numbers of up to 53 bits survive LEB128 and zigzag", () => {
  const out = new Bytes();
  const values = [0, 1, 127, 128, 300, 2 ** 31, 2 ** 32 + 5, 2 ** 52];
  for (const value of values) out.varint(value);
  for (const value of values) out.zigzag(-value);
  const reader = new Reader(out.bytes());
  assert.deepEqual(
    values.map(() => reader.varint()),
    values,
  );
  assert.deepEqual(
    values.map(() => reader.zigzag() + 0),
    values.map((value) => -value + 0),
  );
});

test("a number that ends in the middle or is too large is damage", () => {
  assert.throws(() => new Reader(Uint8Array.of(0x80)).varint(), DamagedFile);
  assert.throws(() => new Reader(new Uint8Array(12).fill(0xff)).varint(), DamagedFile);
});

test("the columns delta, plain and optional are read, also relative to another column", () => {
  const read = (type, write, base) => {
    const out = new Bytes();
    write(out);
    return [...readColumn(new Reader(out.bytes()), {name: "c", type}, 3, base)];
  };
  assert.deepEqual(
    read("delta", (o) => [5, -2, 0].forEach((v) => o.zigzag(v))),
    [5, 3, 3],
  );
  assert.deepEqual(
    read("plain", (o) => [5, 2, 0].forEach((v) => o.varint(v))),
    [5, 2, 0],
  );
  assert.deepEqual(
    read("optional", (o) => [0, 1, 9].forEach((v) => o.varint(v))),
    [NaN, 0, 8],
  );
  const base = Float64Array.of(10, NaN, 10);
  assert.deepEqual(
    read("plain", (o) => [-1, 2, 0].forEach((v) => o.zigzag(v)), base),
    [9, 2, 10],
  );
  assert.deepEqual(
    read("optional", (o) => [2, 0, 5].forEach((v) => o.varint(v)), base),
    [9, NaN, 12],
  );
  assert.throws(() => read("nibbles", () => {}), /newer inferbench/);
});

test("microseconds become the nearest double of their milliseconds", () => {
  assert.deepEqual([...scaled(Float64Array.of(1, 35, 70003), 1e-3)], [0.001, 0.035, 70.003]);
});

test("base64 and zlib streams are read, and damage is named", async () => {
  const stream = deflateSync(Buffer.from("abc")).toString("base64");
  assert.equal(Buffer.from(await inflate(bytesOfBase64(stream))).toString(), "abc");
  assert.throws(() => bytesOfBase64("*"), DamagedFile);
  await assert.rejects(inflate(bytesOfBase64(stream.slice(0, 8))), DamagedFile);
});

test("rows have the times, lengths, texts and gaps that were written", async () => {
  const {rows, strings} = makeRows({requests: 300, sessions: 9, errors: 0.1, seed: 5});
  const text = encodeRows(
    rows,
    rows.map((row) => row.gaps),
  );
  const total = rows.reduce((sum, row) => sum + row.gaps.length, 0);
  const run = new Run(
    {rows: {id: "r", count: 300, columns, strings, gaps: {kind: "all", kept: total, total}}},
    0,
    () => text,
  );
  const found = await run.load();
  rows.forEach((row, i) => {
    assert.equal(found.start[i], row.start / 1000);
    assert.equal(found.due[i], row.start / 1000 - row.due / 1000);
    assert.equal(found.ttft[i], row.first === undefined ? NaN : row.first / 1000);
    assert.equal(found.e2el[i], (row.last ?? row.end) / 1000);
    assert.equal(found.output[i], row.output ?? -1);
    assert.equal(found.events[i], row.events);
    assert.equal(found.gapCounts[0][i], row.gaps_low);
    assert.equal(found.ok(i), row.status === 0);
    assert.equal(found.error[i], row.error - 1);
    assert.equal(found.session[i], row.session - 1);
    assert.deepEqual(
      [...found.gapsOf(i)],
      row.gaps.map((gap) => gap / 1000),
    );
    if (row.output > 1)
      assert.equal(found.tpot[i], (row.last / 1000 - row.first / 1000) / (row.output - 1));
  });
  assert.equal(await run.load(), found);
});

test("gaps that were kept for some requests are found by their request", async () => {
  const made = makeReport({requests: 3000, mostGaps: 1000});
  const {
    runs: [run],
  } = readReport(textOf(made));
  await run.load();
  assert.equal(run.gaps.kind, "some");
  const kept = new Set(run.gaps.rows);
  assert.ok(kept.size >= 1000 && kept.size <= 2000);
  for (let i = 0; i < run.count; ++i) assert.equal(run.rows.gapsOf(i) !== null, kept.has(i));
});

test("a run without requests and a run without rows load", async () => {
  const {
    runs: [empty],
  } = readReport(textOf(makeReport({requests: 0})));
  assert.equal((await empty.load()).count, 0);
  const run = new Run({}, 0, () => null);
  assert.equal((await run.load()).count, 0);
  assert.equal(run.title, "run 1");
});

test("a file without data, with cut data or of a newer format is named", () => {
  const read = (text) => readReport(() => text);
  assert.throws(() => read(null), /no data/);
  assert.throws(() => read('{"format":1,'), /cut or damaged/);
  assert.throws(() => read("[]"), /which format/);
  assert.throws(
    () => read('{"format":2,"generator":"inferbench 9","runs":[]}'),
    /inferbench 9.*format 2/,
  );
  assert.throws(() => read('{"format":1}'), /list of runs/);
});

test("columns that are missing or unknown do no harm", () => {
  const out = new Bytes();
  out.zigzag(4000);
  out.varint(7);
  const rows = new Rows(
    {
      count: 1,
      columns: [
        {name: "start", type: "delta", scale: 1e-3},
        {name: "of tomorrow", type: "plain"},
      ],
    },
    out.bytes(),
  );
  assert.equal(rows.start[0], 4);
  assert.equal(rows.due[0], 4);
  assert.equal(rows.ttft[0], NaN);
  assert.equal(rows.output[0], -1);
  assert.equal(rows.gapsOf(0), null);
});

test("numbers of rows or gaps that cannot be in the file are refused before memory is taken", () => {
  assert.throws(() => new Rows({count: 1e12, columns: []}, new Uint8Array(3)), DamagedFile);
  assert.throws(
    () =>
      new Rows(
        {count: 1, columns: [{name: "start", type: "delta"}], gaps: {kind: "all", kept: 1e12}},
        Uint8Array.of(2, 0),
      ),
    DamagedFile,
  );
  assert.throws(
    () =>
      new Rows(
        {
          count: 1,
          columns: [{name: "start", type: "delta", relative: "due"}],
          gaps: {kind: "none"},
        },
        Uint8Array.of(2),
      ),
    /relative/,
  );
});
