// The values under the pointer.
import {el} from "../el.js";
import {unitLabel} from "../format.js";
import {lowerBound} from "./thin.js";

const reach = 14; // pixels

/** The index whose x is nearest to `value`, or -1. */
export function nearest(x, value) {
  if (x.length === 0) return -1;
  const at = Math.min(x.length - 1, lowerBound(x, value));
  return at > 0 && value - x[at - 1] < x[at] - value ? at - 1 : at;
}

export function makeReadout(chart, u) {
  const box = el("div", {class: "readout", "aria-hidden": "true"});
  chart.plot.append(box);
  let over = false;
  let point = null;
  const {spec} = chart;

  const axisOf = (series) => spec.y.find((axis) => axis.scale === series.scale) ?? spec.y[0];
  const valueText = (series, value) => {
    const axis = axisOf(series),
      unit = unitLabel(axis.unit);
    const text = axis.format(value);
    // A format such as format.ms writes the unit itself.
    return unit && !text.endsWith(` ${unit}`) && /^[\d.,∞-]+$/.test(text)
      ? `${text} ${unit}`
      : text;
  };
  const line = (series, text) =>
    el(
      "div",
      {class: "readout-line"},
      el("i", {
        class: `swatch ${series.kind}`,
        style: {"--swatch": chart.page.theme.colour(series.colourName)},
      }),
      el("span", {}, series.label),
      el("b", {}, text),
    );

  function nearestPoint(x, y) {
    const {left, top} = u.over.getBoundingClientRect();
    const frame = chart.plot.getBoundingClientRect();
    const px = x + left - frame.left,
      py = y + top - frame.top;
    let best = null,
      distance = reach * reach;
    for (const each of chart.drawn) {
      const d = (each.x - px) ** 2 + (each.y - py) ** 2;
      if (d < distance) ((distance = d), (best = each));
    }
    return best;
  }

  function fill() {
    const {left, top} = u.cursor;
    point = null;
    if (!over || left < 0) return ((box.hidden = true), undefined);
    const value = u.posToVal(left, "x");
    const lines = [];
    let head = spec.x.format(value);
    spec.series.forEach((series, i) => {
      if (!chart.shown(i) || series.quiet || series.kind === "points") return;
      let at =
        series.kind === "line" || series.kind === "band"
          ? nearest(series.x, value)
          : series.hold === "before"
            ? lowerBound(series.x, value)
            : lowerBound(series.x, value + Number.EPSILON) -
              (series.x[lowerBound(series.x, value)] === value ? 0 : 1);
      if (at < 0 || at >= series.y.length) return;
      const texts = [];
      if (series.middle && Number.isFinite(series.middle[at]))
        texts.push(valueText(series, series.middle[at]));
      if (series.lower && Number.isFinite(series.lower[at]))
        texts.push(
          `${valueText(series, series.lower[at])} to ${valueText(series, series.upper[at])}`,
        );
      if (texts.length) lines.push(line(series, texts.join(", ")));
      if (texts.length && series.tip) lines.push(el("div", {class: "readout-tip"}, series.tip(at)));
    });
    point = nearestPoint(left, top);
    if (point) {
      const series = spec.series[point.series];
      head = spec.x.format(series.x[point.index]);
      lines.push(line(series, valueText(series, series.y[point.index])));
      if (series.tip) lines.push(el("div", {class: "readout-tip"}, series.tip(point.index)));
    }
    u.over.style.cursor = point && spec.series[point.series].pick ? "pointer" : "crosshair";
    if (!lines.length) return ((box.hidden = true), undefined);
    const unit = unitLabel(spec.x.unit);
    box.replaceChildren(
      el(
        "div",
        {class: "readout-head"},
        `${spec.x.label} ${head}${unit && /^[\d.,-]+$/.test(head) ? ` ${unit}` : ""}`,
      ),
      ...lines,
    );
    box.hidden = false;
    const frame = chart.plot.getBoundingClientRect(),
      inner = u.over.getBoundingClientRect();
    const x = left + inner.left - frame.left;
    const side = x > frame.width / 2 ? x - box.offsetWidth - 14 : x + 14;
    box.style.transform = `translate(${Math.max(0, side)}px, ${Math.max(0, Math.min(top + 22, frame.height - box.offsetHeight))}px)`;
  }

  (u.hooks.setCursor ??= []).push(fill);
  u.over.addEventListener("mouseenter", () => (over = true));
  u.over.addEventListener("mouseleave", () => ((over = false), (box.hidden = true)));
  u.over.addEventListener("click", () => {
    if (point && u.select.width < 4) spec.series[point.series].pick?.(point.index);
  });
  box.hidden = true;
  return box;
}
