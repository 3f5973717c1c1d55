// Keys of a chart that has the focus.

/** @returns a function that ends the listening */
export function onKeys(element, chart) {
  const actions = {
    ArrowLeft: () => chart.pan(-0.2),
    ArrowRight: () => chart.pan(0.2),
    PageUp: () => chart.pan(-0.9),
    PageDown: () => chart.pan(0.9),
    ArrowUp: () => chart.scaleBy(0.7),
    ArrowDown: () => chart.scaleBy(1 / 0.7),
    "+": () => chart.scaleBy(0.7),
    "=": () => chart.scaleBy(0.7),
    "-": () => chart.scaleBy(1 / 0.7),
    Escape: () => chart.reset(),
    Home: () => chart.pan(-1e9),
    End: () => chart.pan(1e9),
  };
  const listener = (event) => {
    const action = actions[event.key];
    if (!action || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    action();
  };
  element.addEventListener("keydown", listener);
  return () => element.removeEventListener("keydown", listener);
}
