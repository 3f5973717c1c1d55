// The whole chart with a pen: title, legend, axes and series. For PNG, SVG and print.

/**
 * @param pen  CanvasPen or SvgPen
 * @param {import("./chart.js").Chart} chart
 * @param {boolean} titled  false: without title and legend, which the page shows
 */
export function compose(pen, chart, width, height, titled = true) {
  const {spec} = chart;
  const colour = (name) => chart.page.theme.colour(name);
  const shift = titled ? height - spec.height : 0;
  pen.fill([[0, 0, width, 0, width, height, 0, height]], colour("background"));
  if (titled) {
    pen.text(8, 19, spec.title, colour("text"), {size: 14, weight: "bold"});
    if (spec.legend) {
      let x = 8;
      spec.series.forEach((series, i) => {
        if (!chart.shown(i) || series.partOf !== undefined) return;
        pen.fill([[x, 30, x + 10, 30, x + 10, 40, x, 40]], colour(series.colourName));
        pen.text(x + 15, 39, series.label, colour("text"));
        x += 15 + 6.2 * series.label.length + 16;
      });
    }
  }
  const plot = chart.place(shift);
  chart.drawBelow(pen, plot);
  const muted = colour("muted"),
    grid = [];
  for (const {scale, side, ticks} of chart.ticks()) {
    for (const [value, text] of ticks) {
      if (side === 2) {
        const x = plot.toX(value);
        if (!(x >= plot.left - 1 && x <= plot.left + plot.width + 1)) continue;
        grid.push([x, plot.top, x, plot.top + plot.height]);
        pen.text(x, plot.top + plot.height + 15, text, muted, {align: "middle"});
      } else {
        const y = plot.toY(value, scale);
        if (!(y >= plot.top - 1 && y <= plot.top + plot.height + 1)) continue;
        if (side === 3) grid.push([plot.left, y, plot.left + plot.width, y]);
        if (side === 3) pen.text(plot.left - 6, y + 4, text, muted, {align: "right"});
        else pen.text(plot.left + plot.width + 6, y + 4, text, muted);
      }
    }
  }
  pen.lines(grid, colour("grid"), 1);
  chart.drawAbove(pen, plot);
  chart.axisNames(pen, plot, width, height);
}
