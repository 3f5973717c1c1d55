// Writes rows and reports as the C++ library plugins/reporters/pages does.
import {deflateSync} from "node:zlib";

/** Bytes that grow; numbers are LEB128: seven bits per byte, the lowest first. */
export class Bytes {
  constructor() {
    this.data = new Uint8Array(1 << 16);
    this.size = 0;
  }

  varint(value) {
    if (!(value >= 0)) throw new RangeError(`varint of ${value}`);
    if (this.size + 10 > this.data.length) {
      const larger = new Uint8Array(this.data.length * 2);
      larger.set(this.data);
      this.data = larger;
    }
    let rest = Math.round(value);
    while (rest > 127) {
      this.data[this.size++] = rest % 128 | 128;
      rest = Math.floor(rest / 128);
    }
    this.data[this.size++] = rest;
  }

  zigzag(value) {
    this.varint(value < 0 ? -2 * value - 1 : 2 * value);
  }

  bytes() {
    return this.data.subarray(0, this.size);
  }
}

/** Name, type, scale and "relative to" of the columns, in the order of the file. */
export const columns = [
  ["sequence", "delta"],
  ["start", "delta", 1e-3],
  ["due", "plain", 1e-3],
  ["sent", "optional", 1e-3],
  ["first_byte", "optional", 1e-3],
  ["first", "optional", 1e-3, "first_byte"],
  ["first_text", "optional", 1e-3, "first"],
  ["last", "optional", 1e-3],
  ["end", "optional", 1e-3, "last"],
  ["input", "optional"],
  ["output", "optional"],
  ["cached", "optional"],
  ["reasoning", "optional"],
  ["events", "plain", 1, "output"],
  ["status", "plain"],
  ["http", "plain"],
  ["turn", "plain"],
  ["session", "plain"],
  ["server", "plain"],
  ["class", "plain"],
  ["error", "plain"],
  ["finish_reason", "plain"],
  ["longest_gap", "plain", 1e-3],
  ["gaps_low", "plain", 1, "events"],
  ["gaps_mid", "plain"],
  ["gaps_high", "plain"],
].map(([name, type, scale, relative]) => ({
  name,
  type,
  ...(scale && scale !== 1 ? {scale} : {}),
  ...(relative ? {relative} : {}),
}));

/**
 * @param rows  Objects with a member for each column, times in microseconds; null or undefined:
 *     missing.
 * @param gaps  For each kept row an array of gaps in microseconds.
 * @returns base64 of the zlib stream.
 */
export function encodeRows(rows, gaps) {
  const out = new Bytes();
  const zigzag = (value) => (value < 0 ? -2 * value - 1 : 2 * value);
  for (const {name, type, relative} of columns) {
    let before = 0;
    for (const row of rows) {
      const value = row[name];
      if (type === "delta") {
        out.zigzag(value - before);
        before = value;
      } else if (type === "optional") {
        const there = value !== null && value !== undefined;
        out.varint(!there ? 0 : 1 + (relative ? zigzag(value - (row[relative] ?? 0)) : value));
      } else {
        out.varint(relative ? zigzag((value ?? 0) - (row[relative] ?? 0)) : (value ?? 0));
      }
    }
  }
  for (const list of gaps) {
    out.varint(list.length);
    for (const gap of list) out.varint(gap);
  }
  return deflateSync(out.bytes(), {level: 9}).toString("base64");
}

/** The script elements that replace the place mark {{data}}. blobs: id -> base64. */
export function scriptElements(report, blobs) {
  const json = JSON.stringify(report).replaceAll("<", "\\u003c");
  let text = `<script type="application/json" id="report">${json}</script>\n`;
  for (const [id, base64] of Object.entries(blobs))
    text += `<script type="application/octet-stream" id="${id}">${base64}</script>\n`;
  return text;
}

const escaped = (text) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** Fills in a built page. */
export function fillPage(page, report, blobs) {
  return page
    .replace("{{title}}", () => escaped(report.title))
    .replace("{{data}}", () => scriptElements(report, blobs));
}
