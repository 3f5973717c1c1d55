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

/** Writes the names of the series; a click on a name calls `toggle` with the index. */
export function fillLegend(legend, chart, toggle) {
  legend.replaceChildren();
  if (!chart.spec.legend) return;
  chart.spec.series.forEach((series, i) => {
    const swatch = el("i", {
      class: `swatch ${series.kind} ${series.marker ?? ""}`,
      style: {"--swatch": chart.page.theme.colour(series.colourName)},
    });
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
