// The card of a run with a scorer: how right its answers are.
import {hasInterval, scoresOf} from "../analysis/scores.js";
import {card, cut} from "./card.js";

/** The reasons that the card names. */
const mostReasons = 3;

/** The interval in words, such as "99 % interval: 62.3 % to 85.2 %". */
function intervalText({low, high, confidence}, {percent}) {
  const name = Number.isFinite(confidence) ? `${percent(confidence)} interval` : "Interval";
  return `${name}: ${percent(low)} to ${percent(high)}`;
}

/** @returns {HTMLElement | null} null: the run has no scorer */
export function answersCard(run, ui) {
  const scores = scoresOf(run);
  if (scores === null) return null;
  const {el, format} = ui;
  const {scorer, scored, unscored, mean, reasons} = scores;
  const number = (count, name) => el("b", {dataset: {scores: name}, "data-value": count}, format.count(count));
  const counts = el("p", {}, number(scored, "scored"), ` answer${scored === 1 ? "" : "s"} scored by ${scorer}`,
    unscored > 0 ? [", ", number(unscored, "unscored"), " without a score"] : null, ".");
  if (scored === 0 || !Number.isFinite(mean)) return card(ui, "warn", "Answers", "none scored", counts);
  const lines = [counts];
  if (hasInterval(scores)) lines.unshift(el("p", {}, `${intervalText(scores, format)}.`));
  const named = reasons.slice(0, mostReasons);
  const others = reasons.slice(mostReasons).reduce((sum, {count}) => sum + count, 0);
  if (named.length > 0)
    lines.push(el("ul", {title: "Reasons for a score below 1, with the number of answers"},
      named.map(({text, count}) => el("li", {}, el("b", {dataset: {reason: text}, "data-value": count}, format.count(count)),
        ` × ${cut(text, 140)}`)),
      others > 0 ? el("li", {}, el("b", {}, format.count(others)), " × other reasons") : null));
  const big = el("span", {dataset: {scores: "mean"}, "data-value": mean}, `${format.percent(mean)} correct`);
  return card(ui, "", "Answers", big, ...lines);
}
