// What the swim lanes save: PNG, SVG and CSV.

import {KINDS} from "../analysis/segments.js";
import {ticksOf, tickText} from "./frame.js";
import {laneSvg} from "./scene-svg.js";

/** The visible lanes as an image. */
export function savePng(lanes) {
  lanes.draw();
  lanes.canvas.toBlob((blob) => lanes.ui.download("requests.png", "image/png", blob), "image/png");
}

/** The visible lanes as vectors. */
export function saveSvg(lanes) {
  const colours = lanes.colours();
  const palette = lanes.ui.palette();
  const text = laneSvg(lanes.scene(), {first: Math.floor(lanes.top()), count: Math.ceil(lanes.lanesSeen()), height: lanes.height,
    width: lanes.plotWidth(), colours: KINDS.map((name) => colours[name]), text: palette.text, background: palette.background,
    ticks: ticksOf(lanes).map((at) => ({at, label: tickText(lanes, at)}))});
  if (text === null) lanes.found.textContent = "More than 20,000 shapes are visible: zoom in, or take the PNG.";
  else lanes.ui.download("requests.svg", "image/svg+xml", text);
}

/** The times of the requests that are shown. */
export function saveCsv(lanes) {
  const {rows, run} = lanes;
  const shown = lanes.layout.requests;
  const text = (list, at) => (at >= 0 ? run.strings[list]?.[at] ?? "" : "");
  const number = (value) => (value === value ? value : "");
  const table = [["number", "session", "turn", "class", "server", "status", "http_status", "due_ms", "start_ms", "sent_ms",
    "first_byte_ms", "first_ms", "first_text_ms", "last_ms", "end_ms", "ttft_ms", "tpot_ms", "e2el_ms", "longest_gap_ms",
    "input_tokens", "output_tokens", "finish_reason", "error"]];
  for (const i of shown) {
    table.push([rows.sequence[i], text("session", rows.session[i]), rows.turn[i], text("class", rows.klass[i]),
      text("server", rows.server[i]), rows.ok(i) ? "ok" : "failed", rows.http[i],
      ...[rows.due, rows.start, rows.sent, rows.firstByte, rows.first, rows.firstText, rows.last, rows.end, rows.ttft,
        rows.tpot, rows.e2el, rows.longestGap].map((values) => number(values[i])),
      rows.input[i], rows.output[i], text("finish_reason", rows.finish[i]), text("error", rows.error[i])]);
  }
  lanes.ui.download("requests.csv", "text/csv", lanes.ui.csv(table));
}
