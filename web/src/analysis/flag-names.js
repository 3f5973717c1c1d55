// The flag that sets a setting, as far as the flags of the runs tell it.

/** Flags of the keys named `use`, which choose a plugin. */
const plugins = {backend: "backend", dataset: "dataset-name", tokenizer: "tokenizer-mode"};

const textOf = (value) => value === undefined || value === null ? null
  : typeof value === "string" ? value : JSON.stringify(value);

/**
 * The flag of a setting that differs between runs: "--max-concurrency", or
 * "--extra-body (top_k)" for a member of a flag's object; null: no flag set it.
 * @param {import("./tree-diff.js").Difference} difference
 * @param {import("../data/model.js").Run[]} runs  those of the difference
 */
export function flagOf({path, values}, runs) {
  const given = runs.map((run) => run.description?.flags ?? {});
  const names = [...new Set(given.flatMap((flags) => Object.keys(flags)))];
  // A flag with the same value in all runs is not the flag of a setting that differs.
  const differs = (name) => new Set(given.map((flags) => textOf(flags[name]))).size > 1;
  const agrees = (name) => given.every((flags, i) =>
    textOf(flags[name]) === null || textOf(flags[name]) === values[i]);
  const parts = path.split(".");
  const last = parts[parts.length - 1].replaceAll("_", "-");
  const exact = last === "use" ? plugins[parts[0]] : last;
  const found = names.find((name) => name === exact && differs(name)) ??
    names.find((name) => name.endsWith(`-${last}`) && differs(name) && agrees(name));
  if (found !== undefined) return `--${found}`;
  const at = parts.findIndex((part, i) => i > 0 && names.includes(part) && differs(part));
  return at < 0 ? null : `--${parts[at]} (${parts.slice(at + 1).join(".")})`;
}
