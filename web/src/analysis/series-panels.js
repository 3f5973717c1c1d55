// What a server said about itself over time, as panels of lines: a panel for each pair of name and unit.

/**
 * The ready names, which the series of all kinds of servers share (framework/observe/ready_names.hpp), in the order in
 * which they are shown, with their titles and what they mean.
 */
export const READY = [
  ["running", "Requests running", "requests in the batch of the server"],
  ["waiting", "Requests waiting", "requests in the queue of the server"],
  ["kv_cache_usage", "KV cache in use", "share of the blocks of the KV cache that are in use"],
  ["prefix_hit_rate", "Prefix cache hit rate", "share of the prompt tokens of an interval that were in the cache"],
  ["prefix_cache_hits", "Prefix cache hits", "prompt tokens found in the cache"],
  ["prefix_cache_queries", "Prefix cache queries", "prompt tokens looked up in the cache"],
  ["preemptions", "Preemptions", "requests that were moved out of the batch"],
  ["spec_decode_acceptance_rate", "Drafted tokens accepted", "share of the drafted tokens of an interval that were accepted"],
  ["spec_decode_accepted", "Accepted tokens", "tokens of speculative decoding that were accepted"],
  ["spec_decode_drafted", "Drafted tokens", "tokens of speculative decoding that were drafted"],
  ["generation_tokens", "Tokens generated", "output tokens"],
  ["prompt_tokens", "Tokens of prompts", "prompt tokens"],
  ["power_w", "Power", "power that the devices draw"],
  ["energy_j", "Energy per second", "energy that the devices used, per second"],
  ["gpu_utilization", "GPU busy", "share of the time in which the device had work"],
  ["gpu_memory_used", "GPU memory in use", "memory of the devices that is in use"],
];
const place = new Map(READY.map(([name], at) => [name, at]));
const about = new Map(READY.map(([name, title, help]) => [name, {title, help}]));

/** The host and port of an address, or the address itself. */
function hostOf(url) {
  const parts = /^[a-z]+:\/\/([^/]+)/i.exec(url ?? "");
  return parts === null ? String(url ?? "") : parts[1];
}

/**
 * The labels of lines of a panel: what distinguishes each line from the others.
 * @param {{url: string, labels: Record<string, string>, metric: string}[]} lines
 */
export function labelsOf(lines) {
  const differ = (of) => new Set(lines.map(of)).size > 1;
  const names = [...new Set(lines.flatMap((line) => Object.keys(line.labels ?? {})))]
    .filter((name) => differ((line) => line.labels?.[name] ?? ""));
  return lines.map((line) => {
    const parts = [];
    if (differ((other) => hostOf(other.url))) parts.push(hostOf(line.url));
    else if (differ((other) => other.url)) parts.push(line.url);
    if (names.length === 0 && differ((other) => other.metric)) parts.push(line.metric);
    for (const name of names) if (line.labels?.[name] !== undefined) parts.push(`${name}=${line.labels[name]}`);
    return parts.join(" ") || hostOf(line.url) || line.metric || "value";
  });
}

/**
 * Times and values of a series; a scrape that failed, or is missing for more than two and a half
 * intervals, is a gap (NaN).
 */
export function withGaps(at, values, interval) {
  const x = [];
  const y = [];
  const longest = interval > 0 ? 2.5 * interval : Infinity;
  for (let i = 0; i < at.length; ++i) {
    if (i > 0 && at[i] - at[i - 1] > longest) {
      x.push((at[i] + at[i - 1]) / 2);
      y.push(NaN);
    }
    x.push(at[i]);
    y.push(typeof values[i] === "number" ? values[i] : NaN);
  }
  return {x: Float64Array.from(x), y: Float64Array.from(y)};
}

/**
 * @typedef {object} Panel
 * @property {string} name
 * @property {string} title
 * @property {string} help
 * @property {string} unit
 * @property {boolean} ready  whether it is a ready name
 * @property {{label: string, metric: string, x: Float64Array, y: Float64Array}[]} lines
 */

/**
 * @param {object | undefined} series  facts.series
 * @returns {Panel[]} ready names first; series without a single value are left out
 */
export function panelsOf(series) {
  const panels = new Map();
  for (const source of series?.sources ?? []) {
    for (const one of source.series ?? []) {
      const line = {url: source.url, labels: one.labels ?? {}, metric: one.metric ?? "", unit: one.unit ?? "",
        ...withGaps(source.at_s ?? [], one.values ?? [], series.interval_s)};
      if (!line.y.some((value) => value === value)) continue;
      const known = place.has(one.name);
      const key = `${one.name}\u0000${line.unit}`;
      if (!panels.has(key)) {
        panels.set(key, {name: one.name, title: about.get(one.name)?.title ?? one.name,
          help: about.get(one.name)?.help ?? one.metric ?? "", unit: line.unit === "1" ? "" : line.unit, ready: known,
          lines: []});
      }
      panels.get(key).lines.push(line);
    }
  }
  const out = [...panels.values()].sort((a, b) =>
    (place.get(a.name) ?? 1e9) - (place.get(b.name) ?? 1e9) || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  for (const panel of out) {
    const labels = labelsOf(panel.lines);
    panel.lines = panel.lines.map(({metric, x, y}, at) => ({label: labels[at], metric, x, y}));
  }
  return out;
}

/** Whether a panel's values are shares of 1, to be shown in percent. */
export function isShare(panel) {
  if (!/rate$|usage$|utilization$|ratio$/.test(panel.name) || panel.unit !== "") return false;
  return panel.lines.every((line) => line.y.every((value) => !(value > 1.0001)));
}

/** The largest value of a panel, when it was reached, and by which line; null without values. */
export function peakOf(panel) {
  let best = null;
  for (const line of panel.lines)
    for (let i = 0; i < line.y.length; ++i)
      if (line.y[i] === line.y[i] && (best === null || line.y[i] > best.value))
        best = {value: line.y[i], at: line.x[i], label: line.label};
  return best;
}

/** How many scrapes were made and how many failed, over all sources. */
export function scrapesOf(series) {
  const out = {scrapes: 0, failed: 0, firstError: null, sources: 0};
  for (const source of series?.sources ?? []) {
    ++out.sources;
    out.scrapes += source.scrapes ?? 0;
    out.failed += source.failed ?? 0;
    if (out.firstError === null && source.first_error) out.firstError = `${hostOf(source.url)}: ${source.first_error}`;
  }
  return out;
}
