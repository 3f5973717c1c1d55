// Every request as a bar in a lane, on a canvas: the swim lanes of the report and the page of
// --plot-timeline.

import {layOut, shortNames} from "../analysis/lanes.js";
import {search} from "../analysis/lane-search.js";
import {largest, nameOf, readingOf} from "../analysis/reading.js";
import {sampleText} from "../analysis/sample.js";
import {KIND, KINDS, segmentAt} from "../analysis/segments.js";
import {endOf} from "../analysis/status.js";
import {build, fillLegend} from "./controls.js";
import {facts, kindLabels} from "./details.js";
import {drawFrame} from "./frame.js";
import {listen} from "./input.js";
import {axis, gutter, mostHeight} from "./sizes.js";

// TTFT and the three classes have the colours of upstream's timeline.
const fixed = {prefill: "#636EFA", low: "#109618", mid: "#FF7F0E", high: "#D62728"};

export class SwimLanes {
  /**
   * @param {HTMLElement} element  is filled
   * @param {import("../data/model.js").Run} run  its rows have been read
   * @param {import("../ui/index.js").Ui} ui
   * @param {object} [options]
   * @param {boolean} [options.fill]  take the height of the element (default: as many lanes as fit
   *     into 60 % of the window)
   * @param {boolean} [options.packed]  several requests share a lane at first; default: with more
   *     than 200 lanes
   * @param {boolean} [options.nested]  the requests of a session share a lane at first
   */
  constructor(element, run, ui, options = {}) {
    this.element = element;
    this.ui = ui;
    this.options = options;
    this.shown = new Uint8Array(KINDS.length).fill(1);
    this.height = 12;
    this.selected = -1;
    this.waiting = false;
    build(this);
    listen(this);
    this.setRun(run);
    ui.onTheme(() => this.redraw());
    ui.onPrint?.(() => this.draw());
    ui.timeRange?.on((range) => this.#follow(range));
    new ResizeObserver(() => {
      if (this.scroll.clientWidth !== this.drawnWidth || this.scroll.clientHeight !== this.drawnHeight) this.redraw();
    }).observe(this.scroll);
  }

  /** Shows another run. */
  setRun(run) {
    this.run = run;
    this.rows = run.rows;
    this.limits = run.classLimits;
    this.labels = kindLabels(this.limits);
    this.sessionNames = shortNames(run.strings.session ?? []);
    this.match = null;
    this.query.value = "";
    let end = 0;
    let sessions = false;
    let begin = 0;
    const has = new Uint8Array(KINDS.length);
    const {rows} = this;
    for (let i = 0; i < rows.count; ++i) {
      end = Math.max(end, endOf(rows, i) || 0);
      if (rows.due[i] < begin) begin = rows.due[i];
      if (rows.session[i] >= 0) sessions = true;
      if (rows.start[i] - rows.due[i] > 0) has[KIND.queue] = 1;
      if (rows.sent[i] > rows.start[i]) has[KIND.connect] = 1;
      if (!rows.ok(i)) has[KIND.failed] = 1;
      else if (!(rows.first[i] === rows.first[i])) has[KIND.answer] = 1;
    }
    has[KIND.wait] = sessions ? 1 : 0;
    for (const kind of [KIND.prefill, KIND.low, KIND.mid, KIND.high]) has[kind] = 1;
    this.begin = begin;
    this.longest = Math.max(end, 0.001);
    this.sessions = sessions;
    this.nested = sessions && this.options.nested !== false;
    this.packed = this.options.packed ?? rows.count > 200;
    this.order = "start";
    this.packBox.checked = this.packed;
    this.nestBox.checked = this.nested;
    this.nestLabel.hidden = !sessions;
    this.sort.value = "start";
    fillLegend(this, has);
    this.#say();
    this.#layOut();
    this.select(-1);
    this.all(false);
    const range = this.ui.timeRange?.get() ?? null;
    if (range !== null) this.#follow(range);
  }

  /** The notes below the lanes: what the colours mean where there is too little room. */
  #say() {
    const {gaps} = this.run;
    const parts = [];
    const sample = sampleText(this.run, this.ui.format.count);
    if (sample !== "") parts.push(sample);
    if (gaps?.kind === "some") {
      parts.push(`The single token gaps of ${this.ui.format.count(gaps.rows?.length ?? 0)} requests are in the file; the ` +
        "answers of the others are divided by how many of their gaps are in each class, not by when they came.");
    }
    parts.push("Parts of a request on the same pixel have the colour of the worst; requests narrower than two pixels have " +
      "the colour of what took longest, and failures always show.");
    parts.push("Drag to move, ctrl and wheel to zoom, click a bar for its times.");
    this.notes.textContent = parts.join(" ");
  }

  // --- lanes ---

  #layOut() {
    this.layout = layOut(this.rows, {order: this.order, packed: this.packed, nested: this.nested, shown: this.match});
    this.packBox.disabled = this.order !== "start";
  }

  /** Puts the lanes into the chosen order. */
  reorder() {
    this.order = this.sort.value;
    this.#layOut();
    this.#fit();
    this.scroll.scrollTop = 0;
    if (this.selected >= 0) this.reveal(this.selected);
    this.redraw();
  }

  /** Shows only the requests that match the query. */
  search() {
    const before = this.match;
    this.match = search(this.rows, this.run.strings, this.query.value);
    if (before === null && this.match === null) return;
    this.#layOut();
    this.#fit();
    this.scroll.scrollTop = 0;
    const {count} = this.ui.format;
    this.found.textContent = this.match === null ? ""
      : `${count(this.layout.requests.length)} of ${count(this.rows.count)} requests match`;
    this.redraw();
  }

  /** Selects the next (1) or previous (-1) request in the order of the lanes. */
  step(by) {
    const {requests} = this.layout;
    if (requests.length === 0) return;
    const at = requests.indexOf(this.selected);
    const next = at < 0 ? (by > 0 ? 0 : requests.length - 1) : (at + by + requests.length) % requests.length;
    this.select(requests[next], true);
  }

  /** Selects the request with the largest value of those that are shown. */
  pickLargest(of) {
    const row = largest(of(this.rows), (i) => this.layout.lane[i] >= 0 && this.rows.ok(i));
    if (row >= 0) this.select(row, true);
  }

  /** Shows the times of a request; -1: of none. `reveal`: and moves the lanes to it. */
  select(row, reveal = false) {
    this.selected = row;
    this.details.replaceChildren();
    if (row >= 0) {
      if (reveal) this.reveal(row);
      this.#detail(row);
    }
    this.redraw();
  }

  #detail(row) {
    const {el, format} = this.ui;
    const {rows, run} = this;
    const text = readingOf(rows, row, format.ms);
    this.details.append(el("p", {class: "lanes-reading"},
      el("strong", {}, `Request ${nameOf(rows, run.strings, row)}`), ` ${text}.`));
    const list = el("dl", {class: "lanes-facts"});
    for (const [name, value] of facts(rows, run.strings, this.limits, row, format))
      list.append(el("div", {}, el("dt", {}, name), el("dd", {}, value)));
    this.details.append(list);
    const texts = (run.texts ?? []).filter((each) => each.row === row);
    for (const {prompt, text: answer} of texts) {
      if (prompt) this.details.append(el("h4", {}, "Prompt"), el("pre", {}, String(prompt)));
      if (answer) this.details.append(el("h4", {}, "Answer"), el("pre", {}, String(answer)));
    }
  }

  /** Moves the lanes so that a request is visible. */
  reveal(row) {
    if (this.layout.lane[row] < 0) {
      if (!(this.rows.start[row] === this.rows.start[row])) return;
      this.query.value = "";
      this.search();
    }
    const lane = this.layout.lane[row];
    if (lane < 0) return;
    const start = Math.min(this.rows.due[row], this.rows.start[row]);
    const end = endOf(this.rows, row);
    const width = this.to - this.from;
    // A request of less than forty pixels is enlarged to a third of the width.
    const wanted = (end - start) / width * this.plotWidth() < 40 ? Math.max((end - start) * 3, 1) : width;
    if (wanted !== width || start < this.from || end > this.to) {
      const centre = (start + end) / 2;
      this.show(centre - Math.max(wanted, (end - start) * 1.1) / 2, centre + Math.max(wanted, (end - start) * 1.1) / 2);
    }
    if (lane < this.top() || lane >= this.top() + this.lanesSeen() - 1) this.scrollTo(Math.max(0, lane - this.lanesSeen() / 2));
  }

  // --- view ---

  plotHeight() { return Math.max(1, this.scroll.clientHeight - axis); }
  plotWidth() { return Math.max(1, this.scroll.clientWidth - gutter - 12); }
  lanesSeen() { return this.plotHeight() / this.height; }
  hidden() { return Math.max(0, this.layout.lanes - this.lanesSeen()); }
  /**
   * The lane at the upper edge, with a fraction. The element scrolls over all lanes, even if there
   * are more lanes than it can have pixels.
   */
  top() {
    const range = this.scroll.scrollHeight - this.scroll.clientHeight;
    return range <= 0 ? 0 : this.scroll.scrollTop / range * this.hidden();
  }
  /** Puts a lane at the upper edge. */
  scrollTo(lane) {
    this.#space();
    const range = this.scroll.scrollHeight - this.scroll.clientHeight;
    this.scroll.scrollTop = this.hidden() > 0 ? lane / this.hidden() * range : 0;
  }
  #space() {
    const high = this.scroll.clientHeight;
    this.space.style.height = `${Math.min(Math.max(0, this.layout.lanes * this.height + axis - high), mostHeight)}px`;
  }

  /** The height of the lanes so that all are visible if they can be. */
  #fit() {
    if (!this.options.fill) {
      const wanted = Math.min(this.layout.lanes * 22, Math.max(240, window.innerHeight * 0.6));
      this.scroll.style.height = `${Math.round(Math.max(120, wanted) + axis)}px`;
    }
    this.height = Math.min(Math.max(this.plotHeight() / Math.max(this.layout.lanes, 1), 1), 28);
  }

  /** Shows the time between two stamps in ms. `tell`: the charts of the page follow. */
  show(from, to, tell = true) {
    this.from = from;
    this.to = to;
    if (tell && this.ui.timeRange) {
      this.telling = true;
      this.ui.timeRange.set(from / 1000, to / 1000);
      this.telling = false;
    }
    this.redraw();
  }

  /** Shows the range that was chosen in another chart. */
  #follow(range) {
    if (this.telling) return;
    if (range === null) this.show(this.begin, this.begin + (this.longest - this.begin) * 1.02, false);
    else this.show(range[0] * 1000, range[1] * 1000, false);
  }

  /** Shows `factor` times as much time; `centre` keeps its place. */
  zoom(factor, centre = (this.from + this.to) / 2) {
    const width = Math.min(Math.max((this.to - this.from) * factor, 0.01), (this.longest - this.begin) * 4);
    const share = (centre - this.from) / (this.to - this.from);
    this.show(centre - share * width, centre - share * width + width);
  }

  /** Makes the lanes higher by a factor. */
  rowHeight(factor) {
    const first = this.top();
    this.height = Math.min(Math.max(this.height * factor, 1), 60);
    this.scrollTo(first);
    this.redraw();
  }

  /** Shows the whole time and, if they fit, all lanes. */
  all(tell = true) {
    this.#fit();
    this.scroll.scrollTop = 0;
    if (tell) this.ui.timeRange?.set(null);
    this.show(this.begin, this.begin + (this.longest - this.begin) * 1.02, false);
  }

  x(time) { return gutter + (time - this.from) / (this.to - this.from) * this.plotWidth(); }
  time(px) { return this.from + (px - gutter) / this.plotWidth() * (this.to - this.from); }

  // --- drawing ---

  redraw() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => this.draw());
  }

  colours() {
    const palette = this.ui.palette();
    return {wait: palette.line, queue: palette.muted, connect: palette.series[4], prefill: fixed.prefill,
      answer: palette.series[0], low: fixed.low, mid: fixed.mid, high: fixed.high, failed: palette.text};
  }

  scene() {
    return {rows: this.rows, limits: this.limits, layout: this.layout, shown: this.shown, waits: this.nested,
      from: this.from, to: this.to};
  }

  draw() {
    this.waiting = false;
    const began = performance.now();
    const wide = this.scroll.clientWidth;
    const high = this.scroll.clientHeight;
    if (wide === 0 || high === 0) return;
    this.drawnWidth = wide;
    this.drawnHeight = high;
    this.#space();
    const ratio = window.devicePixelRatio || 1;
    const {canvas} = this;
    canvas.width = Math.round(wide * ratio);
    canvas.height = Math.round(high * ratio);
    canvas.style.width = `${wide}px`;
    canvas.style.height = `${high}px`;
    const colours = this.colours();
    for (const swatch of this.legend.querySelectorAll(".lanes-swatch"))
      swatch.style.background = colours[KINDS[Number(swatch.dataset.kind)]];
    drawFrame(this, canvas.getContext("2d"), ratio, colours);
    // Tests and the bench read how long a drawing took.
    performance.measure("swim-lanes", {start: began});
  }

  // --- input ---

  /** The request, and its segment, at a place of the canvas; null: there is none. */
  at(px, py) {
    const lane = Math.floor(this.top() + py / this.height);
    if (px < gutter || py >= this.plotHeight() || lane < 0 || lane >= this.layout.lanes) return null;
    // two pixels on each side, so that narrow segments can be hit
    const reach = 2 * (this.to - this.from) / this.plotWidth();
    const when = this.time(px);
    const {requests, offsets} = this.layout;
    let best = null;
    for (let k = offsets[lane]; k < offsets[lane + 1]; ++k) {
      const row = requests[k];
      if (this.rows.start[row] > when + reach && this.rows.due[row] > when + reach) break;
      if (endOf(this.rows, row) < when - reach) continue;
      const segment = segmentAt(this.rows, row, this.limits, when, reach);
      if (segment !== null && this.shown[segment.kind]) best = {row, segment};
    }
    return best;
  }
}
