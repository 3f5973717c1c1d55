// Whether the client was the limit: the verdict of the run in words, and the lag of its schedule
// over time. The limits are those of docs/client-health.md.

/** Limits of the client's error: SUSPECT above 1 % or 0.5 ms, INVALID above 10 % or 5 ms. */
export const SUSPECT = {share: 0.01, ms: 0.5};
export const INVALID = {share: 0.1, ms: 5};

/**
 * @param {object | undefined} client  facts.client
 * @param {(ms: number) => string} ms  the text of a time
 * @param {{spoiled: string[], rest: string} | null} scope  of the verdict INVALID (client-scope.js)
 * @returns {{kind: "good" | "warn" | "bad" | "note", answer: string, text: string}}
 *   answer: "No", "Perhaps", "In part", "Yes" or "Unknown"; text: the whole sentence
 */
export function answerOf(client, ms, scope = null) {
  const say = (kind, answer, rest) => ({kind, answer, text: `${answer}${rest}`});
  const worst = client?.worst_error_bound;
  const bound = worst && Number.isFinite(worst.ms)
    ? `the client's own error is at most ${ms(worst.ms)}, on ${worst.figure}` : null;
  switch (client?.verdict) {
    case "VALID":
      return say("good", "No", `: the client was not the limit; ${bound ?? "no sign of a late client was found"}.`);
    case "SUSPECT":
      return say("warn", "Perhaps",
        `: some figures may include delay of the client${bound ? `; ${bound}` : ""}. The reasons are below.`);
    case "INVALID":
      if (scope !== null)
        return say("bad", "In part", `: the client was too late for ${scope.spoiled.join(", ")}` +
          `${bound ? `; ${bound}` : ""}. Do not use ${scope.spoiled.length === 1 ? "this figure" : "these figures"}. ${scope.rest}`);
      return say("bad", "Yes",
        `: the client was late, so the figures are not the server's${bound ? `; ${bound}` : ""}. Do not use them.`);
    default:
  }
  if (bound === null) {
    return say("note", "Unknown",
      ": nothing about the client is recorded, because the run ended early or the report comes from a journal without it.");
  }
  if (worst.of_limit <= 1) return say("good", "No", `, as far as the requests show: ${bound}. Observations of the client itself are not recorded.`);
  if (worst.of_limit <= 10) return say("warn", "Perhaps", `: ${bound}. Observations of the client itself are not recorded.`);
  return say("bad", "Yes", `: ${bound}. Observations of the client itself are not recorded.`);
}

/** Whether requests are due one after another, and not all at the same time. */
export function paced(description) {
  const rate = description?.request_rate;
  return (typeof rate === "number" && Number.isFinite(rate)) || Boolean(description?.traffic) ||
    Boolean(description?.ramp_up) || description?.self_timed === true;
}

/** The number of requests in flight right after the start of each request, itself included. */
export function inFlightAtStart(rows) {
  const starts = rows.start.filter((v) => v === v).sort();
  const ends = rows.end.filter((v) => v === v).sort();
  const out = new Int32Array(rows.count);
  const upTo = (sorted, value) => {
    let low = 0;
    let high = sorted.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (sorted[middle] <= value) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  for (let i = 0; i < rows.count; ++i) {
    const at = rows.start[i];
    if (at === at) out[i] = upTo(starts, at) - upTo(ends, at);
  }
  return out;
}

/**
 * The lag of the schedule of each request, in ms; NaN where a request was not sent. `sampled`: the
 * rows are only some of the requests, so that those in flight cannot be counted.
 * @returns {{at: Float64Array, lag: Float64Array, own: Float64Array, waited: number}}
 *   at: seconds of the run at which the request was due; lag: sent - due; own: the part that the
 *   client itself may have caused: start - due, if the request did not wait for its turn under the
 *   limit of requests in flight (NaN if it did, or if the requests were all due at once);
 *   waited: the number of requests that waited for their turn
 */
export function scheduleLag(rows, description, sampled = false) {
  const most = description?.max_concurrency ?? Infinity;
  const judged = paced(description) && !(sampled && Number.isFinite(most));
  const inFlight = judged && Number.isFinite(most) ? inFlightAtStart(rows) : null;
  const at = new Float64Array(rows.count).fill(NaN);
  const lag = new Float64Array(rows.count).fill(NaN);
  const own = new Float64Array(rows.count).fill(NaN);
  let waited = 0;
  for (let i = 0; i < rows.count; ++i) {
    const start = rows.start[i];
    if (start !== start) continue;
    const due = rows.due[i] === rows.due[i] ? rows.due[i] : start;
    at[i] = due / 1000;
    lag[i] = Math.max(0, rows.sent[i] - due);
    const queued = inFlight !== null && inFlight[i] >= most && start > due;
    if (queued) ++waited;
    if (judged && !queued) own[i] = Math.max(0, start - due);
  }
  return {at, lag, own, waited};
}

/**
 * The spans of time in which the client kept the schedule late: a span is bad if a tenth of its
 * requests were late by their own client by more than the INVALID limit (10 % of the time to the
 * first token, or 5 ms, whichever is larger), and to be suspected above the SUSPECT limit.
 * @returns {{from: number, to: number, kind: "bad" | "warn"}[]} in seconds; neighbours are joined
 */
export function lateSpans(rows, {at, own}, bins = 100) {
  let end = 0;
  for (let i = 0; i < at.length; ++i) if (at[i] > end) end = at[i];
  if (!(end > 0)) return [];
  const total = new Float64Array(bins);
  const suspect = new Float64Array(bins);
  const invalid = new Float64Array(bins);
  for (let i = 0; i < at.length; ++i) {
    if (own[i] !== own[i]) continue;
    const bin = Math.min(bins - 1, Math.floor(at[i] / end * bins));
    const ttft = rows.ttft[i] === rows.ttft[i] ? rows.ttft[i] : 0;
    ++total[bin];
    if (own[i] > Math.max(SUSPECT.ms, SUSPECT.share * ttft)) ++suspect[bin];
    if (own[i] > Math.max(INVALID.ms, INVALID.share * ttft)) ++invalid[bin];
  }
  const spans = [];
  for (let bin = 0; bin < bins; ++bin) {
    if (total[bin] === 0) continue;
    const kind = invalid[bin] >= 0.1 * total[bin] ? "bad" : suspect[bin] >= 0.1 * total[bin] ? "warn" : null;
    if (kind === null) continue;
    const span = {from: bin / bins * end, to: (bin + 1) / bins * end, kind};
    const before = spans.at(-1);
    if (before && before.kind === kind && Math.abs(before.to - span.from) < end * 1e-9) before.to = span.to;
    else spans.push(span);
  }
  return spans;
}

/** The part of a run in which a span is bad or suspected, in seconds. */
export function lengthOf(spans, kind) {
  return spans.reduce((sum, span) => (span.kind === kind ? sum + span.to - span.from : sum), 0);
}
