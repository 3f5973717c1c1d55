// Parts that the views with a time axis share.
import {steadyWindow} from "../analysis/load.js";
import {endOf} from "../analysis/status.js";

/** The end of the last request in seconds from the start of the run; 0: no request. */
export function endOfRun(rows) {
  let end = 0;
  for (let i = 0; i < rows.count; ++i) {
    const at = endOf(rows, i);
    if (at > end) end = at;
  }
  return end / 1e3;
}

/** Values of bins as a series of steps; the last step ends at `end` seconds. */
export function steps(bins, values, end, more) {
  const x = new Float64Array(bins.count + 1);
  const y = new Float64Array(bins.count + 1);
  x.set(bins.from);
  // A run that ends where the last bin begins has a step without length.
  x[bins.count] = Math.max(bins.from[bins.count - 1], end);
  y.set(values);
  y[bins.count] = values[bins.count - 1];
  return {kind: "steps", x, y, ...more};
}

/**
 * Warm-up, steady window and drain of a run.
 * @returns {import("../ui/index.js").Shade[]} empty if there is no steady window
 */
export function phases(run, end) {
  const found = steadyWindow(run.facts);
  if (found.reason !== undefined) return [];
  const out = [{from: found.begin, to: found.end, label: "steady", kind: "steady"}];
  if (found.begin > 0) out.unshift({from: 0, to: found.begin, label: "warm-up", kind: "warmup"});
  if (end > found.end) out.push({from: found.end, to: end, label: "drain", kind: "drain"});
  return out;
}

/** "300 requests", "1 request". */
export function counted(ui, count, noun) {
  return `${ui.format.count(count)} ${noun}${count === 1 ? "" : "s"}`;
}
