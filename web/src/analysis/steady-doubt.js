// Whether the window that was found to be steady is steady by other signs as well.
import {offeredAndServed, paced} from "./load.js";
import {percentilesOf} from "./select.js";

/** The offered rate may exceed the served rate by this share: views/throughput-concurrency.js. */
const UNSERVED = 0.05;

/** The median of the last quarter over that of the first above which a latency rises strongly. */
const RISE = 1.5;

/** Fewer requests in a quarter show no rise. */
const FEWEST = 20;

/** Medians of the first and the last quarter of a window; null: too few requests. */
function endsOf(rows, values, from, to) {
  const quarter = (to - from) / 4;
  const pick = (low, high) => values.filter((value, i) =>
    value === value && rows.ok(i) && rows.start[i] >= low && rows.start[i] <= high);
  const parts = [pick(from, from + quarter), pick(to - quarter, to)];
  if (parts.some((part) => part.length < FEWEST)) return null;
  return parts.map((part) => percentilesOf(part, [50])[0]);
}

/**
 * Why the steady window of a run is doubtful, in a sentence; null: no sign, or the rows are only
 * some of the requests.
 * @param {import("../data/model.js").Run} run  its rows are loaded
 * @param {{rate: (v: number) => string, ms: (v: number) => string}} format
 */
export function steadyDoubt(run, format) {
  const {steady} = run.facts;
  const {rows} = run;
  if (!steady?.found || !rows || rows.count === 0 || run.total > rows.count) return null;
  const [from, to] = [steady.begin_s * 1e3, steady.end_s * 1e3];
  if (paced(run)) {
    // After the schedule nothing is offered. At the beginning of a run requests in flight are not
    // yet served, so the second half of the schedule has to show it as well.
    const lastDue = rows.due.reduce((last, due) => (due > last ? due : last), -Infinity);
    const {offered, served} = offeredAndServed(rows, from, Math.min(to, lastDue));
    const later = offeredAndServed(rows);
    const behind = (each) => each.offered > each.served * (1 + UNSERVED);
    if (behind({offered, served}) && behind(later))
      return `In this window ${format.rate(offered)} requests/s were offered and only ` +
        `${format.rate(served)} served, so latencies depend on the length of the run.`;
  }
  for (const [name, values] of [["TTFT", rows.ttft], ["E2EL", rows.e2el]]) {
    const ends = endsOf(rows, values, from, to);
    if (ends !== null && ends[0] > 0 && ends[1] > RISE * ends[0])
      return `In this window the median ${name} still rises, from ${format.ms(ends[0])} in its ` +
        `first quarter to ${format.ms(ends[1])} in its last, so it depends on the length of the run.`;
  }
  return null;
}
