// How right the answers of a run are: the fact `scores`, which another program or version may have
// written.
import {countOf, objectOf, valueOf} from "./table-facts.js";

/** The figure with the mean score in per cent. */
export const correctRate = "correct_rate";

/**
 * @typedef {object} Scores
 * @property {string} scorer
 * @property {number} scored  answers with a score
 * @property {number} unscored  answers without a score
 * @property {number} mean  from 0 to 1, as are low and high; NaN: not known
 * @property {number} low  interval of the mean score, if requests are independent
 * @property {number} high
 * @property {number} confidence
 * @property {{text: string, count: number}[]} reasons  for scores below 1, the most frequent first
 */

/** @param {{facts?: object}} run @returns {Scores | null} null: the run has no scorer */
export function scoresOf(run) {
  const [[scorer, found] = []] = Object.entries(objectOf(run.facts?.scores) ?? {});
  if (objectOf(found) === null) return null;
  const reasons = Object.entries(objectOf(found.reasons) ?? {})
    .map(([text, count]) => ({text, count: countOf(count)})).filter(({count}) => count > 0)
    .sort((a, b) => b.count - a.count);
  const count = (value) => countOf(value) || 0;
  return {scorer, scored: count(found.scored), unscored: count(found.unscored), mean: valueOf(found.mean),
    low: valueOf(found.low), high: valueOf(found.high), confidence: valueOf(found.confidence), reasons};
}

/** Whether both limits of the interval are known. @param {Scores} scores */
export const hasInterval = ({low, high}) => Number.isFinite(low) && Number.isFinite(high);
