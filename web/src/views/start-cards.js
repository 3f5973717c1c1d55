// The cards of a run that measured starts: its cold starts, its warm starts, and the run.
import {startDoubts, startsOf} from "../analysis/starts.js";
import {card} from "./card.js";

const plural = (n, word, format) => `${format.count(n)} ${word}${n === 1 ? "" : "s"}`;

function timesCard({state, metric, parts}, ui) {
  const {el, format} = ui;
  const several = metric.count > 1;
  const lines = [el("p", {}, several
    ? `Mean of ${plural(metric.count, "start", format)}, ${format.time(metric.min)} to ${format.time(metric.max)}.`
    : "One start.")];
  if (parts.length > 0)
    lines.push(el("ul", {}, parts.map((part) => el("li", {}, `${part.name}: `,
      el("b", {dataset: {start: part.metric.name}, "data-value": part.metric.value}, format.time(part.metric.value))))));
  const big = el("span", {dataset: {start: metric.name}, "data-value": metric.value}, format.time(metric.value));
  return card(ui, "", state === "cold" ? "Cold start" : "Warm start", big, ...lines);
}

/** What was measured, and what makes it doubtful. */
export function startsCard(run, ui) {
  const {el, format} = ui;
  const counts = startsOf(run).map(({state, metric}) => [metric.count, state]);
  const total = counts.reduce((sum, [count]) => sum + count, 0);
  const doubts = startDoubts(run, format.count);
  const lines = doubts.map((text) => el("p", {}, text));
  if (run.interrupted) lines.unshift(el("p", {}, "The run was stopped before its end."));
  const {form, engine, ready_path: path} = run.facts.startup ?? {};
  if (form === "server")
    lines.push(el("p", {class: "detail"}, `Time from the start of the process until ${path ? `GET ${path} was answered` : "the server was ready"}.`));
  else if (engine)
    lines.push(el("p", {class: "detail"}, `Construction of the engine ${engine}.`));
  if (run.source) lines.push(el("p", {class: "detail"}, `From ${run.source}.`));
  return card(ui, run.interrupted || doubts.length > 0 ? "warn" : "", "Run", total === 0 ? "no start"
    : `${counts.map(([count, state]) => `${format.count(count)} ${state}`).join(" and ")} ${total === 1 ? "start" : "starts"}`, ...lines);
}

/** The cards of the times, cold starts first. */
export const timesCards = (run, ui) => startsOf(run).map((starts) => timesCard(starts, ui));
