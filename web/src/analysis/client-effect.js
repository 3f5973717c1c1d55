// The effect that the client's own delay may have had on a figure of a run. The limits are those of
// docs/client-health.md.
import {INVALID, SUSPECT} from "./client-verdict.js";

/**
 * @typedef {"good" | "unknown" | "warn" | "bad"} Effect  good: within the limit of VALID; unknown:
 *     no bound is known; warn: the figure may include delay of the client; bad: do not use it
 */

const order = ["good", "unknown", "warn", "bad"];
const verdicts = {VALID: "good", SUSPECT: "warn", INVALID: "bad"};

/** The worst of effects; "good" without any. @param {Effect[]} effects @returns {Effect} */
export const worst = (effects) =>
  order[effects.reduce((most, each) => Math.max(most, order.indexOf(each)), 0)];

/** Whether a figure of a signal is above its limits. @returns {Effect} */
function ofSignal({figure, suspect, invalid}) {
  if (typeof invalid === "number" && figure > invalid) return "bad";
  return typeof suspect === "number" && figure > suspect ? "warn" : "good";
}

/**
 * The effect on all figures of a run: of everything that the verdict judges apart from the bounds
 * of single latencies.
 * @param {object | undefined} client  facts.client
 * @returns {Effect}
 */
export function effectOnRun(client) {
  const verdict = verdicts[client?.verdict] ?? "unknown";
  if (verdict === "unknown" || verdict === "good") return verdict;
  const limits = Array.isArray(client.limits) ? client.limits : [];
  // A verdict that the limits do not explain holds for every figure.
  if (worst(limits.map(ofSignal)) !== verdict) return verdict;
  return worst(limits.filter(({name}) => name !== "error_bound").map(ofSignal));
}

/** The statistic of a figure: "p99" of "ttft.p99", "value" of "request_throughput". */
export const statisticOf = ({key, metric}) => key === metric ? "value" : key.slice(metric.length + 1);

/** The largest error of a latency that the client can have caused, in ms; NaN: not known. */
export function boundOf(client, figure) {
  const bound = client?.error_bound_ms?.[figure.metric]?.[statisticOf(figure)];
  return typeof bound === "number" ? bound : NaN;
}

/**
 * The effect of the client on one figure.
 * @param {object | undefined} client  facts.client
 * @param {{key: string, metric: string}} figure
 * @param {number} value  of the figure in this run
 * @returns {Effect}
 */
export function effectOn(client, figure, value) {
  const bound = boundOf(client, figure);
  const beyond = ({share, ms}) => bound > Math.max(ms, share * value);
  const known = Number.isNaN(bound) ? (client?.verdict === "VALID" ? "good" : "unknown")
    : beyond(INVALID) ? "bad" : beyond(SUSPECT) ? "warn" : "good";
  return worst([effectOnRun(client), known]);
}
