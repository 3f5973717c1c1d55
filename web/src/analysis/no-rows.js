// Runs without rows: no request was sent, or the page was made from a result file, which has the
// figures of a run and not its requests.

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

/** The figure of a run that measured starts and sent no request of a benchmark; undefined: another run. */
export const startOf = (run) => requestsOf(run) > 0 ? undefined
  : run.metrics?.find((each) => each.name === "cold_startup_time" || each.name === "warm_startup_time");

/** Whether requests were sent and the page has none of them. */
export const lacksRows = (run) => !(run.count > 0) && requestsOf(run) > 0;

/**
 * Why nothing can be shown about the requests of a run without rows.
 * @param {import("../data/model.js").Run | undefined} run
 * @param {string} [what]  what cannot be shown: "there is no latency to show"
 */
export function reasonWithoutRows(run, what = "") {
  const reason = run !== undefined && lacksRows(run)
    ? "The details of the requests are not part of the result" : "No request was sent";
  return `${reason}${what === "" ? "" : `, so ${what}`}.`;
}
