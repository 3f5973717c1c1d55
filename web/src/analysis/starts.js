// The times of a run that measured starts of a server or an engine.
import {countOf, listOf, objectOf} from "./table-facts.js";

/**
 * @typedef {object} Starts  The cold or the warm starts of a run; times in seconds.
 * @property {"cold" | "warm"} state
 * @property {object} metric  the figure with the times until the server or engine was ready
 * @property {{name: string, metric: object}[]} parts  phases of the starts, or compilation
 * @property {number} withoutToken  starts after which the server gave no first token
 */

/** The kinds of starts that a run has. @param {object} run @returns {Starts[]} */
export function startsOf(run) {
  const metrics = run.metrics ?? [];
  return ["cold", "warm"].flatMap((state) => {
    const of = (name) => metrics.find((each) => each.name === `${state}_${name}`);
    const metric = of("startup_time");
    if (!(metric?.count > 0)) return [];
    const prefix = `${state}_phase_`;
    const phases = metrics.filter(({name, count}) => name.startsWith(prefix) && count > 0)
      .map((each) => ({name: each.name.slice(prefix.length).replaceAll("_", " "), metric: each}));
    const compilations = [["compilation", of("compilation_time")],
      ["encoder compilation", of("encoder_compilation_time")]]
      .filter(([, each]) => each?.value > 0).map(([name, each]) => ({name, metric: each}));
    const token = of("phase_first_token");
    return [{state, metric, parts: [...compilations, ...phases],
      withoutToken: token === undefined ? 0 : Math.max(0, metric.count - token.count)}];
  });
}

/** What makes the times of starts doubtful, in sentences. @param {object} run @param {(n: number) => string} count */
export function startDoubts(run, count) {
  const found = objectOf(run.facts?.startup) ?? {};
  const variables = listOf(found.cold_variables);
  const out = [];
  if (startsOf(run).some(({state}) => state === "cold") && variables.length > 0 &&
      variables.every((each) => each?.used === false))
    out.push("The cold starts have written nothing into their new cache folders, so they may have used other caches.");
  const killed = countOf(found.killed);
  if (killed > 0) out.push(`${count(killed)} server${killed === 1 ? "" : "s"} did not end after SIGTERM and had to be killed.`);
  for (const {state, withoutToken: missing} of startsOf(run))
    if (missing > 0) out.push(`${count(missing)} ${state} start${missing === 1 ? "" : "s"} gave no first token.`);
  return out;
}
