// Load over time: rates and requests in flight in bins of equal width, and Little's law.
import {endOf} from "./status.js";

/**
 * @typedef {import("../data/model.js").Rows} Rows
 * @typedef {import("./time-bins.js").Bins} Bins
 */

/**
 * Events per second of the run in each bin.
 * @param {ArrayLike<number>} at ms, NaN: none; @param {Bins} into
 */
export function rates(at, into, keep = null) {
  const out = new Float64Array(into.count);
  const perMs = 1 / (into.width * 1e3);
  for (let i = 0; i < at.length; ++i) {
    if (at[i] !== at[i] || (keep !== null && !keep(i))) continue;
    const bin = Math.floor(at[i] * perMs);
    if (bin < 0) ++out[0];
    else ++out[Math.min(bin, into.count - 1)];
  }
  for (let b = 0; b < out.length; ++b) out[b] /= into.lengths[b];
  return out;
}

/**
 * Adds amounts that are spread evenly over spans of time; collects the amount in each bin. The
 * work for a span does not depend on its length.
 */
class Spread {
  /** @param {Bins} into */
  constructor(into) {
    this.count = into.count;
    this.width = into.width * 1e3;
    this.lengths = into.lengths;
    this.end = (into.from[into.count - 1] + into.lengths[into.count - 1]) * 1e3;
    this.part = new Float64Array(into.count);
    this.slope = new Float64Array(into.count + 1);  // changes of the amount per ms in whole bins
  }

  add(from, to, amount) {
    // Rounding may put the last event behind the end of the run.
    const end = Math.max(this.end, this.count * this.width);
    if (!(to >= from) || to < 0 || from > end) return;
    if (to === from) {
      this.part[Math.min(this.count - 1, Math.floor(from / this.width))] += amount;
      return;
    }
    const perMs = amount / (to - from);
    const a = Math.max(0, from);
    const b = Math.min(end, to);
    const first = Math.min(this.count - 1, Math.floor(a / this.width));
    const last = Math.min(this.count - 1, Math.floor(b / this.width));
    if (first === last) {
      this.part[first] += perMs * (b - a);
      return;
    }
    this.part[first] += perMs * ((first + 1) * this.width - a);
    this.part[last] += perMs * (b - last * this.width);
    this.slope[first + 1] += perMs;
    this.slope[last] -= perMs;
  }

  /** The amount in each bin for each `unit` seconds of the run in it. */
  take(unit = 1) {
    const out = new Float64Array(this.count);
    for (let b = 0, perMs = 0; b < this.count; ++b) {
      perMs += this.slope[b];
      out[b] = (this.part[b] + perMs * this.width) / (this.lengths[b] / unit);
    }
    return out;
  }
}

/**
 * Output tokens per second: the tokens of a successful request are spread evenly over the time
 * from its first to its last event (the definition of peak_output_tokens_per_s).
 * @param {Rows} rows; @param {Bins} into
 */
export function outputRate(rows, into) {
  const sum = new Spread(into);
  for (let i = 0; i < rows.count; ++i) {
    if (!rows.ok(i) || !(rows.output[i] > 0)) continue;
    const last = rows.last[i];
    if (last !== last) continue;
    const first = rows.first[i] === rows.first[i] ? rows.first[i] : last;
    sum.add(first, last, rows.output[i]);
  }
  return sum.take();
}

/** Mean number of requests in flight in each bin. @param {Rows} rows; @param {Bins} into */
export function meanInFlight(rows, into) {
  const sum = new Spread(into);
  for (let i = 0; i < rows.count; ++i) {
    const start = rows.start[i];
    const end = endOf(rows, i);
    if (end > start) sum.add(start, end, end - start);
  }
  return sum.take(1e-3);
}

/**
 * Requests in flight, failed requests included: the mean over the time of each bin, and the lowest
 * and highest number in it.
 * @param {Rows} rows; @param {Bins} into
 * @returns {{mean: Float64Array, low: Float64Array, high: Float64Array}}
 */
export function inFlight(rows, into) {
  const starts = new Float64Array(rows.count);
  const ends = new Float64Array(rows.count);
  let n = 0;
  for (let i = 0; i < rows.count; ++i) {
    const start = rows.start[i];
    const end = endOf(rows, i);
    if (start !== start || !(end >= start)) continue;
    starts[n] = start;
    ends[n++] = end;
  }
  const s = starts.subarray(0, n).sort();
  const e = ends.subarray(0, n).sort();
  const width = into.width * 1e3;
  const low = new Float64Array(into.count);
  const high = new Float64Array(into.count);
  let now = 0;
  for (let b = 0, i = 0, j = 0; b < into.count; ++b) {
    const to = b + 1 === into.count ? Infinity : (b + 1) * width;
    // Requests that end as the bin begins do not belong to it.
    for (; j < i && e[j] <= b * width; ++j) --now;
    let least = now;
    let most = now;
    while (j < n && (e[j] < to || (i < n && s[i] < to))) {
      // An end at the same instant goes first: a slot that is handed over counts once.
      if (i >= n || e[j] <= s[i]) {
        if (e[j] >= to) break;
        --now;
        ++j;
      } else {
        if (s[i] >= to) break;
        ++now;
        ++i;
      }
      if (now < least) least = now;
      if (now > most) most = now;
    }
    low[b] = Math.max(0, least);
    high[b] = most;
  }
  return {mean: meanInFlight(rows, into), low, high};
}

/**
 * λ·W of each bin: the seconds of life of the requests that start in it, divided by the
 * seconds of the run in it. In a steady state it equals the number in flight (Little 1961).
 * @param {Rows} rows; @param {Bins} into
 */
export function arrivalWork(rows, into) {
  const out = new Float64Array(into.count);
  const width = into.width * 1e3;
  for (let i = 0; i < rows.count; ++i) {
    const life = endOf(rows, i) - rows.start[i];
    if (!(life >= 0)) continue;
    out[Math.min(into.count - 1, Math.max(0, Math.floor(rows.start[i] / width)))] += life;
  }
  for (let b = 0; b < out.length; ++b) out[b] /= into.lengths[b] * 1e3;
  return out;
}

/**
 * Little's law in a window: λ is the number of starts per second, W the mean life of these
 * requests, N the mean number in flight.
 * @param {Rows} rows
 * @param {number} from ms; @param {number} to ms
 * @returns {{count: number, lambda: number, w: number, n: number, residual: number}}
 *     W in seconds; residual λ·W/N − 1, NaN if nothing was in flight
 */
export function little(rows, from, to) {
  let count = 0;
  let life = 0;
  let flight = 0;
  for (let i = 0; i < rows.count; ++i) {
    const start = rows.start[i];
    const end = endOf(rows, i);
    if (!(end >= start)) continue;
    if (start >= from && start <= to) {
      ++count;
      life += end - start;
    }
    const part = Math.min(end, to) - Math.max(start, from);
    if (part > 0) flight += part;
  }
  const length = to - from;
  const lambda = length > 0 ? count / length * 1e3 : NaN;
  const w = count > 0 ? life / count / 1e3 : NaN;
  const n = length > 0 ? flight / length : NaN;
  return {count, lambda, w, n, residual: n > 0 ? (count > 0 ? lambda * w : 0) / n - 1 : NaN};
}

/**
 * The steady part of a run in seconds: facts.steady if it was found, else upstream's window.
 * @returns {{begin: number, end: number, source: string} | {reason: string}}
 */
export function steadyWindow(facts) {
  const own = facts?.steady;
  if (own?.found && own.end_s > own.begin_s)
    return {begin: own.begin_s, end: own.end_s, source: own.method ?? "facts.steady"};
  const upstream = facts?.steady_state?.window;
  if (upstream && upstream.end_s > upstream.start_s)
    return {begin: upstream.start_s, end: upstream.end_s,
      source: "--steady-state-threshold, the full share of --max-concurrency"};
  return {reason: own?.reason ?? facts?.steady_state_missing ??
    "no steady part was looked for in this run"};
}

/**
 * The rate that the schedule wanted in requests per second, or null if there is no constant rate:
 * all requests were due at the start, or at the times of a pattern or of the data.
 * @param {import("../data/model.js").Run} run
 */
export function plannedRate(run) {
  const {description = {}, config = {}} = run;
  const rate = description.request_rate ?? config.load?.["request-rate"];
  if (typeof rate !== "number" || !Number.isFinite(rate) || !(rate > 0)) return null;
  if (description.self_timed || description.ramp_up || description.traffic) return null;
  return rate;
}

/** Whether requests were due one after the other, and not all of them at the start. */
export function paced(run) {
  const {self_timed: own, ramp_up: ramp, traffic} = run.description ?? {};
  return plannedRate(run) !== null || Boolean(own || ramp || traffic);
}

/** The limit of requests in flight, or null. */
export function concurrencyLimit(run) {
  const limit = run.description?.max_concurrency ?? run.config?.load?.["max-concurrency"];
  return typeof limit === "number" && limit > 0 ? limit : null;
}

/**
 * Requests offered (due) and served (ended well) per second in a window in ms. Default: the second
 * half of the schedule, where requests of the start no longer ramp up and the drain has not begun.
 * There a server that keeps up ends as many requests as are due, whatever their latency.
 * @param {Rows} rows
 * @returns {{offered: number, served: number, due: number, done: number}} rates NaN if all
 *     requests were due at the same time
 */
export function offeredAndServed(rows, from = NaN, to = NaN) {
  if (from !== from || to !== to) {
    let first = Infinity;
    let last = -Infinity;
    for (let i = 0; i < rows.count; ++i) {
      if (rows.due[i] < first) first = rows.due[i];
      if (rows.due[i] > last) last = rows.due[i];
    }
    from = (first + last) / 2;
    to = last;
  }
  let due = 0;
  let done = 0;
  for (let i = 0; i < rows.count; ++i) {
    if (rows.due[i] > from && rows.due[i] <= to) ++due;
    if (!rows.ok(i)) continue;
    const end = endOf(rows, i);
    if (end > from && end <= to) ++done;
  }
  const length = (to - from) / 1e3;
  return {offered: length > 0 ? due / length : NaN, served: length > 0 ? done / length : NaN, due,
    done};
}
