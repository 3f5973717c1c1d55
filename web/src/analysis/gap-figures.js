// Figures of the gaps between events of answers: their distribution, the stalls of each request, and
// the gaps by their place in the answer.

/** ms below which events came together: a logarithmic axis has no place for such a gap, often 0. */
export const TOGETHER = 0.01;

/** Edges of equal width on a logarithmic axis. */
export function logEdges(low, high, bins) {
  const from = Math.log10(low);
  const step = (Math.log10(high) - from) / bins;
  return Float64Array.from({length: bins + 1}, (_, at) => 10 ** (from + at * step));
}

/**
 * Calls visit(row, gaps) for each request whose gaps are kept.
 * @param {import("../data/model.js").Rows} rows
 */
export function forEachKept(rows, visit) {
  for (let i = 0; i < rows.count; ++i) {
    const gaps = rows.gapsOf(i);
    if (gaps !== null && gaps.length > 0) visit(i, gaps);
  }
}

/**
 * The histogram of the kept gaps between 0.01 ms and the longest gap, on a logarithmic axis. Gaps
 * below the first edge (events that came together) are counted in `together`.
 * @returns {{edges: Float64Array, counts: Float64Array, together: number, total: number}}
 */
export function gapHistogram(rows, perDecade = 40) {
  const low = TOGETHER;
  let longest = 0;
  forEachKept(rows, (_, gaps) => { for (const gap of gaps) if (gap > longest) longest = gap; });
  const decades = Math.max(1, Math.ceil(Math.log10(Math.max(longest, low * 10) / low) + 1e-9));
  const edges = logEdges(low, low * 10 ** decades, decades * perDecade);
  const counts = new Float64Array(edges.length - 1);
  let together = 0;
  let total = 0;
  forEachKept(rows, (_, gaps) => {
    for (let g = 0; g < gaps.length; ++g) {
      ++total;
      if (gaps[g] < low) ++together;
      else ++counts[Math.min(counts.length - 1, Math.floor((Math.log10(gaps[g]) + 2) * perDecade))];
    }
  });
  return {edges, counts, together, total};
}

/** Cuts empty bins at both ends of a histogram. */
export function trim({edges, counts}) {
  let from = 0;
  let to = counts.length;
  while (from < to - 1 && counts[from] === 0) ++from;
  while (to > from + 1 && counts[to - 1] === 0) --to;
  return {edges: edges.slice(from, to + 1), counts: counts.slice(from, to)};
}

const stallEdges = [0, 1, 2, 3, 6, 11, 21, 51, 101];

/**
 * How many requests had how many stalls (gaps at or above the upper limit).
 * @returns {{bins: {label: string, count: number}[], requests: number, stalled: number, gaps: number,
 *   stalls: number, worst: number}} worst: the row with the longest gap, -1 without gaps;
 *   stalled: number of requests with a stall
 */
export function stallsOf(rows) {
  const bins = stallEdges.map((from, at) => {
    const to = (stallEdges[at + 1] ?? Infinity) - 1;
    return {label: to === Infinity ? `> ${from - 1}` : to === from ? `${from}` : `${from}–${to}`, count: 0};
  });
  const [low, mid, high] = rows.gapCounts;
  const out = {bins, requests: 0, stalled: 0, gaps: 0, stalls: 0, worst: -1};
  let longest = -1;
  for (let i = 0; i < rows.count; ++i) {
    const gaps = low[i] + mid[i] + high[i];
    if (gaps <= 0) continue;
    ++out.requests;
    out.gaps += gaps;
    out.stalls += high[i];
    if (high[i] > 0) ++out.stalled;
    let bin = stallEdges.length - 1;
    while (stallEdges[bin] > high[i]) --bin;
    ++bins[bin].count;
    if (rows.longestGap[i] > longest) {
      longest = rows.longestGap[i];
      out.worst = i;
    }
  }
  while (bins.length > 1 && bins.at(-1).count === 0) bins.pop();
  return out;
}

/**
 * The histogram of the file without the bins of events that came together, which are counted in
 * `together`.
 * @param {{edges_ms: number[], counts: number[]}} histogram
 * @returns {{edges: Float64Array, counts: Float64Array, together: number}} without bins if all came
 *     together
 */
export function withoutTogether({edges_ms: edges, counts}) {
  let from = 0;
  let together = 0;
  for (; from < counts.length && !(edges[from] > 0 && edges[from + 1] > TOGETHER * (1 + 1e-9)); ++from)
    together += counts[from];
  return {edges: Float64Array.from(edges.slice(from)), counts: Float64Array.from(counts.slice(from)),
    together};
}

/** The place (1-based, of the event that ends it) of the longest kept gap of a request; -1: not kept. */
export function placeOfLongest(rows, i) {
  const gaps = i < 0 ? null : rows.gapsOf(i);
  if (gaps === null || gaps.length === 0) return -1;
  let at = 0;
  for (let g = 1; g < gaps.length; ++g) if (gaps[g] > gaps[at]) at = g;
  return at + 2;
}

/**
 * Kept gaps by their place in the answer: columns of places, rows of lengths on a logarithmic axis.
 * @returns {{places: Float64Array, edges: Float64Array, cells: Float64Array, columns: Float64Array,
 *   together: Float64Array, median: Float64Array, requests: number} | null} cells[column * bins + bin]; columns: gaps in each
 *   column, together: those among them that are too short for a cell because events came together;
 *   median: of all gaps of each column (interpolated within its bin), 0 if it is too short for a cell,
 *   NaN if the column is empty; null if no kept gap has a cell
 */
export function gapMap(rows, {columns: most = 96, bins = 48} = {}) {
  let longest = 0;
  let shortest = Infinity;
  let places = 0;
  let requests = 0;
  forEachKept(rows, (_, gaps) => {
    ++requests;
    if (gaps.length > places) places = gaps.length;
    for (let g = 0; g < gaps.length; ++g) {
      if (gaps[g] > longest) longest = gaps[g];
      if (gaps[g] >= TOGETHER && gaps[g] < shortest) shortest = gaps[g];
    }
  });
  if (places === 0 || longest < TOGETHER) return null;
  const low = Math.max(TOGETHER, Math.min(shortest, longest / 10));
  const edges = logEdges(low, Math.max(longest, low * 10) * 1.0001, bins);
  const width = Math.ceil(places / most);
  const columns = new Float64Array(Math.ceil(places / width));
  const together = new Float64Array(columns.length);
  const cells = new Float64Array(columns.length * bins);
  const from = Math.log10(low);
  const scale = bins / (Math.log10(edges[bins]) - from);
  forEachKept(rows, (_, gaps) => {
    for (let g = 0; g < gaps.length; ++g) {
      const column = Math.floor(g / width);
      ++columns[column];
      if (gaps[g] < TOGETHER) {
        ++together[column];
        continue;
      }
      const bin = Math.min(bins - 1, Math.floor((Math.log10(gaps[g]) - from) * scale));
      ++cells[column * bins + Math.max(0, bin)];
    }
  });
  const median = columns.map((count, column) => {
    let seen = together[column];
    if (count > 0 && seen >= count / 2) return 0;
    for (let bin = 0; bin < bins; ++bin) {
      const cell = cells[column * bins + bin];
      if (cell > 0 && seen + cell >= count / 2)
        return edges[bin] * (edges[bin + 1] / edges[bin]) ** ((count / 2 - seen) / cell);
      seen += cell;
    }
    return NaN;
  });
  return {places: Float64Array.from({length: columns.length + 1}, (_, at) => 2 + at * width), edges, cells, columns,
    together, median, requests};
}
