// A view that draws itself again when one of its own choices changes.

/**
 * Draws now, and again with each call of `again`; charts of the former drawing are destroyed.
 * @param {HTMLElement} element
 * @param {import("../ui/index.js").Ui} ui
 * @param {(ui: import("../ui/index.js").Ui, again: () => void) => void} draw
 */
export function refill(element, ui, draw) {
  let charts = [];
  const own = {...ui, chart(parent, spec) {
    const chart = ui.chart(parent, spec);
    charts.push(chart);
    return chart;
  }};
  const again = () => {
    // A select that caused the drawing is made anew; the keyboard stays on it.
    const label = element.contains(document.activeElement)
      ? document.activeElement.closest("label")?.firstChild?.textContent : undefined;
    for (const chart of charts) chart.destroy();
    charts = [];
    element.replaceChildren();
    draw(own, again);
    if (label === undefined) return;
    for (const select of element.querySelectorAll("label select"))
      if (select.closest("label").firstChild?.textContent === label) {
        select.focus();
        break;
      }
  };
  again();
}
