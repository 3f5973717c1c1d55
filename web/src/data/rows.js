// The requests of a run as columns.
import {DamagedFile, Reader, readColumn, scaled} from "./encoding.js";

/**
 * Times are in ms from the start of the run, durations in ms; NaN: absent. Numbers of tokens are
 * -1 if they are unknown. session, server, klass, error and finish are indices into run.strings,
 * or -1.
 */
export class Rows {
  /**
   * @param {object} header  run.rows of the file
   * @param {Uint8Array} bytes  the inflated columns and gaps
   */
  constructor(header, bytes) {
    const count = header.count;
    if (!Number.isInteger(count) || count < 0 || count > bytes.length)
      throw new DamagedFile("The rows of the requests are incomplete.");
    const reader = new Reader(bytes);
    const found = new Map();
    for (const column of header.columns) {
      const base = column.relative === undefined ? undefined : found.get(column.relative);
      if (column.relative !== undefined && !base)
        throw new DamagedFile(
          `The column ${column.name} is relative to ${column.relative}, which does not come before it.`,
        );
      found.set(column.name, readColumn(reader, column, count, base));
    }
    for (const column of header.columns)
      found.set(column.name, scaled(found.get(column.name), column.scale));
    const missing = () => new Float64Array(count).fill(NaN);
    const column = (name) => found.get(name) ?? missing();
    const whole = (name, shift = 0, absent = -1) => {
      const values = found.get(name);
      const result = new Int32Array(count);
      for (let i = 0; i < count; ++i) {
        const value = values ? values[i] + shift : NaN;
        result[i] = Number.isNaN(value) ? absent : value;
      }
      return result;
    };
    const small = (name) => Uint16Array.from(found.get(name) ?? new Uint16Array(count));

    this.count = count;
    this.start = column("start");
    const fromStart = (name) => column(name).map((value, i) => value + this.start[i]);
    const due = column("due");
    this.due = this.start.map((value, i) => value - (due[i] || 0));
    this.sent = fromStart("sent");
    this.firstByte = fromStart("first_byte");
    this.first = fromStart("first");
    this.firstText = fromStart("first_text");
    this.last = fromStart("last");
    this.end = fromStart("end");

    this.sequence = whole("sequence");
    this.input = whole("input");
    this.output = whole("output");
    this.cached = whole("cached");
    this.reasoning = whole("reasoning");
    this.events = whole("events");
    this.turn = whole("turn");
    this.status = small("status");
    this.http = small("http");
    this.session = whole("session", -1);
    this.server = whole("server", -1);
    this.klass = whole("class", -1);
    this.error = whole("error", -1);
    this.finish = whole("finish_reason", -1);
    this.longestGap = column("longest_gap");
    this.gapCounts = [whole("gaps_low", 0, 0), whole("gaps_mid", 0, 0), whole("gaps_high", 0, 0)];

    // The differences are taken before `start` is added, so that they are the exact durations.
    const first = column("first"),
      last = column("last"),
      end = column("end");
    this.ttft = first;
    this.e2el = last.map((value, i) => (Number.isNaN(value) ? end[i] : value));
    this.tpot = last.map((value, i) =>
      this.output[i] > 1 ? (value - first[i]) / (this.output[i] - 1) : NaN,
    );
    this.#readGaps(header.gaps ?? {kind: "none"}, reader);
  }

  #gapOffsets = null;
  #gapPlace = null;
  #gaps = null;

  #readGaps(facts, reader) {
    /** "all", "some" or "none" of the requests have their token gaps in the file. */
    this.gapsKind = facts.kind;
    if (facts.kind === "none") return;
    const kept = facts.kind === "all" ? this.count : facts.rows.length;
    if (!(facts.kept <= reader.bytes.length))
      throw new DamagedFile("The token gaps of the requests are incomplete.");
    const gaps = new Float64Array(facts.kept);
    const offsets = new Uint32Array(kept + 1);
    let at = 0;
    for (let k = 0; k < kept; ++k) {
      for (let n = reader.varint(); n > 0; --n) {
        if (at === gaps.length)
          throw new DamagedFile("The rows have more token gaps than the file says.");
        gaps[at++] = reader.varint() / 1000;
      }
      offsets[k + 1] = at;
    }
    this.#gaps = gaps;
    this.#gapOffsets = offsets;
    if (facts.kind === "some") {
      this.#gapPlace = new Map();
      facts.rows.forEach((row, k) => this.#gapPlace.set(row, k));
    }
  }

  /** True if request i succeeded. */
  ok(i) {
    return this.status[i] === 0;
  }

  /** The token gaps of request i in ms, or null if the file does not have them. */
  gapsOf(i) {
    if (this.#gaps === null) return null;
    const place = this.#gapPlace === null ? i : this.#gapPlace.get(i);
    if (place === undefined) return null;
    return this.#gaps.subarray(this.#gapOffsets[place], this.#gapOffsets[place + 1]);
  }
}
