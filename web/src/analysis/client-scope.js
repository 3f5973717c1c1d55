// Which figures of a run its verdict INVALID is about.
import {effectOn, effectOnRun, statisticOf} from "./client-effect.js";
import {hasDirection} from "./direction.js";
import {cellsOfRun, figures} from "./side-by-side.js";

/** Names in a row; the names after the first `most` are counted. */
export const namesText = (names, most = 4) => names.length <= most + 1 ? names.join(", ")
  : `${names.slice(0, most).join(", ")} and ${names.length - most} more`;

/** What may be said of the figures that are not spoiled, in sentences. */
function restText(run, effects) {
  if (effectOnRun(run.facts.client) === "warn") return "Each other figure may be affected.";
  const names = (effect) => effects.filter((each) => each.latency && each.effect === effect)
    .map(({figure}) => figure.label);
  const [affected, unknown] = [names("warn"), names("unknown")];
  return [
    ...(affected.length > 0 ? [`Perhaps affected: ${namesText(affected)}.`] : []),
    ...(names("good").length > 0
      ? [`The other latencies${unknown.length > 0 ? " with a known error" : ""} are usable.`] : []),
    "The error of the throughput is not known.",
  ].join(" ");
}

/**
 * The figures that make a run INVALID, if these alone do it; null: the run has another verdict, or
 * each figure is spoiled.
 * @param {import("../data/model.js").Run} run
 * @returns {null | {spoiled: string[], rest: string}} spoiled: labels, at least one; rest: sentences
 *   on the other figures
 */
export function scopeOf(run) {
  const {client} = run.facts;
  if (client?.verdict !== "INVALID" || effectOnRun(client) === "bad") return null;
  const cells = cellsOfRun(run);
  const effects = figures([run]).filter(({key}) => Number.isFinite(cells.get(key)?.value))
    .map((figure) => ({figure, latency: statisticOf(figure) !== "value" && hasDirection(figure.metric),
      effect: effectOn(client, figure, cells.get(figure.key).value)}));
  const spoiled = effects.filter(({effect}) => effect === "bad").map(({figure}) => figure.label);
  const worst = client.worst_error_bound?.figure;
  // The run may not show the figure that its verdict names.
  if (spoiled.length === 0 && typeof worst === "string") spoiled.push(worst);
  return spoiled.length === 0 ? null : {spoiled, rest: restText(run, effects)};
}
