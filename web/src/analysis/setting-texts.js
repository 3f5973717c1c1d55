// The settings that differ between runs, by flag and in short.
import {flagOf} from "./flag-names.js";
import {setupDifferences} from "./tree-diff.js";
import {mostSides} from "./what-changed.js";

/** The most settings that the view names. */
const mostSettings = 8;

const cut = (text) => text.length > 60 ? `${text.slice(0, 60)}…` : text;
const valueText = (value) => value === null ? "not set" : cut(value);

/** The values of a setting in many runs: "1, 2" or "1 to 32 (6 values)". */
function distinctText(values) {
  const distinct = [...new Set(values)];
  if (distinct.length <= 4) return distinct.map(valueText).join(", ");
  const numbers = distinct.map((value) => value === null || value === "" ? NaN : Number(value));
  return numbers.every((value) => value === value)
    ? `${Math.min(...numbers)} to ${Math.max(...numbers)} (${distinct.length} values)` : `${distinct.length} values`;
}

/** The first run of each side stands for its settings. */
const runsOf = (report, sides) => sides.map((side) => report.runs[side.runs[0]]).filter(Boolean);

/**
 * The settings that differ, by flag as far as known, and what differs in the client's machine and
 * versions.
 * @returns {{settings: {name: string, values: string, load: boolean}[], environment: {name: string,
 *     values: string}[], more: number}} load: the setting belongs to load or dataset
 */
export function settingsOf(report, sides) {
  const runs = runsOf(report, sides);
  const found = setupDifferences(runs);
  const values = (each) => sides.length > mostSides ? distinctText(each.values)
    : each.values.map(valueText).join(" → ");
  const settings = found.config.map((each) => ({name: flagOf(each, runs) ?? each.path,
    values: values(each), load: /^(load|dataset)\./.test(each.path)}));
  return {settings: settings.slice(0, mostSettings), more: Math.max(0, settings.length - mostSettings),
    environment: found.environment.slice(0, mostSettings)
      .map((each) => ({name: each.path, values: values(each)}))};
}
