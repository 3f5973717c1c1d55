// A comparison of groups of runs with known error rates: what `facts.comparison` of a table says.
import {countOf, listOf, objectOf, objectsOf, textOf, textsOf, valueOf} from "./table-facts.js";

/**
 * @typedef {object} ComparedMetric
 * @property {string} name  such as "ttft.p99"
 * @property {string} title
 * @property {string} unit
 * @property {string} candidate  the group that is compared with the base
 * @property {number} baseValue  geometric mean of the runs
 * @property {number} otherValue
 * @property {number} value  ratio of the candidate to the base; NaN: it cannot be compared
 * @property {number} low  ends of the interval of the ratio; NaN: there is none
 * @property {number} high
 * @property {string} verdict  "faster", "slower", "same" or "cannot tell"
 * @property {string} untested  why there was no test; empty: there was
 * @property {number} blocks  that the ratio rests on; 0: the runs are not in blocks
 * @property {number} baseRuns  runs of the base that were used
 * @property {number} otherRuns
 * @property {number} detectable  the difference, as a share, that is found with a chance of 90 %
 * @property {number} needed  the blocks, or runs of each group, in all with which it could be told
 *
 * @typedef {object} Comparison
 * @property {string} base  the name of the first group
 * @property {{name: string, outcome: string, descriptive: boolean, line: string}[]} candidates  line: the
 *     conclusion of the console
 * @property {number} margin  differences up to this share are "same"
 * @property {number} confidence  of the intervals
 * @property {ComparedMetric[]} metrics
 * @property {{name: string, values: string[]}[]} settings  that differ, with the values of each group
 * @property {string[]} doubts  sentences
 * @property {string[]} notes  sentences
 */

/** The classes of the words of verdicts. */
export const verdictKinds = {faster: "good", slower: "bad", same: "same", "cannot tell": "warn"};

const verdictOf = (given) => Object.hasOwn(verdictKinds, textOf(given)) ? textOf(given) : "cannot tell";

function metricOf(given, candidate) {
  const name = textOf(given.name);
  return {name, title: textOf(given.title) || name, unit: textOf(given.unit), candidate: textOf(candidate.name),
    baseValue: valueOf(given.base), otherValue: valueOf(given.candidate),
    value: valueOf(given.ratio), low: valueOf(given.low), high: valueOf(given.high), verdict: verdictOf(given.verdict),
    untested: textOf(given.untested), blocks: countOf(candidate.blocks), baseRuns: countOf(candidate.base_runs),
    otherRuns: countOf(candidate.candidate_runs), detectable: valueOf(given.found_90), needed: countOf(given.needed)};
}

/** The metrics of all candidates, those of one name beside each other. */
function metricsOf(candidates) {
  const all = candidates.flatMap((candidate) => objectsOf(candidate.metrics).map((each) => metricOf(each, candidate)));
  return [...new Set(all.map(({name}) => name))].flatMap((name) => all.filter((each) => each.name === name));
}

const valueText = (value) => textOf(value) || JSON.stringify(value);

/** The values of a setting in a group: "1, 2", or "not stated". */
const settingText = (values) => listOf(values).map(valueText).join(", ") || "not stated";

/**
 * The comparison of a report, or null.
 * @param {import("../data/model.js").Report} report
 * @returns {Comparison | null}
 */
export function comparisonOf(report) {
  const given = objectOf(report.facts?.comparison);
  if (given === null) return null;
  const tested = objectOf(given.comparison) ?? {};
  const candidates = objectsOf(tested.candidates);
  return {base: textOf(tested.base) || "the base", candidates: candidates.map((each) => ({name: textOf(each.name),
    outcome: textOf(each.conclusion), descriptive: each.descriptive === true, line: textOf(each.text)})),
    margin: valueOf(tested.same_within), confidence: 1 - valueOf(tested.error_rate),
    metrics: metricsOf(candidates),
    settings: objectsOf(given.settings_that_differ).map((each) =>
      ({name: textOf(each.name), values: listOf(each.values).map(settingText)})),
    doubts: textsOf(given.doubts), notes: textsOf(given.notes)};
}

/** The conclusion for a candidate in a few words. */
export function outcomeText({base, margin}, {name, outcome, descriptive}, format) {
  const within = margin > 0 ? ` within ${format.percent(margin)}` : "";
  if (descriptive) return `These runs describe ${name} and ${base}, and prove nothing.`;
  if (outcome === "faster" || outcome === "slower") return `${name} is ${outcome} than ${base}.`;
  if (outcome === "mixed") return `${name} is faster than ${base} on some metrics and slower on others.`;
  if (outcome === "same") return `${name} and ${base} are the same${within}.`;
  return `These runs cannot tell whether ${name} is faster or slower than ${base}.`;
}

/** "0.951×" and "0.93× to 0.972×". @param {ComparedMetric} metric @returns {[string, string]} */
export function ratioTexts({value, low, high}, format) {
  // Four digits: differences of a few thousandths matter here.
  const text = (ratio) => `${format.number(ratio)}×`;
  if (!Number.isFinite(value)) return ["–", ""];
  return [text(value), Number.isFinite(low) && Number.isFinite(high) ? `${text(low)} to ${text(high)}` : "no interval"];
}

const counted = (count, what, format) => `${format.count(count)} ${what}${count === 1 ? "" : "s"}`;

/** What a ratio rests on: ["8 blocks", "16 and 16 runs"]. @param {ComparedMetric} metric @returns {string[]} */
export function basisTexts({blocks, baseRuns, otherRuns}, format) {
  const runs = Number.isFinite(baseRuns) && Number.isFinite(otherRuns)
    ? `${format.count(baseRuns)} and ${counted(otherRuns, "run", format)}` : "";
  return [blocks > 0 ? counted(blocks, "block", format) : "", runs].filter(Boolean);
}

/** The difference that would have been missed. @param {ComparedMetric} metric */
export function missedText({detectable, untested}, format) {
  if (detectable >= 0 && Number.isFinite(detectable)) return `below ${format.percent(detectable)}`;
  return untested || detectable === Infinity ? "any difference" : "not known";
}

/** How many more blocks or runs would tell; empty: the metric was told or not tested. @param {ComparedMetric} metric */
export function neededText({verdict, untested, blocks, baseRuns, otherRuns, needed}, format) {
  if (verdict !== "cannot tell" || untested) return "";
  const have = blocks > 0 ? blocks : Math.min(baseRuns, otherRuns);
  if (!Number.isFinite(needed) || !Number.isFinite(have)) return "no practical number would tell";
  const more = Math.max(1, needed - have);
  const what = blocks > 0 ? "block" : "run";
  return `about ${format.count(more)} more ${what}${more === 1 ? "" : "s"}${blocks > 0 ? "" : " of each"} would tell`;
}
