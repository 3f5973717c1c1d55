// What differs between the configurations of several runs.

/**
 * Tables and keys that say where a result goes, or what the user sees of the run: the list of
 * plugins/reporters/common/differences.cpp. The prefix of request ids is random unless the user
 * sets it.
 */
const withoutEffect = ["reporter", "plugin", "run.save-result", "run.save-detailed",
  "run.append-result", "run.result-dir", "run.result-filename", "run.metadata", "run.label",
  "run.journal", "run.plot-timeline", "run.timeline-itl-thresholds", "run.plot-dataset-stats",
  "run.require-valid", "run.progress", "run.live", "run.number", "dataset.request-id-prefix"];

/** Whether a setting has no effect on the figures. */
export function hasNoEffect(path) {
  return withoutEffect.some((each) => path === each ||
    (path.startsWith(each) && (path[each.length] === "." || path[each.length] === "[")));
}

/** The tables that say what the server had to do come first. */
const tables = ["load", "server", "backend", "model", "dataset", "tokenizer"];

function rankOf(path) {
  const place = tables.indexOf(/^[^.[]*/.exec(path)[0]);
  return place < 0 ? tables.length : place;
}

const byTable = (a, b) => rankOf(a.path) - rankOf(b.path) || (a.path < b.path ? -1 : 1);

/** The name of an entry of a list: the place, or kind and id of a plugin. */
function nameOf(entry, place) {
  if (entry === null || typeof entry !== "object" || Array.isArray(entry)) return String(place);
  const names = [entry.kind, entry.use, entry.id, entry.name].filter((v) => typeof v === "string");
  return names.length > 0 ? names.join(" ") : String(place);
}

/**
 * The leaves of a JSON value: path -> text. A list of plain values is a leaf.
 * @returns {Map<string, string>}
 */
export function flatten(value, path = "", into = new Map(), depth = 0) {
  const plain = (v) => v === null || typeof v !== "object";
  if (depth > 32) {
    into.set(path, "(too deep to compare)");
    return into;
  }
  if (value === undefined) return into;
  if (plain(value) || (Array.isArray(value) && value.every(plain))) {
    if (path !== "") into.set(path, typeof value === "string" ? value : JSON.stringify(value));
    return into;
  }
  if (Array.isArray(value)) {
    const seen = new Map();
    value.forEach((entry, i) => {
      const name = nameOf(entry, i);
      const times = (seen.get(name) ?? 0) + 1;
      seen.set(name, times);
      flatten(entry, `${path}[${times > 1 ? `${name} ${times}` : name}]`, into, depth + 1);
    });
    return into;
  }
  for (const [key, entry] of Object.entries(value))
    flatten(entry, path === "" ? key : `${path}.${key}`, into, depth + 1);
  return into;
}

/**
 * @typedef {object} Difference
 * @property {string} path
 * @property {(string|null)[]} values  per tree; null: the tree does not have the path
 */

/**
 * The paths whose values are not the same in all trees, in the order of the first tree.
 * @param {any[]} trees
 * @returns {Difference[]}
 */
export function differences(trees) {
  const flat = trees.map((tree) => flatten(tree ?? {}));
  const paths = new Set();
  for (const leaves of flat) for (const path of leaves.keys()) paths.add(path);
  const out = [];
  for (const path of paths) {
    if (hasNoEffect(path)) continue;
    const values = flat.map((leaves) => leaves.get(path) ?? null)
      .map((value) => value === "null" ? null : value);  // no value: not set
    if (values.some((value) => value !== values[0])) out.push({path, values});
  }
  return out;
}

/** The settings of a run: its plan, and the model and tokenizer that were found. */
function settingsOf({config, description}) {
  const {model_id: model, tokenizer_id: tokenizer} = description ?? {};
  // Without the plan the description is everything that is known.
  if (Object.keys(config ?? {}).length > 0)
    return {...config, model, tokenizer: config.tokenizer ?? tokenizer};
  const {label, metadata, thresholds, flags, ...rest} = description ?? {};
  return rest;
}

/** What may matter of machine and versions: reporters do not. */
function environmentOf({environment}) {
  const {inferbench, machine, plugins} = environment ?? {};
  return {inferbench, machine, plugins: (Array.isArray(plugins) ? plugins : [])
    .filter((each) => each?.kind !== "reporter")
    .map(({kind, id, version, sha256}) => ({kind, id, version, sha256}))};
}

/** Leaves out the name of an entry of a list, which is in its path. */
const isName = (path) => /^plugins\[.*\]\.(kind|id)$/.test(path);

/**
 * What was set up differently in runs: their configuration, load and server first, and their
 * machine and versions.
 * @param {import("../data/model.js").Run[]} runs
 * @returns {{config: Difference[], environment: Difference[]}}
 */
export function setupDifferences(runs) {
  const config = differences(runs.map(settingsOf)).sort(byTable);
  const text = ({values}) => JSON.stringify(values);
  // The model that was found mostly repeats the one that was set.
  const repeats = (each) => each.path === "model" &&
    config.some((other) => other.path === "backend.model" && text(other) === text(each));
  return {config: config.filter((each) => !repeats(each)),
    environment: differences(runs.map(environmentOf)).filter(({path}) => !isName(path))};
}
