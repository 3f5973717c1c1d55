// The difference between two sides in a sentence, and what limits it.
import {isBounded} from "./certainty.js";
import {namesText} from "./client-scope.js";
import {failuresOf} from "./doubts.js";
import {allStarts, startFigures} from "./no-rows.js";
import {compared, runsOfSide} from "./what-changed.js";

/**
 * @typedef {import("../data/model.js").Report} Report
 * @typedef {import("./side-by-side.js").Column} Column
 * @typedef {import("./side-by-side.js").Figure} Figure
 */

/** The speed of a server: throughput, the time of a whole answer, and the times of its starts. */
const isSpeed = ({metric}) => ["request_throughput", "output_throughput", "e2el", ...startFigures].includes(metric);

/** "median TTFT" of "Median TTFT". */
const inSentence = (label) => label.replace(/\b[A-Z](?=[a-z])/g, (letter) => letter.toLowerCase());

/** better, worse, overlap, equal or unusable. */
function groupOf({effect, word: {text}}, base) {
  if (effect === "bad" || base.effect === "bad") return "unusable";
  if (text.includes("overlap")) return "overlap";
  return text.startsWith("better") ? "better" : text.startsWith("worse") ? "worse" : "equal";
}

/**
 * The figures of the sentence: throughput of requests, that of tokens if its ratio is another one, and
 * medians. A percentile above the median is named where it is certain and goes another way.
 */
function namedFigures(report, sides, shown) {
  const all = shown.map((figure) => {
    const [base, side] = compared(report, sides, 0, figure);
    return {figure, group: groupOf(side, base), ratio: side.ratio.value,
      client: side.word.text.includes("client of") || side.word.text.includes("its client")};
  }).filter(({ratio}) => Number.isFinite(ratio));
  const requests = all.find(({figure}) => figure.key === "request_throughput");
  return all.filter(({figure, group, ratio}) => {
    if (figure.key === "output_throughput")
      return requests === undefined || Math.abs(ratio / requests.ratio - 1) > 0.01;
    if (!/\.p[\d.]+$/.test(figure.key) || figure.key.endsWith(".p50")) return true;
    const middle = all.find((each) => each.figure.metric === figure.metric);
    return group !== middle.group && sides.every((side) =>
      runsOfSide(report, side).every((run) => isBounded(run, figure)));
  });
}

/** "slower", "faster", "about as fast", or null if its speed goes both ways. */
function speedOf(named) {
  const has = (group) => named.some((each) => each.group === group && isSpeed(each.figure));
  if (has("worse") && has("better")) return null;
  if (has("worse")) return "slower";
  return has("better") ? "faster" : "alike";
}

/** The first sentence of the conclusion. */
function differenceText(named, [base, side], format) {
  const figureText = ({figure, ratio, client}) => `${inSentence(figure.label)} ` +
    `×${format.ratio(ratio).replace("×", "")}${client ? " (perhaps by the client)" : ""}`;
  const names = (group) => named.filter((each) => each.group === group)
    .map(({figure}) => inSentence(figure.label)).join(", ");
  const text = (group, before) => {
    const found = named.filter((each) => each.group === group);
    return found.length === 0 ? [] : [`${before}${found.map(figureText).join(", ")}`];
  };
  const speed = speedOf(named);
  const [first, second] = speed === "faster" ? ["better", "worse"] : ["worse", "better"];
  const start = speed === "alike" ? `${side.label} is about as fast as ${base.label}`
    : speed === null ? `${side.label} is better than ${base.label} in some figures and worse in others` : `${side.label} is ${speed}`;
  const decided = speed === "slower" || speed === "faster";
  const lists = [...text(first, decided ? "" : `${first}: `), ...text(second, `${second}: `)];
  return start + (lists.length > 0 ? `: ${lists.join("; ")}` : "") +
    (names("equal") ? `; equal or nearly: ${names("equal")}` : "") +
    (names("overlap") ? `; not told apart, because the intervals overlap: ${names("overlap")}` : "") +
    (names("unusable") ? `; not usable: ${names("unusable")}` : "") + ".";
}

/**
 * The conclusion for two sides: the difference, then its limits. Empty: there are more sides, or they
 * have no figure in common.
 * @param {Report} report @param {Column[]} sides @param {Figure[]} shown
 * @param {{name: string, load: boolean}[]} settings  that differ
 * @returns {string[]} sentences
 */
export function conclusionOf(report, sides, shown, settings, format) {
  if (sides.length !== 2) return [];
  const named = namedFigures(report, sides, shown);
  if (named.length === 0) return [];
  if (named.every(({group}) => group === "unusable"))
    return ["No figure can be compared, because the client of a run spoiled it."];
  const loads = settings.filter(({load}) => load).map(({name}) => name);
  const out = [(loads.length > 0 ? `At another load (${namesText(loads)}), ` : "") +
    differenceText(named, sides, format)];
  const failures = sides.flatMap((side) => failuresOf(report, side, format));
  if (failures.length > 0) out.push(`Failed requests, not in the latencies: ${failures.join(", ")}.`);
  // A run of starts has the server's settings.
  const unseen = allStarts(report) ? "other load on the machine is" : "the server's own settings are";
  out.push(`${sides.every((side) => side.runs.length === 1) ? `One run a side, and ${unseen}`
    : unseen.replace(/^./, (letter) => letter.toUpperCase())} not seen: this does not prove the cause.`);
  return out;
}
