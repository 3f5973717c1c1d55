// Percentiles of a part of a long array without sorting it all: Hoare's selection (FIND, 1961).
// The percentile is numpy's default, which the program uses too: linear between the two nearest
// ranks (Hyndman and Fan 1996, definition 7).

/**
 * Moves the k-th smallest value of values[from..to) to place from + k, smaller values before it and
 * larger ones behind it.
 * @param {Float64Array} values no NaN in the range
 * @param {number} k 0-based
 */
export function select(values, k, from = 0, to = values.length) {
  let low = from;
  let high = to - 1;
  const want = from + k;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const a = values[low], b = values[middle], c = values[high];
    const pivot = a < b ? (b < c ? b : a < c ? c : a) : (a < c ? a : b < c ? c : b);
    let i = low;
    let j = high;
    while (i <= j) {
      while (values[i] < pivot) ++i;
      while (values[j] > pivot) --j;
      if (i > j) break;
      const held = values[i];
      values[i++] = values[j];
      values[j--] = held;
    }
    if (want <= j) high = j;
    else if (want >= i) low = i;
    else break;
  }
  return values[want];
}

/**
 * Percentiles of values[from..to), which are reordered.
 * @param {Float64Array} values no NaN in the range
 * @param {number[]} percents ascending, 0..100
 * @returns {number[]} NaN each for an empty range
 */
export function percentiles(values, percents, from = 0, to = values.length) {
  const count = to - from;
  if (count <= 0) return percents.map(() => NaN);
  let sorted = from;  // nothing before this place is larger than anything behind it
  return percents.map((percent) => {
    const rank = percent / 100 * (count - 1);
    const below = Math.min(Math.floor(rank), count - 1);
    const value = select(values, from + below - sorted, sorted, to);
    sorted = from + below;
    if (rank === below) return value;
    let above = Infinity;
    for (let i = sorted + 1; i < to; ++i) if (values[i] < above) above = values[i];
    return value + (above - value) * (rank - below);
  });
}

/**
 * The same without a change of `values`; NaN is left out.
 * @param {ArrayLike<number>} values
 */
export function percentilesOf(values, percents) {
  const kept = present(values);
  return percentiles(kept, percents);
}

/** A copy without NaN. */
export function present(values) {
  const out = new Float64Array(values.length);
  let n = 0;
  for (let i = 0; i < values.length; ++i) if (values[i] === values[i]) out[n++] = values[i];
  return out.subarray(0, n);
}
