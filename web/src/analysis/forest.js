// The scale of a forest plot: ratios with their intervals around 1, on a logarithmic axis.
import {ratioTicks} from "./side-by-side.js";

const positive = (v) => v > 0 && Number.isFinite(v);

function median(values) {
  const by = [...values].sort((a, b) => a - b);
  return by.length === 0 ? 0 : by[Math.floor((by.length - 1) / 2)];
}

/**
 * The end of the axis, above 1; the other end is its inverse. Each ratio is on the axis. Intervals that
 * are much wider than the others are cut, because they would flatten the others.
 * @param {{value: number, low: number, high: number}[]} ratios
 * @param {number} margin  differences up to this share count as none; NaN: there is no margin
 */
export function endOf(ratios, margin) {
  const far = (v) => positive(v) ? Math.abs(Math.log(v)) : 0;
  const intervals = ratios.map(({low, high}) => Math.max(far(low), far(high))).filter((each) => each > 0);
  const most = Math.max(0, ...ratios.map(({value}) => far(value)), margin > 0 ? 2 * Math.log1p(margin) : 0,
    Math.min(Math.max(0, ...intervals), 3 * median(intervals)));
  return Math.exp(1.1 * (most > 0 ? most : Math.log(1.1)));
}

/**
 * Places of a ratio and its interval as shares of the width; null: the ratio is not known.
 * @param {{value: number, low: number, high: number}} ratio
 * @param {number} end  of endOf
 * @returns {{at: number, from: number, to: number, cutLow: boolean, cutHigh: boolean} | null}
 */
export function placesOf({value, low, high}, end) {
  if (!positive(value)) return null;
  const place = (v) => Math.min(1, Math.max(0, 0.5 + Math.log(v) / Math.log(end) / 2));
  const [a, b] = [low >= 0 ? low : value, high > 0 ? high : value];
  return {at: place(value), from: place(a), to: place(b), cutLow: a < 1 / end, cutHigh: b > end};
}

/** The margin as shares of the width, or null. */
export function marginOf(margin, end) {
  if (!(margin > 0)) return null;
  const half = Math.min(0.5, Math.log1p(margin) / Math.log(end) / 2);
  return {from: 0.5 - half, to: 0.5 + half};
}

/** Three ticks: the last on each side, and 1. @returns {{value: number, at: number}[]} */
export function ticksOf(end) {
  const all = ratioTicks(1 / end, end);
  const last = all[all.length - 1];
  const shown = last > 1 ? [1 / last, 1, last] : [1];
  return shown.map((value) => ({value, at: placesOf({value, low: value, high: value}, end).at}));
}
