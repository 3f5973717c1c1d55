// The limits of a comparison of runs, in sentences.
import {isBounded} from "./certainty.js";
import {incompleteness} from "./incomplete.js";
import {allStarts} from "./no-rows.js";
import {correctRate, hasInterval, scoresOf} from "./scores.js";
import {runsOfSide} from "./what-changed.js";

/**
 * @typedef {import("../data/model.js").Report} Report
 * @typedef {import("../data/model.js").Run} Run
 * @typedef {import("./side-by-side.js").Column} Column
 */

/** Whether the load of the server was recorded during the run. @param {Run} run */
export const isObserved = (run) => (run.facts.series?.sources?.length ?? 0) > 0;

/** What the page cannot show, in a sentence or two. */
export function unseenText(report) {
  if (allStarts(report))
    return "This page does not know the machine of the server, nor other load on it. The cause of a difference " +
      "may lie there and not in the settings.";
  const observed = report.runs.filter(isObserved).length;
  const unseen = "This page does not know how the server was started, its version and its machine";
  const advice = "The cause of a difference may lie there and not in the settings.";
  if (observed === report.runs.length)
    return `${unseen}. ${advice} The section Server has what --observe recorded of its load.`;
  return `${unseen}, nor other load on it ` +
    (observed > 0 ? `(only ${observed} of ${report.runs.length} runs had --observe)` : "(no run had --observe)") +
    `. ${advice}`;
}

/** The mean number of output tokens of a request of a side. */
function tokensOf(side) {
  const value = (name) => side.cells.get(name)?.value ?? NaN;
  return value("total_output_tokens") / value("completed");
}

/** "5 of 300 of A" for each side with failed requests. */
export function failuresOf(report, side, format) {
  const sum = (name) => runsOfSide(report, side).reduce((all, run) => all + (run.facts.accounting?.[name] ??
    (name === "failed" ? run.metric?.("failed")?.value ?? 0 : NaN)), 0);
  const [failed, sent] = [sum("failed"), sum("sent")];
  if (!(failed > 0)) return [];
  return [`${format.count(failed)}${sent > 0 ? ` of ${format.count(sent)}` : ""} of ${side.label}`];
}

/** What makes a comparison of the sides doubtful, apart from the clients. */
export function doubtsOf(report, sides, shown, settings, format) {
  const out = sides.flatMap((side) => runsOfSide(report, side).map((run) => [run, incompleteness(run, format.count)])
    .filter(([, text]) => text !== null)
    .map(([run, text]) => `Not complete: ${side.runs.length > 1 ? run.title : side.label}, ${text}.`));
  const failures = sides.flatMap((side) => failuresOf(report, side, format));
  if (failures.length > 0)
    out.push(`Requests that failed: ${failures.join(", ")}; the latencies are those of the others.`);
  const load = settings.filter((each) => each.load).map((each) => each.name);
  if (load.length > 0)
    out.push(`The runs had different loads (${load.join(", ")}), so a better or worse figure may be the ` +
      "load's doing and not the server's.");
  const tokens = sides.map(tokensOf);
  if (tokens.every((each) => each > 0) && Math.max(...tokens) / Math.min(...tokens) > 1.01)
    out.push(`The answers had ${tokens.map((each) => format.number(each)).join(" → ")} output tokens on ` +
      "average, so E2EL and throughput are those of different work.");
  if (sides.some((side) => side.runs.length === 1))
    out.push("One run a side does not show how much runs of the same setting differ.");
  const single = sides.filter((side) => side.runs.length === 1).flatMap((side) => runsOfSide(report, side))
    .map(scoresOf).filter((scores) => scores !== null && hasInterval(scores));
  if (single.length > 0 && shown.some(({key}) => key === correctRate))
    out.push(`The interval of the correct rate is that of one run, with a confidence of ${format.percent(single[0].confidence)} ` +
      "if its requests are independent.");
  const unsure = shown.filter((figure) => sides.some((side) =>
    runsOfSide(report, side).some((run) => !isBounded(run, figure))));
  if (unsure.length > 0)
    out.push(`Too few independent requests to bound ${unsure.map((figure) => figure.label).join(", ")} ` +
      "(grey; section Figures).");
  return out;
}
