// What a sample can certify: ../shared/design/statistics.md, 3.1.
import {statisticOf} from "./client-effect.js";

/**
 * The least number of independent observations with which the largest observation is an upper
 * bound of the percentile at the confidence: 1 - q^n >= c, Wilks 1941.
 */
export function neededCount(percentile, confidence) {
  const q = percentile / 100;
  if (!(q > 0 && q < 1) || !(confidence > 0 && confidence < 1)) return NaN;
  return Math.ceil(Math.log(1 - confidence) / Math.log(q) - 1e-9);
}

/**
 * What is known of a percentile of a figure.
 * @param {object | undefined} certainty  facts.certainty
 * @returns {null | {bound: number | null, needed: number, count: number, effective: number | null}}  null:
 *     the file says nothing. needed: in requests like those of this run, so it is larger than the
 *     number of independent observations where requests depend on each other.
 */
export function certaintyOf(certainty, figure, percentile) {
  const found = certainty?.figures?.[figure];
  const entry = found?.percentiles?.find((each) => each.percentile === percentile);
  if (!entry) return null;
  // The dependence of requests is not the same at each percentile.
  const effective =
    (entry.effective_count === undefined ? found.effective_count : entry.effective_count) ?? null;
  const independent = neededCount(percentile, certainty.confidence);
  const share = effective > 0 && found.count > 0 ? Math.min(1, effective / found.count) : 1;
  return {
    bound: entry.bound ?? null,
    needed: Math.ceil(independent / share),
    count: found.count,
    effective,
  };
}

/**
 * Whether a run has enough independent requests to bound a figure; true of figures that are no
 * percentiles, and where the file says nothing.
 * @param {import("../data/model.js").Run | undefined} run @param {{key: string, metric: string}} figure
 */
export function isBounded(run, figure) {
  if (!/\.p[\d.]+$/.test(figure.key)) return true;
  return certaintyOf(run?.facts?.certainty, figure.metric, Number(statisticOf(figure).slice(1)))?.bound !== null;
}
