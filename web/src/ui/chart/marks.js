// Draws the series, shades and lines of a chart with a pen.
import {thinLine, thinPoints, visible} from "./thin.js";

const shadeAlpha = {warmup: 0.1, drain: 0.1, note: 0.1, steady: 0.09, bad: 0.14, warn: 0.14};
const shadeColour = {
  warmup: "muted",
  drain: "muted",
  note: "muted",
  steady: "good",
  bad: "bad",
  warn: "warn",
};
const lineColour = {goal: "bad", bad: "bad", good: "good", note: "muted"};
const every = (begin, end) => Array.from({length: end - begin}, (_, i) => begin + i);

/**
 * The plot: where values lie in CSS pixels.
 * @typedef {object} Plot
 * @property {number} left
 * @property {number} top
 * @property {number} width
 * @property {number} height
 * @property {[number, number]} x  the range shown
 * @property {(value: number) => number} toX
 * @property {(value: number, scale: string) => number} toY
 * @property {(name: string|undefined, index?: number) => string} colour
 * @property {string} text  the colour of texts
 */

/** The visible part of a shade in pixels, or null. */
function span(plot, shade) {
  const a = Math.max(plot.left, plot.toX(Math.max(shade.from, plot.x[0])));
  const b = Math.min(plot.left + plot.width, plot.toX(Math.min(shade.to, plot.x[1])));
  return b > a ? [a, b] : null;
}

/** Spans of the x axis. */
export function drawShades(pen, plot, shades) {
  for (const shade of shades) {
    const found = span(plot, shade);
    if (found === null) continue;
    const [a, b] = found;
    const colour = plot.colour(shadeColour[shade.kind] ?? "muted");
    pen.fill(
      [[a, plot.top, b, plot.top, b, plot.top + plot.height, a, plot.top + plot.height]],
      colour,
      shadeAlpha[shade.kind] ?? 0.1,
    );
    if (shade.kind === "steady")
      pen.lines(
        [
          [a, plot.top, a, plot.top + plot.height],
          [b, plot.top, b, plot.top + plot.height],
        ],
        colour,
        1,
        [3, 3],
        0.6,
      );
  }
}

/** Names of the spans at the top, where there is room. */
export function drawShadeNames(pen, plot, shades) {
  let free = -Infinity;
  for (const shade of shades) {
    const found = span(plot, shade);
    const room = (shade.label ?? "").length * 6 + 8;
    if (!shade.label || found === null || found[1] - found[0] < room || found[0] < free) continue;
    pen.text(found[0] + 5, plot.top + 13, shade.label, plot.colour("text"), {
      halo: plot.colour("background"),
    });
    free = found[0] + room;
  }
}

export function drawLines(pen, plot, lines) {
  let row = 0;
  for (const line of lines) {
    const colour = plot.colour(lineColour[line.kind] ?? "muted");
    if (line.x !== undefined) {
      const x = plot.toX(line.x);
      if (!(x >= plot.left && x <= plot.left + plot.width)) continue;
      pen.lines([[x, plot.top, x, plot.top + plot.height]], colour, 1.5, [6, 4]);
      const right = x > plot.left + plot.width * 0.7;
      pen.text(right ? x - 4 : x + 4, plot.top + 13 + 13 * (row++ % 3), line.label, colour, {
        align: right ? "right" : "left",
        weight: "bold",
        halo: plot.colour("background"),
      });
    } else {
      const y = plot.toY(line.y, line.scale ?? "y");
      if (!(y >= plot.top && y <= plot.top + plot.height)) continue;
      pen.lines([[plot.left, y, plot.left + plot.width, y]], colour, 1.5, [6, 4]);
      // Below the names of the shades, if the line lies on them.
      const base = y < plot.top + 28 ? Math.max(y + 12, plot.top + 27) : y - 4;
      pen.text(plot.left + plot.width - 4, base, line.label, colour, {
        align: "right",
        weight: "bold",
        halo: plot.colour("background"),
      });
    }
  }
}

/** Polylines through the points of a line; gaps end a polyline. A point alone becomes a dot. */
function polylines(kept, x, y, toX, toY, steps, before) {
  const lines = [],
    dots = [];
  let line = [];
  const flush = () => {
    if (line.length === 2) dots.push(line[0], line[1]);
    else if (line.length) lines.push(line);
    line = [];
  };
  for (const i of kept) {
    const px = toX(x[i]),
      py = Number.isFinite(y[i]) ? toY(y[i]) : NaN;
    if (steps && line.length && Number.isFinite(px)) {
      if (!before) line.push(px, line[line.length - 1]);
      else if (Number.isFinite(py)) line.push(line[line.length - 2], py);
    }
    if (!Number.isFinite(px) || !Number.isFinite(py)) {
      flush();
      continue;
    }
    line.push(px, py);
  }
  flush();
  return {lines, dots};
}

function drawLine(pen, plot, series, thin) {
  const {x, y} = series;
  const [begin, end] = visible(x, plot.x[0], plot.x[1]);
  const toY = (value) => plot.toY(value, series.scale);
  const column = (i) => Math.floor(plot.toX(x[i]));
  const steps = series.kind === "steps";
  const kept = thin ? thinLine(y, begin, end, column) : every(begin, end);
  const {lines, dots} = polylines(kept, x, y, plot.toX, toY, steps, series.hold === "before");
  pen.lines(lines, series.colour, series.width ?? 1.5, series.dash);
  pen.markers(dots, "dot", Math.max(4, (series.width ?? 1.5) * 2), series.colour);
}

/** The height of the lower end of a band: the end of the axis, if the scale has no place for it. */
function lowerEnd(plot, series, i) {
  const place = plot.toY(series.lower[i], series.scale);
  const below = !Number.isFinite(place) && series.lower[i] < series.upper[i];
  return below ? plot.top + plot.height : place;
}

function drawBand(pen, plot, series, thin) {
  const {x, upper} = series;
  const [begin, end] = visible(x, plot.x[0], plot.x[1]);
  const polygons = [];
  let above = [],
    below = [];
  const flush = () => {
    if (above.length === 2) {
      // one point alone becomes a short bar
      const [px, py] = above;
      polygons.push([px - 1.5, py, px + 1.5, py, px + 1.5, below[1], px - 1.5, below[1]]);
    } else if (above.length) {
      const back = [];
      for (let k = below.length - 2; k >= 0; k -= 2) back.push(below[k], below[k + 1]);
      polygons.push(above.concat(back));
    }
    ((above = []), (below = []));
  };
  let column = NaN,
    low = 0,
    high = 0,
    at = 0;
  const push = () => {
    if (Number.isNaN(column)) return;
    above.push(at, high);
    below.push(at, low);
    column = NaN;
  };
  for (let i = begin; i < end; ++i) {
    const px = plot.toX(x[i]);
    const top = plot.toY(upper[i], series.scale),
      bottom = lowerEnd(plot, series, i);
    if (!Number.isFinite(px) || !Number.isFinite(top) || !Number.isFinite(bottom)) {
      push();
      flush();
      continue;
    }
    const place = thin ? Math.floor(px) : i;
    if (place !== column) {
      push();
      ((column = place), (at = px), (low = bottom), (high = top));
    }
    low = Math.max(low, bottom);
    high = Math.min(high, top);
  }
  push();
  flush();
  pen.fill(polygons, series.colour, 0.2);
  if (series.y) drawLine(pen, plot, {...series, kind: "line"}, thin);
}

function drawBars(pen, plot, series) {
  const {x, y} = series;
  const polygons = [];
  const zero = Math.min(plot.top + plot.height, plot.toY(0, series.scale) || Infinity);
  const floor = Number.isFinite(zero) ? zero : plot.top + plot.height;
  for (let i = 0; i < y.length; ++i) {
    const right = series.x1
      ? series.x1[i]
      : i + 1 < x.length
        ? x[i + 1]
        : x[i] + (i > 0 ? x[i] - x[i - 1] : 1);
    if (!(y[i] !== 0) || right < plot.x[0] || x[i] > plot.x[1]) continue;
    const base = series.base?.[i] ?? 0;
    const a = plot.toX(x[i]),
      b = plot.toX(right),
      top = plot.toY(base + y[i], series.scale);
    if (!Number.isFinite(top)) continue;
    const left = Number.isFinite(a) ? a : plot.left;
    const gap = b - left > 5 ? 1 : 0;
    const until = Math.max(left + 1, b - gap);
    const bottom = base > 0 ? plot.toY(base, series.scale) : floor;
    polygons.push([left, top, until, top, until, bottom, left, bottom]);
  }
  pen.fill(polygons, series.colour, 0.85);
}

/** @returns the points that were drawn, for the readout: [{index, x, y}] */
function drawPoints(pen, plot, series, thin) {
  const {x, y} = series;
  const size = series.width ?? (y.length > 3000 ? 2.5 : y.length > 300 ? 4 : 6);
  const px = (i) => plot.toX(x[i]);
  const py = (i) => plot.toY(y[i], series.scale);
  const cell = thin ? Math.max(1, size / 3) : 0.01;
  const seen = thin
    ? thinPoints(
        y.length,
        (i) => px(i) - plot.left,
        (i) => py(i) - plot.top,
        plot.width,
        plot.height,
        cell,
      )
    : {indices: Uint32Array.from(every(0, y.length)), counts: new Uint32Array(y.length).fill(1)};
  if (series.lower && series.upper) {
    const bars = [];
    for (const i of seen.indices) {
      const a = lowerEnd(plot, series, i),
        b = plot.toY(series.upper[i], series.scale);
      if (!Number.isFinite(a) || !Number.isFinite(b)) continue;
      bars.push([px(i), a, px(i), b], [px(i) - 4, a, px(i) + 4, a], [px(i) - 4, b, px(i) + 4, b]);
    }
    pen.lines(bars, series.colour, 1.25);
  }
  // Dots that stand alone are never faint; places with many points are darker.
  const levels = [[], [], []];
  const drawn = [];
  for (let k = 0; k < seen.indices.length; ++k) {
    const i = seen.indices[k];
    const a = px(i),
      b = py(i);
    if (!Number.isFinite(a) || !Number.isFinite(b)) continue;
    levels[seen.counts[k] > 7 ? 2 : seen.counts[k] > 1 ? 1 : 0].push(a, b);
    drawn.push({index: i, x: a, y: b});
  }
  const dense = y.length > 3000;
  levels.forEach((places, level) =>
    pen.markers(
      places,
      series.marker ?? "dot",
      size,
      series.colour,
      dense ? [0.55, 0.8, 1][level] : 0.85,
    ),
  );
  return drawn;
}

/**
 * Draws one series, whose colour has been resolved. Points off the plot are left out.
 * @returns {{index: number, x: number, y: number}[]} the drawn places of points
 */
export function drawSeries(pen, plot, series, thin) {
  switch (series.kind) {
    case "points":
      return drawPoints(pen, plot, series, thin);
    case "band":
      drawBand(pen, plot, series, thin);
      return [];
    case "bars":
      drawBars(pen, plot, series);
      return [];
    default:
      drawLine(pen, plot, series, thin);
      return [];
  }
}
