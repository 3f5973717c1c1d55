// Draws lanes into an array of pixels. The work is bounded by the number of visible requests and
// pixels: parts of a request that share a pixel have the colour of the worst, and of requests that
// are narrower than two pixels each pixel shows what took most of their time, and failures always.

import {KIND, KINDS, forEachSegment} from "../analysis/segments.js";
import {endOf} from "../analysis/status.js";

const kinds = KINDS.length;
const empty = 255;

/**
 * "#rrggbb" as a pixel of a canvas in the byte order of this machine.
 * @param {string} colour
 */
export function pixelOf(colour) {
  const value = Number.parseInt(colour.slice(1, 7), 16);
  return new Uint32Array(Uint8Array.of(value >> 16, (value >> 8) & 255, value & 255, 255).buffer)[0];
}

/**
 * The time that a request spent in each kind of segment, without a look at its single gaps.
 * @param {Float64Array} out  an element for each kind
 */
export function timesOf(rows, i, out) {
  out.fill(0);
  const start = rows.start[i];
  const end = endOf(rows, i);
  const failed = !rows.ok(i);
  const sent = rows.sent[i];
  out[KIND.queue] = Math.max(0, start - rows.due[i]);
  if (sent !== sent) return void (out[failed ? KIND.failed : KIND.answer] = end - start);
  const began = Math.max(sent, start);
  out[KIND.connect] = began - start;
  const first = Math.max(rows.first[i], began);
  if (first !== first) return void (out[failed ? KIND.failed : KIND.answer] = end - began);
  out[KIND.prefill] = first - began;
  const last = rows.last[i] > first ? rows.last[i] : first;
  if (failed) out[KIND.failed] = Math.max(0, end - last);
  const [low, mid, high] = rows.gapCounts;
  const gaps = low[i] + mid[i] + high[i];
  const decode = last - first;
  if (gaps === 0) return void (out[KIND.answer] = decode);
  out[KIND.low] = decode * low[i] / gaps;
  out[KIND.mid] = decode * mid[i] / gaps;
  out[KIND.high] = decode * high[i] / gaps;
  return undefined;
}

/** @returns {number} the first place in `requests[from..to)` whose end is not before `time` */
export function firstFrom(rows, requests, from, to, time) {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (endOf(rows, requests[middle]) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * @typedef {object} Scene
 * @property {import("../data/model.js").Rows} rows
 * @property {number[]} limits
 * @property {import("../analysis/lanes.js").Layout} layout
 * @property {Uint8Array} shown  1 for each kind that is drawn
 * @property {boolean} waits  whether pauses between requests of a lane are drawn
 * @property {number} from  ms at the left edge
 * @property {number} to  ms at the right edge
 */

/** Draws lanes one by one into a line of kinds, one byte for each pixel. */
export class LanePainter {
  /** @param {number} width in pixels of the device */
  constructor(width) {
    this.line = new Uint8Array(width);
    this.sums = new Float64Array(kinds);
    this.times = new Float64Array(kinds);
    this.pixel = -1;
  }

  /**
   * Fills this.line with the kinds of a lane; 255: nothing.
   * @param {Scene} scene
   */
  lane(scene, lane) {
    const {rows, layout, from, to} = scene;
    const {requests, offsets} = layout;
    const width = this.line.length;
    this.line.fill(empty);
    this.scene = scene;
    this.scale = width / (to - from);
    this.pixel = -1;
    let before = NaN;
    const begin = Math.max(offsets[lane], firstFrom(rows, requests, offsets[lane], offsets[lane + 1], from) - 1);
    for (let k = begin; k < offsets[lane + 1]; ++k) {
      const i = requests[k];
      const start = rows.due[i] < rows.start[i] ? rows.due[i] : rows.start[i];
      const end = endOf(rows, i);
      if (scene.waits && start > before && scene.shown[KIND.wait]) this.mark(KIND.wait, before, start);
      before = before > end ? before : end;
      if (start > to && rows.start[i] > to) break;
      if (end < from) continue;
      if ((end - start) * this.scale < 2) this.narrow(i, start);
      else this.wide(i);
    }
    this.flush();
  }

  wide(i) {
    const {rows, limits, to, shown} = this.scene;
    const decode = rows.gapsOf(i) === null && this.counted(i);
    forEachSegment(rows, i, limits, (kind, from, until) => {
      if (from > to) return true;
      if (decode && kind >= KIND.low && kind <= KIND.high) this.split(i, from, until);
      else if (shown[kind]) this.mark(kind, from, until);
      return false;
    });
  }

  counted(i) {
    const [low, mid, high] = this.scene.rows.gapCounts;
    return low[i] + mid[i] + high[i] > 0;
  }

  /** Parts of a decode phase in proportion to the counts of the classes: their times are not kept. */
  split(i, from, to) {
    const counts = this.scene.rows.gapCounts;
    const all = counts[0][i] + counts[1][i] + counts[2][i];
    let at = from;
    for (let kind = 0; kind < 3; ++kind) {
      const until = at + (to - from) * counts[kind][i] / all;
      if (until > at && this.scene.shown[KIND.low + kind]) this.mark(KIND.low + kind, at, until);
      at = until;
    }
  }

  mark(kind, from, to) {
    const {line, scale} = this;
    const left = Math.max(0, Math.floor((from - this.scene.from) * scale));
    const right = Math.min(line.length, Math.max(left + 1, Math.round((to - this.scene.from) * scale)));
    for (let x = left; x < right; ++x) if (line[x] === empty || line[x] < kind) line[x] = kind;
  }

  narrow(i, start) {
    const {rows, shown} = this.scene;
    const pixel = Math.max(0, Math.floor((start - this.scene.from) * this.scale));
    if (pixel !== this.pixel) {
      this.flush();
      this.pixel = pixel;
    }
    timesOf(rows, i, this.times);
    for (let kind = 0; kind < kinds; ++kind) if (shown[kind]) this.sums[kind] += this.times[kind];
    if (!rows.ok(i) && shown[KIND.failed]) this.sums[KIND.failed] = Infinity;
  }

  flush() {
    const {line, sums, pixel} = this;
    if (pixel < 0) return;
    let best = -1;
    for (let kind = 0; kind < kinds; ++kind) if (sums[kind] > (best < 0 ? 0 : sums[best])) best = kind;
    if (best >= 0 && pixel < line.length && (line[pixel] === empty || line[pixel] < best)) line[pixel] = best;
    sums.fill(0);
    this.pixel = -1;
  }

  /**
   * Copies the line to the pixels of a bar.
   * @param {Uint32Array} pixels  rows of `stride` pixels
   * @param {number} left  where the line begins in a row
   * @param {number} top  the first row of the bar
   * @param {number} height  rows of the bar
   * @param {Uint32Array} colours  a pixel for each kind
   */
  copy(pixels, stride, left, top, height, colours) {
    const {line} = this;
    const rowsOf = Math.floor(pixels.length / stride);
    for (let r = Math.max(0, -top); r < height && top + r < rowsOf; ++r) {
      // Queue and pause are thinner than the work of the request, so that they recede.
      const depth = height < 4 ? 0.5 : (r + 0.5) / height;
      const queue = depth > 0.25 && depth < 0.75;
      const pause = height < 4 || r === height >> 1;
      const to = (top + r) * stride + left;
      for (let x = 0; x < line.length; ++x) {
        const kind = line[x];
        if (kind === empty || (kind === KIND.queue && !queue) || (kind === KIND.wait && !pause)) continue;
        pixels[to + x] = colours[kind];
      }
    }
  }
}
