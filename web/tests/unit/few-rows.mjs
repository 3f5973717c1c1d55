// Rows of a run from a list of objects, for unit tests of computations.

/**
 * @param {object[]} list  members as in Rows (web/src/data/model.js) in ms; a missing time is NaN, a
 *     missing index -1; `gaps`: the gaps of the request, which are kept
 * @returns {import("../../src/data/model.js").Rows}
 */
export function fewRows(list, limits = [25, 50]) {
  const times = (name, other) => Float64Array.from(list, (row) => row[name] ?? other?.(row) ?? NaN);
  const numbers = (name, missing) => Int32Array.from(list, (row) => row[name] ?? missing);
  const first = times("first");
  const last = times("last", (row) => row.first);
  const start = times("start");
  const end = times("end", (row) => row.last ?? row.first);
  const output = numbers("output", -1);
  const status = Uint16Array.from(list, (row) => row.status ?? 0);
  const gaps = list.map((row) => (row.gaps ? Float64Array.from(row.gaps) : null));
  const classOf = (gap) => (gap < limits[0] ? 0 : gap < limits[1] ? 1 : 2);
  const gapCounts = [0, 1, 2].map((kind) => Int32Array.from(list, (row) =>
    row.gapCounts?.[kind] ?? row.gaps?.filter((gap) => classOf(gap) === kind).length ?? 0));
  return {
    count: list.length, start, due: times("due", (row) => row.start), sent: times("sent", (row) => row.start),
    firstByte: times("firstByte", (row) => row.first), first, firstText: first, last, end,
    ttft: first.map((at, i) => at - start[i]),
    e2el: last.map((at, i) => (at === at ? at : end[i]) - start[i]),
    tpot: last.map((at, i) => (output[i] > 1 ? (at - first[i]) / (output[i] - 1) : NaN)),
    input: numbers("input", -1), output, cached: numbers("cached", -1), reasoning: numbers("reasoning", -1),
    events: numbers("events", 0), sequence: Int32Array.from(list, (row, i) => row.sequence ?? i),
    turn: numbers("turn", -1), status, http: Uint16Array.from(list, (row) => row.http ?? (row.status ? 0 : 200)),
    session: numbers("session", -1), server: numbers("server", -1), klass: numbers("klass", -1),
    error: numbers("error", -1), finish: numbers("finish", -1),
    longestGap: Float64Array.from(list, (row) => row.longestGap ?? (row.gaps ? Math.max(...row.gaps) : NaN)),
    gapCounts, ok: (i) => status[i] === 0, gapsOf: (i) => gaps[i],
  };
}
