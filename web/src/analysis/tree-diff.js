// What differs between the configurations of several runs.

/** Paths that differ between any two runs and say nothing about the set-up. */
const always = new Set(["dataset.request-id-prefix", "run.number", "flags.request-id-prefix",
  "run.result-filename", "flags.result-filename", "run.result-dir", "flags.result-dir"]);

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
    if (always.has(path)) continue;
    const values = flat.map((leaves) => leaves.get(path) ?? null);
    if (values.some((value) => value !== values[0])) out.push({path, values});
  }
  return out;
}

/**
 * What was set up differently in runs: their configuration, and their machine and versions. The
 * parts of the description that repeat the configuration are left out.
 * @param {import("../data/model.js").Run[]} runs
 * @returns {{config: Difference[], environment: Difference[]}}
 */
export function setupDifferences(runs) {
  const own = ({description = {}, config}) => {
    const {flags, run, request_rate: rate, burstiness, max_concurrency: limit, num_prompts: wanted,
      selected, percentiles, label, ...rest} = description ?? {};
    // Without the plan the description is everything that is known.
    return config ? {...config, resolved: rest} : description ?? {};
  };
  return {config: differences(runs.map(own)),
    environment: differences(runs.map((run) => run.environment))};
}
