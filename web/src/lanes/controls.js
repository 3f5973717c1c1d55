// The elements around the swim lanes: legend, buttons, search, details.

import {ORDERS} from "../analysis/lanes.js";
import {KINDS} from "../analysis/segments.js";
import {saveCsv, savePng, saveSvg} from "./downloads.js";

/** Makes the elements of the swim lanes, and keeps in `lanes` those that change. */
export function build(lanes) {
  const {el} = lanes.ui;
  const button = (label, title, f) => el("button", {type: "button", title, onclick: f}, label);
  lanes.sort = el("select", {"aria-label": "Order of the lanes", onchange: () => lanes.reorder()},
    ...Object.entries(ORDERS).map(([value, {label}]) => el("option", {value}, label)));
  lanes.packBox = el("input", {type: "checkbox", onchange: () => { lanes.packed = lanes.packBox.checked; lanes.reorder(); }});
  lanes.nestBox = el("input", {type: "checkbox", onchange: () => { lanes.nested = lanes.nestBox.checked; lanes.reorder(); }});
  lanes.nestLabel = el("label", {}, lanes.nestBox, "a lane for each conversation");
  lanes.query = el("input", {type: "search", class: "lanes-query", placeholder: "number, session, error, failed, ttft>500 …",
    "aria-label": "Search requests by number, session, error, outcome or figures",
    oninput: () => lanes.search(), onkeydown: (event) => { if (event.key === "Enter") lanes.step(event.shiftKey ? -1 : 1); }});
  lanes.found = el("span", {class: "lanes-found", role: "status"});
  lanes.legend = el("span", {class: "lanes-legend"});
  const pick = (label, of) => button(label, `Selects the request with the largest ${label}`, () => lanes.pickLargest(of));
  lanes.canvas = el("canvas", {class: "lanes-canvas", "aria-hidden": "true"});
  lanes.space = el("div");
  lanes.scroll = el("div", {class: "lanes-scroll", tabindex: "0", role: "region",
    "aria-label": "Lanes of requests over time. Arrow keys choose a request, plus and minus zoom, " +
      "square brackets change the height of the lanes, page up and down scroll, 0 shows everything. " +
      "The table below has the times of the chosen request."}, lanes.canvas, lanes.space);
  lanes.tip = el("div", {class: "lanes-tip", hidden: true});
  lanes.notes = el("p", {class: "lanes-note"});
  lanes.details = el("div", {class: "lanes-details", "aria-live": "polite"});
  lanes.element.append(el("div", {class: "lanes", style: lanes.options.fill ? {height: "100%"} : {}},
    el("div", {class: "lanes-bar"}, lanes.legend),
    el("div", {class: "lanes-bar"},
      button("zoom in", "Shows half of the time (+)", () => lanes.zoom(0.5)),
      button("zoom out", "Shows twice the time (-)", () => lanes.zoom(2)),
      button("taller rows", "Higher lanes (])", () => lanes.rowHeight(1.5)),
      button("flatter rows", "Lower lanes ([)", () => lanes.rowHeight(1 / 1.5)),
      button("show all", "All lanes and the whole time (0)", () => lanes.all()),
      el("label", {}, "order ", lanes.sort), el("label", {}, lanes.packBox, "pack lanes"), lanes.nestLabel),
    el("div", {class: "lanes-bar"}, lanes.query, lanes.found,
      button("previous", "The match before", () => lanes.step(-1)), button("next", "The next match", () => lanes.step(1)),
      el("span", {}, "longest: "), pick("E2EL", (rows) => rows.e2el), pick("TTFT", (rows) => rows.ttft),
      pick("gap", (rows) => rows.longestGap), pick("client queue", (rows) => rows.start.map((at, i) => at - rows.due[i])),
      el("span", {class: "lanes-downloads"},
        button("PNG", "Downloads the visible lanes as an image", () => savePng(lanes)),
        button("SVG", "Downloads the visible lanes as vectors, up to 20,000 shapes", () => saveSvg(lanes)),
        button("CSV", "Downloads the times of the requests that are shown", () => saveCsv(lanes)))),
    lanes.scroll, lanes.notes, lanes.details, lanes.tip));
}

/** The legend, whose entries switch kinds of segments on and off. `has`: 1 for each kind that occurs. */
export function fillLegend(lanes, has) {
  const {el} = lanes.ui;
  lanes.legend.replaceChildren(...KINDS.map((name, kind) => [name, kind]).filter(([, kind]) => has[kind]).map(([name, kind]) => {
    const swatch = el("i", {class: `lanes-swatch lanes-${name}`, dataset: {kind: String(kind)}});
    const box = el("input", {type: "checkbox", onchange: () => { lanes.shown[kind] = box.checked ? 1 : 0; lanes.redraw(); }});
    box.checked = lanes.shown[kind] === 1;
    return el("label", {}, box, swatch, lanes.labels[kind]);
  }));
}
