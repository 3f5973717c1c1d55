// The shapes of axes: where equal distances look equal, and which values have a place.
import {logTicks, sqrtTicks, symlogTicks} from "./ticks.js";

// symlog as in matplotlib by default: base 10, linear up to 2, the linear part as long as a decade.
const linearUpTo = 2;
const stretch = 1 / (1 - 1 / 10);

const toSymlog = (v) => {
  const size = Math.abs(v);
  if (size <= linearUpTo) return v * stretch;
  return Math.sign(v) * linearUpTo * (stretch + Math.log10(size / linearUpTo));
};
const fromSymlog = (v) => {
  const size = Math.abs(v);
  if (size <= linearUpTo * stretch) return v / stretch;
  return Math.sign(v) * linearUpTo * 10 ** (size / linearUpTo - stretch);
};

/**
 * @typedef {object} Shape
 * @property {(value: number) => number} to
 * @property {(value: number) => number} from  the inverse of `to`
 * @property {(value: number) => boolean} has  whether a finite value has a place
 * @property {((low: number, high: number, most: number) => number[])|null} ticks  null: uPlot's
 * @property {number} distr  uPlot's number: 1 linear, 3 logarithmic, 100 with `to` and `from`
 */

/** @type {Record<string, Shape>} */
const shapes = {
  linear: {to: (v) => v, from: (v) => v, has: () => true, ticks: null, distr: 1},
  log: {
    to: (v) => (v > 0 ? Math.log10(v) : NaN),
    from: (v) => 10 ** v,
    has: (v) => v > 0,
    ticks: logTicks,
    distr: 3,
  },
  symlog: {to: toSymlog, from: fromSymlog, has: () => true, ticks: symlogTicks, distr: 100},
  sqrt: {
    to: (v) => (v >= 0 ? Math.sqrt(v) : NaN),
    from: (v) => Math.max(0, v) ** 2,
    has: (v) => v >= 0,
    ticks: sqrtTicks,
    distr: 100,
  },
};

/** The shape of an axis: its `shape`, or `log: true`. */
export const shapeOf = (axis) => shapes[axis.shape ?? (axis.log ? "log" : "linear")] ?? shapes.linear;
