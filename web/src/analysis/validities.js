// The verdicts on the clients of runs that are compared, and which figures they spoiled.
import {effectOnRun, worst} from "./client-effect.js";
import {namesText, scopeOf} from "./client-scope.js";
import {isStart} from "./no-rows.js";
import {runsOfSide, sideOf} from "./what-changed.js";

/**
 * @typedef {import("../data/model.js").Report} Report
 * @typedef {import("./side-by-side.js").Column} Column
 */

const kinds = {VALID: "good", SUSPECT: "warn", INVALID: "bad"};

/** "Usable here: the latencies (client's error at most 0.03 ms)." of figures; none without a bound. */
function usableText(figures, others, format) {
  const bounds = figures.filter((each) => each.effect === "good" && Number.isFinite(each.bound))
    .map((each) => each.bound);
  return bounds.length === 0 ? [] : [`Usable here: the ${others ? "other latencies" : "latencies"} ` +
    `(client's error at most ${format.atMost(Math.max(...bounds), "ms")}).`];
}

/** Which of the shown figures the client of a side spoiled. */
function reachOf(report, side, figures, format) {
  const whole = worst(runsOfSide(report, side).map((run) => effectOnRun(run.facts.client)));
  if (whole === "bad") return ["No figure of it is usable."];
  if (whole === "warn") return ["Each figure of it may be affected."];
  const names = (effect) => figures.filter((each) => each.effect === effect).map(({figure}) => figure.label);
  const [bad, warn] = [names("bad"), names("warn")];
  return [
    ...(bad.length > 0 ? [`Not usable here: ${bad.join(", ")}.`] : []),
    ...(warn.length > 0 ? [`Perhaps affected here: ${warn.join(", ")}.`] : []),
    ...usableText(figures, bad.length + warn.length > 0, format),
  ];
}

/**
 * The head of a side that is INVALID because of some figures, which need not be in the table; null:
 * the side has no such run, or each figure is spoiled.
 */
function headOf(report, side, figures) {
  const runs = runsOfSide(report, side);
  if (worst(runs.map((run) => effectOnRun(run.facts.client))) === "bad") return null;
  const spoiled = [...new Set(runs.flatMap((run) => scopeOf(run)?.spoiled ?? []))];
  if (spoiled.length === 0) return null;
  const latencies = figures.filter(({figure}) => figure.key !== figure.metric);
  const bad = latencies.some(({effect}) => effect === "bad");
  const usable = latencies.some(({effect}) => effect === "good") &&
    latencies.every(({effect}) => effect === "good" || effect === "bad");
  return `Only ${namesText(spoiled)} of ${side.label} ${spoiled.length === 1 ? "is" : "are"} not usable` +
    (usable ? `; the ${bad ? "other " : ""}latencies in this table are` : "");
}

const ranks = ["VALID", "not observed", "not known", "SUSPECT", "INVALID"];

/**
 * The verdicts on the clients of the sides, with the shown figures that they spoiled; sides without
 * any doubt share an entry, the last. Runs of starts have no client.
 * @param {Report} report @param {Column[]} sides @param {import("./side-by-side.js").Figure[]} shown
 * @returns {{head: string, names: string[], kind: "good" | "warn" | "bad" | "note", word: string, text: string}[]}
 */
export function validitiesOf(report, sides, shown, format) {
  const known = sides.filter((side) => runsOfSide(report, side).some((run) => !isStart(run)) || side.runs.length === 0).map((side) => ({side, figures: shown
    .map((figure) => ({figure, ...sideOf(report, side, figure)})).filter(({value}) => Number.isFinite(value)),
  verdicts: runsOfSide(report, side).map(({facts: {client}}) =>
    client?.verdict ?? (client ? "not known" : "not observed"))}));
  const isFine = ({verdicts, figures}) => verdicts.every((each) => each === "VALID") &&
    figures.every(({effect}) => effect === "good");
  const out = known.filter((each) => !isFine(each)).map(({side, figures, verdicts}) => {
    const different = [...new Set(verdicts)].sort((a, b) => ranks.indexOf(b) - ranks.indexOf(a));
    const reasons = runsOfSide(report, side).flatMap((run) => (run.facts.client?.reasons ?? [])
      .map((reason) => verdicts.length > 1 ? `${run.title}: ${reason}.` : `${reason}.`));
    return {head: headOf(report, side, figures) ?? `Client of ${side.label}`, names: [side.label], kind: kinds[different[0]] ?? "note",
      word: verdicts.length === 1 ? verdicts[0]
        : different.map((each) => `${verdicts.filter((v) => v === each).length} ${each}`).join(", "),
      // Without a verdict there are mostly no bounds, and the word says it.
      text: [...reasons, ...(kinds[different[0]] ? reachOf(report, side, figures, format) : [])].join(" ")};
  });
  const fine = known.filter(isFine);
  if (fine.length > 0)
    out.push({head: `Client of ${fine.map(({side}) => side.label).join(", ")}`,
      names: fine.map(({side}) => side.label), kind: "good", word: "VALID",
      text: usableText(fine.flatMap(({figures}) => figures), false, format).join("")});
  return out;
}
