// The visible lanes as SVG, for print and slides.

import {forEachSegment, KIND} from "../analysis/segments.js";
import {endOf} from "../analysis/status.js";
import {firstFrom} from "./painter.js";

export const MOST_SHAPES = 20_000;

/**
 * @param {import("./painter.js").Scene} scene
 * @param {{first: number, count: number, height: number, width: number, colours: string[], text: string,
 *   background: string, ticks: {at: number, label: string}[]}} how
 * @returns {string | null} null: there are more than MOST_SHAPES segments
 */
export function laneSvg(scene, {first, count, height, width, colours, text, background, ticks}) {
  const {rows, layout, limits, from, to, shown} = scene;
  const whole = count * height + 24;
  const x = (time) => Math.min(width, Math.max(0, (time - from) / (to - from) * width));
  const parts = [`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${whole}" viewBox="0 0 ${width} ${whole}">`,
    `<rect width="${width}" height="${whole}" fill="${background}"/>`];
  let shapes = 0;
  for (let lane = first; lane < Math.min(layout.lanes, first + count); ++lane) {
    const y = (lane - first) * height + height * 0.1;
    const begin = firstFrom(rows, layout.requests, layout.offsets[lane], layout.offsets[lane + 1], from);
    for (let k = begin; k < layout.offsets[lane + 1]; ++k) {
      const i = layout.requests[k];
      if (rows.start[i] > to) break;
      if (endOf(rows, i) < from) continue;
      forEachSegment(rows, i, limits, (kind, a, b) => {
        if (b < from || a > to || !shown[kind]) return false;
        const thin = kind === KIND.queue;
        parts.push(`<rect x="${x(a).toFixed(2)}" y="${(y + (thin ? height * 0.2 : 0)).toFixed(2)}" ` +
          `width="${Math.max(0.2, x(b) - x(a)).toFixed(2)}" height="${(height * (thin ? 0.4 : 0.8)).toFixed(2)}" fill="${colours[kind]}"/>`);
        return ++shapes > MOST_SHAPES;
      });
      if (shapes > MOST_SHAPES) return null;
    }
  }
  for (const {at, label} of ticks)
    parts.push(`<text x="${x(at).toFixed(1)}" y="${whole - 8}" fill="${text}" font-family="sans-serif" font-size="12" ` +
      `text-anchor="middle">${label}</text>`);
  parts.push("</svg>");
  return parts.join("\n");
}
