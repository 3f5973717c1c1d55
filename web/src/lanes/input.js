// Pointer, wheel and keyboard of the swim lanes.

import {nameOf} from "../analysis/reading.js";
import {tipLines} from "./details.js";

/** Shows the segment under the pointer. */
function hover(lanes, event) {
  const box = lanes.canvas.getBoundingClientRect();
  const hit = lanes.at(event.clientX - box.left, event.clientY - box.top);
  lanes.tip.hidden = hit === null;
  if (hit === null) return;
  const name = lanes.ui.el("b", {}, `Req ${nameOf(lanes.rows, lanes.run.strings, hit.row)}`);
  lanes.tip.replaceChildren(name, `\n${tipLines(lanes.rows, hit.row, hit.segment, lanes.labels).join("\n")}`);
  lanes.tip.style.left = `${Math.max(0, Math.min(event.clientX + 14, window.innerWidth - lanes.tip.offsetWidth - 8))}px`;
  lanes.tip.style.top = `${Math.max(0, Math.min(event.clientY + 14, window.innerHeight - lanes.tip.offsetHeight - 8))}px`;
}

/** Connects the swim lanes with pointer, wheel and keyboard. */
export function listen(lanes) {
  const {scroll, canvas} = lanes;
  scroll.addEventListener("scroll", () => lanes.redraw());
  canvas.addEventListener("wheel", (event) => {
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      lanes.zoom(event.deltaY > 0 ? 1.25 : 0.8, lanes.time(event.offsetX));
    } else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      event.preventDefault();
      const by = (event.deltaX || event.deltaY) / lanes.plotWidth() * (lanes.to - lanes.from);
      lanes.show(lanes.from + by, lanes.to + by);
    }
  }, {passive: false});
  let held = null;
  canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    held = {x: event.clientX, y: event.clientY, from: lanes.from, width: lanes.to - lanes.from, lane: lanes.top(), moved: false};
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (held === null) return hover(lanes, event);
    const dx = event.clientX - held.x;
    const dy = event.clientY - held.y;
    if (!held.moved && Math.hypot(dx, dy) < 4) return undefined;
    held.moved = true;
    lanes.tip.hidden = true;
    const from = held.from - dx / lanes.plotWidth() * held.width;
    lanes.scrollTo(Math.max(0, held.lane - dy / lanes.height));
    lanes.show(from, from + held.width);
    return undefined;
  });
  canvas.addEventListener("pointerup", (event) => {
    if (held !== null && !held.moved) {
      const box = canvas.getBoundingClientRect();
      lanes.select(lanes.at(event.clientX - box.left, event.clientY - box.top)?.row ?? -1);
    }
    held = null;
  });
  canvas.addEventListener("pointercancel", () => { held = null; });
  canvas.addEventListener("dblclick", (event) => lanes.zoom(0.5, lanes.time(event.offsetX)));
  canvas.addEventListener("pointerleave", () => { lanes.tip.hidden = true; });
  scroll.addEventListener("keydown", (event) => onKey(lanes, event));
}

function onKey(lanes, event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const width = lanes.to - lanes.from;
  const acts = {
    "+": () => lanes.zoom(0.8), "=": () => lanes.zoom(0.8), "-": () => lanes.zoom(1.25),
    "ArrowLeft": () => lanes.show(lanes.from - width * 0.1, lanes.to - width * 0.1),
    "ArrowRight": () => lanes.show(lanes.from + width * 0.1, lanes.to + width * 0.1),
    "ArrowDown": () => lanes.step(1), "ArrowUp": () => lanes.step(-1),
    "]": () => lanes.rowHeight(1.5), "[": () => lanes.rowHeight(1 / 1.5), "0": () => lanes.all(), "Home": () => lanes.all(),
    "Escape": () => lanes.select(-1),
  };
  if (!Object.hasOwn(acts, event.key)) return;
  event.preventDefault();
  acts[event.key]();
}
