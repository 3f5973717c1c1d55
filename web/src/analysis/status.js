// The class of a request's outcome and the phase in which it ended, for rows of the page's data.
// The names are those of `facts.errors` in the result file (docs/results.md).

const names = ["ok", "config", "unsupported", "io", "protocol", "remote", "timeout", "cancelled",
  "memory", "internal", "data"];

/** @param {number} code ifb_status: 0, or the code of a failure with either sign */
export function statusName(code) {
  // A column of unsigned 16-bit numbers holds -5 as 65531.
  const size = code > 32767 ? 65536 - code : Math.abs(code);
  return names[size] ?? "internal";
}

/** The phases of a request, in the order in which it passes them. */
export const PHASES = ["not sent", "connecting and sending", "waiting for the answer",
  "waiting for the first token", "in the answer", "answered with an error"];

/**
 * The phase in which request `i` was when it ended, as an index into PHASES.
 * @param {import("../data/model.js").Rows} rows
 */
export function phaseOf(rows, i) {
  if (!rows.ok(i) && rows.http[i] >= 400) return 5;
  if (rows.first[i] === rows.first[i]) return 4;
  if (rows.firstByte[i] === rows.firstByte[i]) return 3;
  if (rows.sent[i] === rows.sent[i]) return 2;
  // A request that was cancelled before it was sent has no time after its start.
  return rows.start[i] === rows.start[i] && rows.end[i] === rows.end[i] ? 1 : 0;
}

/** The time at which request `i` was over; NaN if it never began. */
export function endOf(rows, i) {
  const end = rows.end[i];
  if (end === end) return end;
  const last = rows.last[i];
  if (last === last) return last;
  const first = rows.first[i];
  if (first === first) return first;
  const sent = rows.sent[i];
  return sent === sent ? sent : rows.start[i];
}
