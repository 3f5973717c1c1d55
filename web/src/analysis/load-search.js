// A search for the largest load that meets the goals: what `facts.search` of a table says.
import {countOf, objectOf, objectsOf, textOf, textsOf, valueOf} from "./table-facts.js";

/**
 * @typedef {object} GoalOfProbe
 * @property {string} goal  such as "ttft.p99<200ms"
 * @property {boolean} estimated  a mean or a rate, which is never certified
 * @property {string} verdict  "passed", "failed" or "undecided"
 * @property {number} allowed  share of the requests that may be over the limit; NaN: not a share
 * @property {number} over  independent requests over the limit
 * @property {number} count  independent requests, of an estimate its batches
 * @property {number} observed  share of the independent requests over the limit
 * @property {number|null} wouldPass  largest share that would have passed with this number of requests;
 *     null: none would have; NaN: not known
 * @property {number|null} wouldFail  smallest share that would have failed
 * @property {number} moreNeeded  how many more independent requests would decide, an estimate
 * @property {number} estimate  of a mean or a rate
 * @property {number} halfWidth  of its interval
 * @property {number} limit  of the estimate
 * @property {string} unit  of the estimate and its limit
 *
 * @typedef {object} Probe
 * @property {number} order  place among the probes by time, from 1
 * @property {number} load
 * @property {string} verdict
 * @property {string} reason  why the probe ended, in words
 * @property {number} requests
 * @property {number} warmUp  requests that were discarded
 * @property {number} step  after the warm-up each step-th request counts
 * @property {number} independent
 * @property {GoalOfProbe[]} goals
 * @property {number} hitRate  share of the prompt tokens that the prefix cache had
 * @property {number} duration  seconds
 * @property {string} client  the verdict on the client; may be empty
 * @property {string} journal
 * @property {number|null} run  index of its run in the report
 *
 * @typedef {object} Search
 * @property {string} over  "request_rate", "max_concurrency"
 * @property {number} low  the lowest load of the search
 * @property {number} high
 * @property {string[]} goals
 * @property {number} alpha  chance of a wrong limit
 * @property {number} mostProbes
 * @property {number} precision
 * @property {number} limit  the largest load that passed; NaN: none did
 * @property {number} upper  the smallest load above it that failed; NaN: none did
 * @property {boolean|null} certified  null: not known
 * @property {string[]} conclusion
 * @property {string} ended
 * @property {Probe[]} probes  in the order of load
 */

const verdicts = ["passed", "failed", "undecided"];
const verdictOf = (value) => verdicts.includes(value) ? value : "undecided";

/** The classes of the words of verdicts, and their colours in a chart. */
export const verdictKinds = {passed: "good", failed: "bad", undecided: "warn"};

const reasons = {proved: "the evidence reached its bound", time: "its time was over", stopped: "it was stopped",
  client: "the client did not keep up", server: "the server did not answer any more",
  data: "there were no more requests that could be judged",
  dependence: "the requests depended on each other more than the warm-up showed",
  requests: "the largest number of requests was reached", estimated: "the interval of an estimate contains its limit",
  open: "it did not end"};

const endings = {exact: "the interval is as narrow as asked for", hi_passed: "the highest load passed",
  nothing_passed: "no load passed", probes_used: "all probes were used", interrupted: "the user stopped it",
  undecided: "not even the lowest load has a verdict", failed: "a run could not begin, or its server or its data failed",
  open: "it did not end"};

/** The words for a name of the program; another text is as it is. */
const wordsOf = (words, text) => Object.hasOwn(words, text) ? words[text] : text;

const shareOrNone = (value) => value === null ? null : valueOf(value);

function goalOf(given) {
  const [over, count] = [countOf(given.over), countOf(given.count)];
  const observed = valueOf(given.observed);
  const estimated = given.kind === "estimated";
  return {goal: textOf(given.goal), estimated, verdict: verdictOf(given.verdict),
    allowed: valueOf(given.allowed), over, count: estimated ? countOf(given.batches) : count,
    observed: Number.isFinite(observed) ? observed : count > 0 ? over / count : NaN,
    wouldPass: shareOrNone(given.would_pass), wouldFail: shareOrNone(given.would_fail), moreNeeded: countOf(given.more_needed),
    estimate: valueOf(given.estimate), halfWidth: valueOf(given.half_width), limit: valueOf(given.limit),
    unit: textOf(given.unit)};
}

function probeOf(given, i, runs) {
  return {order: i + 1, load: valueOf(given.load), verdict: verdictOf(given.verdict), reason: wordsOf(reasons, textOf(given.reason)),
    requests: countOf(given.requests), warmUp: countOf(given.warm_up), step: countOf(given.step),
    independent: countOf(given.independent), goals: objectsOf(given.goals).map(goalOf),
    hitRate: valueOf(given.hit_rate), duration: valueOf(given.duration_s), client: textOf(given.client), journal: textOf(given.journal),
    run: Number.isInteger(given.run) && given.run >= 0 && given.run < runs ? given.run : null};
}

/** The search of a report, or null. @param {import("../data/model.js").Report} report @returns {Search|null} */
export function searchOf(report) {
  const given = objectOf(report.facts?.search);
  if (given === null) return null;
  const [low = NaN, high = NaN] = Array.isArray(given.between) ? given.between.map(valueOf) : [];
  return {over: textOf(given.over), low, high, goals: textsOf(given.goals), alpha: valueOf(given.alpha),
    mostProbes: countOf(given.max_probes), precision: valueOf(given.precision), limit: valueOf(given.limit),
    upper: valueOf(given.upper), certified: typeof given.certified === "boolean" ? given.certified : null,
    conclusion: textsOf(given.conclusion), ended: wordsOf(endings, textOf(given.ended)),
    probes: objectsOf(given.probes).map((each, i) => probeOf(each, i, report.runs.length))
      .sort((a, b) => (a.load - b.load) || a.order - b.order)};
}

/** The goals of the columns: those that probes judged, otherwise those of the search. @returns {string[]} */
export function goalsOf(search) {
  const judged = search.probes.flatMap((probe) => probe.goals.map(({goal}) => goal));
  return judged.length > 0 ? [...new Set(judged)] : search.goals;
}

const units = {request_rate: "req/s", max_concurrency: "concurrent requests"};

/** The unit of the loads; of another kind of load, its name. */
export const unitOf = ({over}) => units[over] ?? over;

/** "12.5 req/s" */
export const loadText = (search, load, format) => `${format.number(load)} ${unitOf(search)}`.trim();

/**
 * The limit with its interval.
 * @param {Search} search
 * @returns {{limit: string, interval: string}}
 */
export function limitTexts(search, format) {
  const text = (load) => loadText(search, load, format);
  const {limit, upper, high} = search;
  const [passed, failed] = [Number.isFinite(limit), Number.isFinite(upper)];
  if (passed && failed)
    return {limit: text(limit), interval: `The limit is between ${format.number(limit)}, the largest load that passed, ` +
      `and ${text(upper)}, the smallest that failed.`};
  if (passed)
    return {limit: `at least ${text(limit)}`, interval: limit >= high ? "The highest load of the search passed."
      : "This is the largest load that passed; no load above it failed, so the interval has no upper end."};
  if (failed)
    return {limit: `below ${text(upper)}`, interval: "No load passed; this is the smallest load that failed."};
  return {limit: "not found", interval: "No load passed, and none failed."};
}

/** How sure the limit is. @param {Search} search */
export function certaintyText({certified, alpha}, format) {
  if (certified === false) return "Estimated: a goal is a mean or a rate, which is never certified.";
  const chance = Number.isFinite(alpha) ? `the chance of a limit above the true one is at most ${format.percent(alpha)}, if the ` +
    "requests depend on each other no more than the conclusion says" : "";
  if (certified === true) return chance ? `Certified: ${chance}.` : "Certified.";
  return chance ? `${chance[0].toUpperCase()}${chance.slice(1)}.` : "";
}

const isPercentile = (goal) => /^[^<>]*\.(p[\d.]+|median)\s*[<>]/.test(goal);

/** A value of a mean or a rate; percentiles that are estimated are mean shares, without a unit. */
const estimateText = ({goal, unit}, value, format) =>
  unit === "" && isPercentile(goal) ? format.percent(value) : format.unit(value, unit);

/** What a probe could not see of a goal; empty: nothing is known. @param {GoalOfProbe} goal */
export function missedText(goal, format) {
  const {wouldPass, wouldFail, moreNeeded, observed} = goal;
  // The verdict also needs evidence that holds for dependent requests, of which no bound is known.
  if (goal.verdict === "undecided" && Number.isFinite(wouldPass) && observed <= wouldPass)
    return "enough if requests are independent, not yet if neighbours depend on each other as much as assumed";
  const parts = [];
  // A bound that the share itself has reached says nothing new.
  if (goal.verdict !== "failed" && wouldPass === null) parts.push("no share would have passed");
  else if (Number.isFinite(wouldPass)) parts.push(`a share up to ${format.percent(wouldPass)} would have passed`);
  if (goal.verdict === "undecided" && wouldFail === null) parts.push("no share would have failed");
  else if (Number.isFinite(wouldFail)) parts.push(`from ${format.percent(wouldFail)} on would have failed`);
  if (goal.verdict === "undecided" && Number.isFinite(moreNeeded))
    parts.push(`at least ${format.count(Math.ceil(moreNeeded))} more would be needed to decide`);
  return parts.length === 0 ? "" : `if requests are independent: ${parts.join(", ")}`;
}

/** The value of a goal in a probe, and what it rests on. @param {GoalOfProbe} goal @returns {[string, string]} */
export function goalTexts(goal, format) {
  const {count, over, observed, allowed, estimate, halfWidth, limit} = goal;
  if (goal.estimated) {
    const value = (v) => estimateText(goal, v, format);
    if (!Number.isFinite(estimate)) return ["no estimate", ""];
    const interval = Number.isFinite(halfWidth) ? ` [${value(estimate - halfWidth)} to ${value(estimate + halfWidth)}]` : "";
    return [`${value(estimate)}${interval}`, [count > 0 ? `estimated from ${format.count(count)} batches` : "estimated",
      Number.isFinite(limit) ? `limit ${value(limit)}` : ""].filter(Boolean).join(", ")];
  }
  if (!Number.isFinite(observed)) return ["no requests", ""];
  const most = Number.isFinite(allowed) ? `, allowed ${format.percent(allowed)}` : "";
  return [`${format.percent(observed)}${most}`, Number.isFinite(over) && Number.isFinite(count)
    ? `${format.count(over)} of ${format.count(count)} independent` : ""];
}

/** The probe at the limit, or undefined. @param {Search} search */
export const probeOfLimit = (search) =>
  search.probes.find((each) => each.load === search.limit && each.verdict === "passed");

/** Whether more of a mean or rate is better: "output_throughput>=500". */
const isLeast = (goal) => /^[^<>]*>/.test(goal);

/**
 * The distance of a goal to its limit: 1 at the limit, less is better. A probe without a request over the
 * limit has the place of half a request, because a logarithmic axis has no place for 0.
 * @param {GoalOfProbe} goal
 * @returns {{value: number, none: boolean}} NaN: the goal has no place
 */
export function nearness(goal) {
  if (!goal.estimated && goal.allowed > 0 && goal.observed >= 0)
    return goal.observed > 0 ? {value: goal.observed / goal.allowed, none: false}
      : {value: 0.5 / goal.count / goal.allowed, none: true};
  if (goal.estimated && goal.estimate > 0 && goal.limit > 0)
    return {value: isLeast(goal.goal) ? goal.limit / goal.estimate : goal.estimate / goal.limit, none: false};
  return {value: NaN, none: false};
}

/**
 * The points of the chart, in the order of load.
 * @param {Search} search
 * @returns {{probe: Probe, goal: GoalOfProbe, x: number, y: number, none: boolean}[]}
 */
export function pointsOf(search) {
  return search.probes.flatMap((probe) => probe.goals.map((goal) => {
    const {value, none} = nearness(goal);
    return {probe, goal, x: probe.load, y: value, none};
  })).filter(({x, y}) => x > 0 && Number.isFinite(x) && y > 0 && Number.isFinite(y));
}

/** Whether the loads are on a logarithmic axis. */
export const isWide = ({low, high}) => low > 0 && high / low > 20;
