// The row of a forest plot in a cell of a table: a ratio with its interval around 1.
import {marginOf, placesOf, ticksOf} from "../analysis/forest.js";

const width = 180;
const height = 18;
const inset = 6;
const x = (share) => Math.round((inset + share * (width - 2 * inset)) * 100) / 100;

const frame = (el, name, ...parts) => el("svg:svg", {class: `forest ${name}`, viewBox: `0 0 ${width} ${height}`, width, height,
  "aria-hidden": "true"}, parts);

/** The margin, and the line of equal values. */
function ground(el, margin, end) {
  const shade = marginOf(margin, end);
  return [shade === null ? null : el("svg:rect", {class: "margin", x: x(shade.from), y: 0,
    width: Math.round((x(shade.to) - x(shade.from)) * 100) / 100, height}),
  el("svg:line", {class: "equal", x1: x(0.5), y1: 0, x2: x(0.5), y2: height})];
}

/** An arrow head at an end of the drawing: the interval goes on. */
const arrow = (el, at, direction) => {
  const [tip, back] = [x(at) + 5 * direction, x(at) - 2 * direction];
  return el("svg:path", {class: "cut", d: `M${tip} ${height / 2}L${back} ${height / 2 - 4}L${back} ${height / 2 + 4}Z`});
};

/**
 * The drawing says nothing that the text beside it does not say, so it is hidden from readers of the page's words.
 * @param {import("../ui/index.js").Ui} ui
 * @param {{value: number, low: number, high: number}} ratio
 * @param {number} margin  as a share; NaN: none
 * @param {number} end  of analysis/forest.js
 * @param {string} kind  "good", "warn", "bad", "same" or ""
 */
export function forestRow(ui, ratio, margin, end, kind) {
  const {el} = ui;
  const places = placesOf(ratio, end);
  if (places === null) return frame(el, "", ground(el, margin, end));
  const {at, from, to, cutLow, cutHigh} = places;
  return frame(el, kind, ground(el, margin, end),
    to > from ? el("svg:line", {class: "interval", x1: x(from), y1: height / 2, x2: x(to), y2: height / 2}) : null,
    cutLow ? arrow(el, 0, -1) : null, cutHigh ? arrow(el, 1, 1) : null,
    el("svg:circle", {class: "value", cx: x(at), cy: height / 2, r: 4}));
}

/** The texts of the axis above the rows. */
export function forestAxis(ui, end) {
  const {el, format} = ui;
  return frame(el, "axis", ticksOf(end).map(({value, at}) =>
    el("svg:text", {x: Math.min(width - 18, Math.max(18, x(at))), y: 13, "text-anchor": "middle"},
      `${format.number(Number(value.toPrecision(2)))}×`)));
}
