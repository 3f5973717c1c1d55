// A chart: uPlot keeps scales, axes, cursor and selection; the series are drawn here, so that the
// page, the PNG, the SVG and the print show the same drawing.
import uPlot from "uplot";

import {el} from "../el.js";
import {count} from "../format.js";
import {compose} from "./compose.js";
import {fillLegend, makeButtons} from "./head.js";
import {onKeys} from "./keys.js";
import {drawLabels} from "./labels.js";
import {drawLines, drawSeries, drawShadeNames, drawShades} from "./marks.js";
import {CanvasPen, SvgPen} from "./pens.js";
import {plotOptions} from "./plot-options.js";
import {makeReadout} from "./readout.js";
import {axisText, csvOf, inWords, normalise, rangeOfX, rangeOfY} from "./spec.js";

/** The most points of a chart that can be saved as SVG. */
export const svgLimit = 20_000;
// About the width between the margins of an A4 sheet in landscape (print.css), in CSS pixels; two
// charts of a grid lie beside each other.
const sheetWidth = 1000;
const wideWindow = 2400;
const penOf = (u) => new CanvasPen(u.ctx, uPlot.pxRatio);
let made = 0;

/** An own mapping of values to pixels: quicker than uPlot's for many points. */
function mapping(low, high, shape, offset, length, down) {
  const at = shape.to;
  const a = at(low),
    factor = length / (at(high) - a);
  return down
    ? (v) => offset + length - (at(v) - a) * factor
    : (v) => offset + (at(v) - a) * factor;
}

export class Chart {
  #u = null;
  #hidden = new Set();
  #range = null; // the x range shown; null: everything
  #drawn = [];
  #ends = [];
  #lastWidth = 0;

  /**
   * @param {HTMLElement} parent
   * @param {import("../index.js").ChartSpec} spec
   * @param {{theme: object, timeRange: object, download: Function}} page
   */
  constructor(parent, spec, page) {
    this.page = page;
    this.id = `chart-${++made}`;
    this.title = el("span", {class: "chart-title"});
    this.tools = el("span", {class: "chart-tools"});
    this.legend = el("div", {class: "legend"});
    this.plot = el("div", {
      class: "plot",
      tabindex: 0,
      role: "img",
      "aria-describedby": `${this.id}-words`,
    });
    this.words = el("p", {class: "for-readers", id: `${this.id}-words`});
    this.element = el(
      "figure",
      {class: "chart"},
      el("figcaption", {class: "chart-head"}, this.title, this.tools),
      this.legend,
      this.plot,
      this.words,
    );
    parent.append(this.element);
    Object.assign(this, makeButtons(this.tools, this));
    this.update(spec);
    this.#ends.push(page.theme.on(() => this.#recolour()));
    if (this.spec.x.time) this.#ends.push(page.timeRange.on((range) => this.#show(range)));
    this.#ends.push(onKeys(this.plot, this));
    const observer = new ResizeObserver(() => this.#resize());
    observer.observe(this.plot);
    this.#ends.push(() => observer.disconnect());
  }

  update(given) {
    this.spec = normalise(given);
    const spec = this.spec;
    if (innerWidth >= wideWindow) spec.height = Math.round(spec.height * 1.3);
    this.#hidden = new Set(spec.series.flatMap((series, i) => (series.hidden ? [i] : [])));
    this.full = rangeOfX(spec);
    // The heading of its section can be the title of an only chart.
    this.title.textContent = spec.untitled ? "" : spec.title;
    this.plot.setAttribute("aria-label", `${spec.title}. ${spec.label ?? ""}`);
    this.words.textContent = inWords(spec);
    this.svgButton.disabled = spec.points > svgLimit;
    this.svgButton.title = this.svgButton.disabled
      ? `Charts with more than ${count(svgLimit)} points can be saved as PNG and CSV only.`
      : "Save as SVG";
    this.#range = spec.x.time ? this.page.timeRange.get() : null;
    this.#fillLegend();
    this.#make();
  }

  /** The x range that is shown. */
  get x() {
    return this.#range ?? this.full;
  }

  zoom(a, b) {
    if (!(b > a)) return;
    if (this.spec.x.time) this.page.timeRange.set(a, b);
    else this.#show([a, b]);
  }

  reset() {
    if (this.spec.x.time) this.page.timeRange.set(null);
    else this.#show(null);
  }

  csv() {
    return this.spec.csv ? this.spec.csv() : csvOf(this.spec);
  }

  /** The chart with title and legend as the text of an SVG file. */
  svg() {
    const [width, height] = this.#outerSize();
    const pen = new SvgPen(width, height, this.spec.title);
    compose(pen, this, width, height);
    return pen.toString();
  }

  /** @returns {Promise<Blob>} */
  png() {
    const [width, height] = this.#outerSize();
    const canvas = document.createElement("canvas");
    const ratio = 2;
    canvas.width = width * ratio;
    canvas.height = height * ratio;
    const pen = new CanvasPen(canvas.getContext("2d"), ratio);
    pen.begin(0, 0, width, height);
    pen.ratio = 1;
    compose(pen, this, width, height);
    pen.end();
    return new Promise((done) => canvas.toBlob(done, "image/png"));
  }

  /** Puts a drawing of the width of a sheet in the place of the canvas, or takes it away. */
  print(on) {
    this.sheet?.remove();
    this.sheet = null;
    const width = !on
      ? this.#lastWidth || this.#width()
      : this.element.closest(".grid")
        ? sheetWidth / 2 - 10
        : sheetWidth;
    this.#u?.batch(() => this.#u.setSize({width, height: this.spec.height}));
    this.element.classList.toggle("printing", on);
    if (!on) return;
    const pen = new SvgPen(width, this.spec.height, this.spec.title);
    compose(pen, this, width, this.spec.height, false);
    // The pen escapes all texts, and scripts of a parsed document do not run.
    const parsed = new DOMParser().parseFromString(pen.toString(), "image/svg+xml").documentElement;
    this.sheet = document.importNode(parsed, true);
    this.sheet.removeAttribute("width");
    this.sheet.removeAttribute("height");
    this.plot.append(this.sheet);
  }

  destroy() {
    for (const end of this.#ends) end();
    this.#u?.destroy();
    this.element.remove();
  }

  /** Where values lie, `shift` pixels lower: see marks.js. */
  place(shift = 0) {
    const u = this.#u;
    const ratio = uPlot.pxRatio;
    const left = u.bbox.left / ratio,
      top = u.bbox.top / ratio + shift;
    const width = u.bbox.width / ratio,
      height = u.bbox.height / ratio;
    const toY = new Map(
      this.spec.y.map((axis) => {
        const [low, high] = this.rangesY.get(axis.scale);
        return [axis.scale, mapping(low, high, axis.own, top, height, true)];
      }),
    );
    return {
      left,
      top,
      width,
      height,
      x: this.x,
      toX: mapping(this.x[0], this.x[1], this.spec.x.own, left, width, false),
      toY: (value, scale) => (toY.get(scale) ?? toY.get(this.spec.y[0].scale))(value),
      colour: (name) => this.page.theme.colour(name),
    };
  }

  /** Ticks of the axes: [{side, ticks: [[value, text], ...]}]. */
  ticks() {
    return this.#u.axes.map((axis, i) => ({
      scale: axis.scale,
      side: axis.side,
      ticks: (axis._splits ?? [])
        .map((value, k) => [value, axis._values?.[k] ?? ""])
        .filter(([value]) => value !== null),
    }));
  }

  shown(index) {
    return !this.#hidden.has(index);
  }

  /** The drawn places of the points of all series: [{series, index, x, y}], without shift. */
  get drawn() {
    return this.#drawn;
  }

  /** Draws the shades: below the axes. */
  drawBelow(pen, plot) {
    pen.begin(plot.left, plot.top, plot.width, plot.height);
    drawShades(pen, plot, this.spec.shades);
    pen.end();
  }

  drawAbove(pen, plot) {
    const drawn = [];
    const named = [];
    pen.begin(plot.left - 3, plot.top - 3, plot.width + 6, plot.height + 6);
    this.spec.series.forEach((series, i) => {
      if (this.#hidden.has(i)) return;
      const coloured = {
        ...series,
        y: series.kind === "band" ? series.middle : series.y,
        colour: plot.colour(series.colourName),
      };
      const points = drawSeries(pen, plot, coloured, this.spec.thin);
      if (!series.quiet) for (const point of points) drawn.push({...point, series: i});
      if (series.labels)
        for (const {index, x, y} of points)
          if (series.labels[index]) named.push({x, y, text: series.labels[index]});
    });
    drawLabels(pen, plot, named);
    drawLines(pen, plot, this.spec.lines);
    drawShadeNames(pen, plot, this.spec.shades);
    pen.end();
    return drawn;
  }

  #show(range) {
    const [low, high] = this.full;
    // A zoom further out than the data shows everything.
    this.#range =
      range && (range[0] > low || range[1] < high)
        ? [Math.max(low, range[0]), Math.min(high, range[1])]
        : null;
    if (this.#range && !(this.#range[1] > this.#range[0])) this.#range = range;
    this.#rescale();
  }

  #rescale() {
    this.#computeY();
    this.#u.setScale("x", {min: this.x[0], max: this.x[1]});
    this.#u.setSelect({left: 0, top: 0, width: 0, height: 0}, false);
    this.resetButton.hidden = this.#range === null;
  }

  #computeY() {
    this.rangesY = new Map(
      this.spec.y.map((axis) => [axis.scale, rangeOfY(this.spec, axis, this.x, this.#hidden)]),
    );
  }

  #make() {
    this.#u?.destroy();
    const {spec} = this;
    this.#computeY();
    const options = plotOptions(spec, {
      width: this.#width(),
      colour: (name) => () => this.page.theme.colour(name),
      rangeX: () => this.x,
      rangeY: (scale) => this.rangesY.get(scale),
      below: (u) => this.drawBelow(penOf(u), this.#placeOf(u)),
      above: (u) => this.#drawOver(u),
      selected: (from, to) => this.zoom(from, to),
      reset: () => this.reset(),
    });
    const [a, b] = this.full;
    this.#u = new uPlot(options, [[a, b], ...spec.y.map(() => [null, null])], this.plot);
    this.readout = makeReadout(this, this.#u);
    this.#u.over.addEventListener("wheel", (event) => this.#wheel(event), {passive: false});
    this.resetButton.hidden = this.#range === null;
  }

  #drawOver(u) {
    const plot = this.#placeOf(u);
    this.#drawn = this.drawAbove(penOf(u), plot);
    const pen = penOf(u);
    pen.begin(0, 0, u.width, u.height);
    this.axisNames(pen, plot, u.width, u.height);
    pen.end();
  }

  /** place(), also while uPlot's constructor is still running. */
  #placeOf(u) {
    this.#u ??= u;
    return this.place();
  }

  /** Names of the axes: y above the axis, x at the right below. */
  axisNames(pen, plot, width, height) {
    const muted = this.page.theme.colour("muted");
    pen.text(4, plot.top - 9, axisText(this.spec.y[0]), muted);
    if (this.spec.y[1])
      pen.text(width - 4, plot.top - 9, axisText(this.spec.y[1]), muted, {align: "right"});
    pen.text(plot.left + plot.width, plot.top + plot.height + 31, axisText(this.spec.x), muted, {
      align: "right",
    });
  }

  #wheel(event) {
    if (!event.ctrlKey) return; // without it the page scrolls
    event.preventDefault();
    const at = this.#u.posToVal(event.offsetX, "x");
    this.scaleBy(event.deltaY < 0 ? 0.7 : 1 / 0.7, at);
  }

  /** Zooms by `factor` around the x value `at` (default: the middle). */
  scaleBy(factor, at) {
    const {to, from} = this.spec.x.own;
    const [a, b] = this.x.map(to),
      middle = at === undefined ? (a + b) / 2 : to(at);
    const low = middle - (middle - a) * factor,
      high = middle + (b - middle) * factor;
    if (low <= to(this.full[0]) && high >= to(this.full[1])) this.reset();
    else this.zoom(from(Math.max(low, to(this.full[0]))), from(Math.min(high, to(this.full[1]))));
  }

  /** Moves the shown range by a share of its width. */
  pan(share) {
    const {to, from} = this.spec.x.own;
    const [a, b] = this.x.map(to),
      [low, high] = this.full.map(to);
    const step = Math.max(low - a, Math.min(high - b, share * (b - a)));
    if (step !== 0) this.zoom(from(a + step), from(b + step));
  }

  #width() {
    return Math.max(160, Math.floor(this.plot.clientWidth) || 640);
  }

  #resize() {
    const width = this.#width();
    if (width === this.#lastWidth || this.sheet || this.plot.clientWidth === 0) return;
    this.#lastWidth = width;
    this.#u.setSize({width, height: this.spec.height});
  }

  #outerSize() {
    return [Math.max(this.#u.width, 480), this.spec.height + 30 + (this.spec.legend ? 20 : 0)];
  }

  #recolour() {
    this.#fillLegend();
    this.#u.redraw(false, true);
  }

  #fillLegend() {
    fillLegend(this.legend, this, (i) => {
      const hide = !this.#hidden.has(i);
      this.spec.series.forEach((series, k) => {
        if (k !== i && series.partOf !== i) return;
        if (hide) this.#hidden.add(k);
        else this.#hidden.delete(k);
      });
      this.#rescale();
    });
  }
}
