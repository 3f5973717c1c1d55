// Runs without rows: no request was sent, starts were measured, or the page was made from a result
// file, which has the figures of a run and not its requests.

const number = (value) => typeof value === "number" && Number.isFinite(value) ? value : 0;

/**
 * The number of requests of a run: of its rows, otherwise of its figures.
 * @param {import("../data/model.js").Run} run
 */
export function requestsOf(run) {
  if (run.total > 0) return run.total;
  const figure = (name) => number(run.metrics?.find((each) => each.name === name)?.value);
  const counted = figure("completed") + figure("failed");
  return counted > 0 ? counted : number(run.facts?.accounting?.sent);
}

/** The figures with the times of starts. */
export const startFigures = ["cold_startup_time", "warm_startup_time"];

/**
 * Whether a run measured starts of a server or an engine and sent no request of a benchmark.
 * @param {import("../data/model.js").Run} run
 */
export const isStart = (run) => requestsOf(run) === 0 &&
  (run.metrics ?? []).some(({name}) => startFigures.includes(name));

/** Whether all runs of a page measured starts. @param {import("../data/model.js").Report} report */
export const allStarts = (report) => report.runs.length > 0 && report.runs.every(isStart);

/** Whether requests were sent and the page has none of them. */
export const lacksRows = (run) => !(run.count > 0) && requestsOf(run) > 0;

/**
 * Why nothing can be shown about the requests of a run without rows.
 * @param {import("../data/model.js").Run | undefined} run
 * @param {string} [what]  what cannot be shown: "there is no latency to show"
 */
export function reasonWithoutRows(run, what = "") {
  const reason = run === undefined ? "No request was sent"
    : lacksRows(run) ? "The details of the requests are not part of the result"
      : isStart(run) ? "The run measured starts and has no requests" : "No request was sent";
  return `${reason}${what === "" ? "" : `, so ${what}`}.`;
}
