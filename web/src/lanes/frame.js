// Draws the visible part of the swim lanes: time axis, bars, names, and the selected request.

import {niceStep} from "../analysis/error-counts.js";
import {KINDS} from "../analysis/segments.js";
import {endOf} from "../analysis/status.js";
import {clock} from "./details.js";
import {LanePainter, pixelOf} from "./painter.js";
import {gutter} from "./sizes.js";

/** @typedef {import("./swim-lanes.js").SwimLanes} SwimLanes */

/** The times that the axis names, in ms. */
export function ticksOf(lanes) {
  const out = [];
  const unit = niceStep(lanes.to - lanes.from, Math.max(2, lanes.plotWidth() / 140));
  for (let k = Math.ceil(lanes.from / unit); k * unit <= lanes.to && out.length < 100; ++k) out.push(k * unit);
  return out;
}

function drawGrid(lanes, pen, palette) {
  pen.font = "12px system-ui, sans-serif";
  pen.textBaseline = "alphabetic";
  pen.textAlign = "center";
  for (const tick of ticksOf(lanes)) {
    pen.fillStyle = palette.grid;
    pen.fillRect(lanes.x(tick), 0, 1, lanes.plotHeight());
    pen.fillStyle = palette.text;
    pen.fillText(tickText(lanes, tick), lanes.x(tick), lanes.plotHeight() + 16);
  }
  pen.fillText("time of the run", gutter + lanes.plotWidth() / 2, lanes.plotHeight() + 36);
}

/** The name of a time on the axis. */
export function tickText(lanes, tick) {
  return lanes.to - lanes.from < 20 ? `${clock(tick)} + ${(tick - Math.floor(tick)).toFixed(2)} ms` : clock(tick);
}

function drawBars(lanes, pen, ratio, colours) {
  const width = Math.max(1, Math.round(lanes.plotWidth() * ratio));
  const rowsOf = Math.max(1, Math.round(lanes.plotHeight() * ratio));
  const image = new ImageData(width, rowsOf);
  const pixels = new Uint32Array(image.data.buffer);
  const table = Uint32Array.from(KINDS, (name) => pixelOf(colours[name]));
  const painter = new LanePainter(width);
  const scene = lanes.scene();
  const first = lanes.top();
  const bar = lanes.height * ratio;
  for (let lane = Math.floor(first); lane < Math.min(lanes.layout.lanes, first + lanes.lanesSeen() + 1); ++lane) {
    painter.lane(scene, lane);
    const top = Math.round((lane - first) * bar + (bar > 3 ? bar * 0.1 : 0));
    painter.copy(pixels, width, 0, top, Math.max(1, Math.round(bar > 3 ? bar * 0.8 : bar)), table);
  }
  // A second canvas, because putImageData would wipe out the grid behind the bars.
  lanes.bars ??= document.createElement("canvas");
  lanes.bars.width = width;
  lanes.bars.height = rowsOf;
  lanes.bars.getContext("2d").putImageData(image, 0, 0);
  pen.drawImage(lanes.bars, gutter, 0, width / ratio, rowsOf / ratio);
}

function drawNames(lanes, pen, palette) {
  const first = lanes.top();
  const each = Math.max(1, Math.ceil(14 / lanes.height));
  pen.fillStyle = palette.text;
  pen.textAlign = "right";
  pen.textBaseline = "middle";
  pen.save();
  pen.beginPath();
  pen.rect(0, 0, gutter, lanes.plotHeight());
  pen.clip();
  for (let lane = Math.floor(first); lane < Math.min(lanes.layout.lanes, first + lanes.lanesSeen() + 1); ++lane)
    if (lane % each === 0 && (lane - first + 0.5) * lanes.height >= 5)
      pen.fillText(laneName(lanes, lane), gutter - 8, (lane - first + 0.5) * lanes.height);
  pen.restore();
  pen.textBaseline = "alphabetic";
}

function laneName(lanes, lane) {
  if (lanes.packed && lanes.order === "start") return `lane ${lane + 1}`;
  const row = lanes.layout.requests[lanes.layout.offsets[lane]];
  const session = lanes.nested && lanes.rows.session[row] >= 0 ? lanes.sessionNames[lanes.rows.session[row]] : undefined;
  return session ?? `Req ${lanes.rows.sequence[row]}`;
}

/** A frame around the selected request. */
function drawMark(lanes, pen, palette) {
  const lane = lanes.selected < 0 ? -1 : lanes.layout.lane[lanes.selected];
  if (lane < 0) return;
  const start = Math.min(lanes.rows.due[lanes.selected], lanes.rows.start[lanes.selected]);
  const left = Math.max(gutter - 1, lanes.x(start) - 2);
  const right = Math.min(lanes.scroll.clientWidth - 10, lanes.x(endOf(lanes.rows, lanes.selected)) + 2);
  const y = (lane - lanes.top()) * lanes.height;
  if (right < gutter || left > lanes.scroll.clientWidth || y + lanes.height < 0 || y > lanes.plotHeight()) return;
  pen.strokeStyle = palette.text;
  pen.lineWidth = 2;
  pen.strokeRect(left, y - 1, Math.max(4, right - left), Math.max(4, lanes.height) + 2);
}

/**
 * @param {SwimLanes} lanes
 * @param {CanvasRenderingContext2D} pen
 * @param {number} ratio  pixels of the device for each CSS pixel
 * @param {Record<string, string>} colours  of each kind of segment
 */
export function drawFrame(lanes, pen, ratio, colours) {
  const palette = lanes.ui.palette();
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.fillStyle = palette.background;
  pen.fillRect(0, 0, lanes.scroll.clientWidth, lanes.scroll.clientHeight);
  drawGrid(lanes, pen, palette);
  drawBars(lanes, pen, ratio, colours);
  drawNames(lanes, pen, palette);
  drawMark(lanes, pen, palette);
  if (lanes.layout.lanes > 0) return;
  pen.fillStyle = palette.muted;
  pen.textAlign = "center";
  pen.fillText(lanes.rows.count === 0 ? "No request was sent." : "No request matches.", lanes.scroll.clientWidth / 2,
    lanes.plotHeight() / 2);
}
