// The buttons and the legend of a chart.
import {el} from "../el.js";

/**
 * Fills the tools of a chart.
 * @returns {{resetButton: HTMLElement, svgButton: HTMLElement}} the buttons that the chart switches
 */
export function makeButtons(tools, chart) {
  const {download} = chart.page;
  const button = (text, title, f) =>
    el("button", {type: "button", class: "small", title, "aria-label": title, onclick: f}, text);
  const name = (ending) => `${chart.spec.title}.${ending}`;
  const resetButton = button("reset zoom", "Show everything (Esc)", () => chart.reset());
  const svgButton = button("SVG", "Save as SVG", () =>
    download(name("svg"), "image/svg+xml", chart.svg()),
  );
  tools.append(
    resetButton,
    button("PNG", "Save as PNG", async () => download(name("png"), "image/png", await chart.png())),
    svgButton,
    button("CSV", "Save the values as CSV", () => download(name("csv"), "text/csv", chart.csv())),
  );
  return {resetButton, svgButton};
}

/** A sample of the series: its colour and marker, and its line if it has one. */
function swatchOf(series, colour) {
  const swatch = el("i", {
    class: `swatch ${series.kind} ${series.marker ?? ""}`,
    style: {"--swatch": colour},
  });
  if (!series.sample) return swatch;
  const {width = 1.5, dash} = series.sample;
  return el(
    "span",
    {class: "sample"},
    el(
      "svg:svg",
      {width: 30, height: 12, viewBox: "0 0 30 12", "aria-hidden": "true"},
      el("svg:path", {
        d: "M0 6h30",
        stroke: colour,
        "stroke-width": width,
        "stroke-dasharray": dash?.join(" "),
      }),
    ),
    swatch,
  );
}

/** Writes the names of the series; a click on a name calls `toggle` with the index. */
export function fillLegend(legend, chart, toggle) {
  legend.replaceChildren();
  if (!chart.spec.legend) return;
  chart.spec.series.forEach((series, i) => {
    if (series.partOf !== undefined) return;
    const swatch = swatchOf(series, chart.page.theme.colour(series.colourName));
    const click = () => {
      toggle(i);
      button.setAttribute("aria-pressed", String(chart.shown(i)));
    };
    const button = el(
      "button",
      {type: "button", "aria-pressed": String(chart.shown(i)), onclick: click},
      swatch,
      series.label,
    );
    legend.append(button);
  });
}
