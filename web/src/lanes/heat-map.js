// Gaps by their place in the answer, on a canvas: each column is a range of places, and the colour of
// a cell is its share of the gaps of its column. So a drift along the answer shows although fewer
// answers reach later places.

const left = 64;
const bottom = 40;
const top = 6;
const right = 8;

/** A colour between two colours "#rrggbb"; share 0..1. */
export function blend(a, b, share) {
  const part = (at) => {
    const from = Number.parseInt(a.slice(at, at + 2), 16);
    const to = Number.parseInt(b.slice(at, at + 2), 16);
    return Math.round(from + (to - from) * share).toString(16).padStart(2, "0");
  };
  return `#${part(1)}${part(3)}${part(5)}`;
}

/** 1, 2 and 5 times powers of ten within a range. */
export function logTicks(low, high) {
  const out = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); ++power)
    for (const digit of [1, 2, 5]) {
      const tick = Number(`${digit}e${power}`);
      if (tick >= low && tick <= high) out.push(tick);
    }
  return out;
}

/**
 * The map in words: the median at its beginning and its end, and the gaps that have no cell because
 * events came together.
 */
export function wordsOf(map, {ms, count, percent}) {
  const {median, places, columns, together, requests} = map;
  const place = (column) => count(places[column]);
  let first = 0;
  while (first < median.length - 1 && !(median[first] > 0)) ++first;
  let last = median.length - 1;
  while (last > first && !(median[last] > 0)) --last;
  const half = Math.max(1, Math.floor(median.length / 2));
  const drift = !(median[first] > 0) ? "Most events came together with the event before them"
    : `The median gap is ${ms(median[first])} before event ${place(first)}` +
      (last >= half && last > first ? ` and ${ms(median[last])} before event ${place(last)}` : "");
  const sum = (list) => list.reduce((a, b) => a + b, 0);
  const short = sum(together);
  const most = together.indexOf(Math.max(...together));
  const to = places[most + 1] - 1;
  const where = to > places[most] ? `events ${place(most)} to ${count(to)}` : `event ${place(most)}`;
  const none = short === 0 ? "" : ` ${count(short)} of ${count(sum(columns))} gaps have no cell because events came together` +
    (together[most] > short / 2 ? `, most of them before ${where}` : "") +
    (median[most] === 0 ? ` (${percent(together[most] / columns[most])} of the gaps there)` : "") + ".";
  return `${drift}; n = ${count(requests)} ${requests === 1 ? "answer" : "answers"}.${none}`;
}

export class HeatMap {
  /** @param {ReturnType<typeof import("../analysis/gap-figures.js").gapMap>} map */
  constructor(parent, map, limits, ui, height = 280) {
    this.map = map;
    this.limits = limits;
    this.ui = ui;
    this.height = height;
    const {el} = ui;
    const button = (label, title, f) => el("button", {type: "button", class: "small", title, "aria-label": `${title}: gaps by place`, onclick: f}, label);
    this.canvas = el("canvas", {"aria-hidden": "true"});
    this.plot = el("div", {class: "heat-plot", role: "img", "aria-label": `Gaps by their place in the answer. ${this.words()}`}, this.canvas);
    this.readout = el("p", {class: "heat-readout muted"}, this.words());
    parent.append(el("figure", {class: "chart heat"},
      el("figcaption", {class: "chart-head"}, el("span", {class: "chart-title"}, "Gaps by their place in the answer"),
        el("span", {class: "chart-tools"}, button("PNG", "Save as PNG", () => this.png()), button("CSV", "Save as CSV", () => this.csv()))),
      this.plot, this.readout));
    this.canvas.addEventListener("pointermove", (event) => this.hover(event));
    this.canvas.addEventListener("pointerleave", () => { this.readout.textContent = this.words(); });
    ui.onTheme(() => this.draw());
    ui.onPrint?.(() => this.draw());
    new ResizeObserver(() => this.draw()).observe(this.plot);
  }

  /** The map in words: the median at its beginning and its end. */
  words() {
    return `${wordsOf(this.map, this.ui.format)} The line is the median; a stronger colour is a larger share of the gaps at that place.`;
  }

  x(place) { return left + (place - this.map.places[0]) / (this.map.places.at(-1) - this.map.places[0]) * (this.width - left - right); }
  y(gap) {
    const {edges} = this.map;
    const share = Math.log(gap / edges[0]) / Math.log(edges.at(-1) / edges[0]);
    return top + (1 - share) * (this.height - top - bottom);
  }

  draw() {
    this.width = this.plot.clientWidth;
    if (this.width < left + 40) return;
    const ratio = window.devicePixelRatio || 1;
    const {canvas, map} = this;
    canvas.width = Math.round(this.width * ratio);
    canvas.height = Math.round(this.height * ratio);
    canvas.style.width = `${this.width}px`;
    canvas.style.height = `${this.height}px`;
    const pen = canvas.getContext("2d");
    const palette = this.ui.palette();
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.fillStyle = palette.background;
    pen.fillRect(0, 0, this.width, this.height);
    const bins = map.edges.length - 1;
    for (let column = 0; column < map.columns.length; ++column) {
      const a = Math.round(this.x(map.places[column]));
      const b = Math.max(a + 1, Math.round(this.x(map.places[column + 1])));
      for (let bin = 0; bin < bins; ++bin) {
        const count = map.cells[column * bins + bin];
        if (count === 0) continue;
        const from = Math.round(this.y(map.edges[bin + 1]));
        const to = Math.max(from + 1, Math.round(this.y(map.edges[bin])));
        // The fourth root lets a single gap among thousands be seen.
        pen.fillStyle = blend(palette.background, palette.series[0], 0.12 + 0.88 * (count / map.columns[column]) ** 0.25);
        pen.fillRect(a, from, b - a, to - from);
      }
    }
    this.#axes(pen, palette);
  }

  #axes(pen, palette) {
    const {map} = this;
    const {number, count} = this.ui.format;
    pen.font = "11px system-ui, sans-serif";
    pen.textBaseline = "middle";
    pen.textAlign = "right";
    for (const tick of logTicks(map.edges[0], map.edges.at(-1))) {
      pen.fillStyle = palette.text;
      pen.fillText(number(tick), left - 8, this.y(tick));
      pen.fillRect(left - 5, this.y(tick), 4, 1);
    }
    pen.save();
    pen.translate(13, (this.height - bottom) / 2);
    pen.rotate(-Math.PI / 2);
    pen.textAlign = "center";
    pen.fillText("gap (ms)", 0, 0);
    pen.restore();
    pen.textAlign = "center";
    const last = map.places.at(-1);
    const step = [1, 2, 5].flatMap((d) => [0, 1, 2, 3, 4, 5].map((p) => d * 10 ** p)).sort((a, b) => a - b)
      .find((each) => last / each <= Math.max(3, this.width / 110)) ?? last;
    for (let place = Math.ceil(map.places[0] / step) * step; place <= last; place += step) {
      pen.fillText(count(place), this.x(place), this.height - bottom + 14);
      pen.fillRect(this.x(place), this.height - bottom, 1, 4);
    }
    pen.fillText("event of the answer", left + (this.width - left - right) / 2, this.height - 8);
    for (const [limit, colour] of [[this.limits[0], palette.muted], [this.limits[1], palette.bad]]) {
      if (limit <= map.edges[0] || limit >= map.edges.at(-1)) continue;
      pen.fillStyle = colour;
      for (let x = left; x < this.width - right; x += 10) pen.fillRect(x, this.y(limit), 6, 1.5);
    }
    pen.strokeStyle = palette.text;
    pen.lineWidth = 1.5;
    pen.beginPath();
    let drawing = false;
    for (let column = 0; column < map.columns.length; ++column) {
      if (!(map.median[column] > 0)) {
        drawing = false;
        continue;
      }
      const x = (this.x(map.places[column]) + this.x(map.places[column + 1])) / 2;
      if (drawing) pen.lineTo(x, this.y(map.median[column]));
      else pen.moveTo(x, this.y(map.median[column]));
      drawing = true;
    }
    pen.stroke();
  }

  hover(event) {
    const box = this.canvas.getBoundingClientRect();
    const {map} = this;
    const {ms, count, percent} = this.ui.format;
    const x = (event.clientX - box.left - left) / (this.width - left - right);
    const y = 1 - (event.clientY - box.top - top) / (this.height - top - bottom);
    if (x < 0 || x >= 1 || y < 0 || y >= 1) return;
    const column = Math.min(map.columns.length - 1, Math.floor(x * map.columns.length));
    const bins = map.edges.length - 1;
    const bin = Math.floor(y * bins);
    const cell = map.cells[column * bins + bin];
    const to = map.places[column + 1] - 1;
    const where = to > map.places[column] ? `before events ${count(map.places[column])} to ${count(to)}` : `before event ${count(to)}`;
    this.readout.textContent = `${where}: ${count(cell)} of ${count(map.columns[column])} gaps (${percent(cell / map.columns[column] || 0)}) ` +
      `are from ${ms(map.edges[bin])} to ${ms(map.edges[bin + 1])}; the median is ${ms(map.median[column])}.`;
  }

  png() {
    this.canvas.toBlob((blob) => this.ui.download("gaps-by-place.png", "image/png", blob), "image/png");
  }

  csv() {
    const {map} = this;
    const bins = map.edges.length - 1;
    const table = [["event from", "event to", "gap from (ms)", "gap to (ms)", "gaps"]];
    for (let column = 0; column < map.columns.length; ++column)
      for (let bin = 0; bin < bins; ++bin) {
        const count = map.cells[column * bins + bin];
        if (count > 0) table.push([map.places[column], map.places[column + 1] - 1, map.edges[bin], map.edges[bin + 1], count]);
      }
    this.ui.download("gaps-by-place.csv", "text/csv", this.ui.csv(table));
  }
}
