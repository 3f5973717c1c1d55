// Leaves out what the pixels cannot show, and nothing else: every outlier stays.

/** The first index with x[index] >= value; x ascends. */
export function lowerBound(x, value) {
  let low = 0,
    high = x.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (x[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The range of indices that a line from `from` to `to` needs: one more on each side. */
export function visible(x, from, to) {
  return [Math.max(0, lowerBound(x, from) - 1), Math.min(x.length, lowerBound(x, to) + 1)];
}

/**
 * Indices of a line's points from `begin` to `end`: for each pixel column the first, the lowest,
 * the highest and the last value, in order (M4, Jugel et al., VLDB 2014: the drawing is the same).
 * Where y is not finite the line has a gap, which is kept as one index of a value that is not
 * finite.
 * @param {(index: number) => number} column  the pixel column of a point
 * @returns {number[]}
 */
export function thinLine(y, begin, end, column) {
  const kept = [];
  let first = -1,
    low = -1,
    high = -1,
    last = -1,
    at = NaN;
  const flush = () => {
    if (first < 0) return;
    kept.push(first);
    for (const index of low < high ? [low, high] : [high, low])
      if (index !== kept[kept.length - 1]) kept.push(index);
    if (last !== kept[kept.length - 1]) kept.push(last);
    first = -1;
  };
  for (let i = begin; i < end; ++i) {
    if (!Number.isFinite(y[i])) {
      flush();
      if (kept.length && Number.isFinite(y[kept[kept.length - 1]])) kept.push(i);
      continue;
    }
    const place = column(i);
    if (first < 0 || place !== at) {
      flush();
      first = low = high = i;
      at = place;
    }
    if (y[i] < y[low]) low = i;
    if (y[i] > y[high]) high = i;
    last = i;
  }
  flush();
  return kept;
}

/**
 * Indices of points, one for each place of `cell` pixels, with how many points share the place.
 * @param {(index: number) => number} left  pixels from the left, NaN: not visible
 * @param {(index: number) => number} top
 * @returns {{indices: Uint32Array, counts: Uint32Array}}
 */
export function thinPoints(length, left, top, width, height, cell) {
  const across = Math.ceil(width / cell) + 1;
  const down = Math.ceil(height / cell) + 1;
  const place = new Int32Array(across * down).fill(-1);
  const indices = [];
  const counts = [];
  for (let i = 0; i < length; ++i) {
    const x = left(i),
      y = top(i);
    if (!(x >= -cell && x <= width + cell && y >= -cell && y <= height + cell)) continue;
    const at =
      Math.min(down - 1, Math.max(0, Math.floor(y / cell))) * across +
      Math.min(across - 1, Math.max(0, Math.floor(x / cell)));
    if (place[at] < 0) {
      place[at] = indices.length;
      indices.push(i);
      counts.push(1);
    } else {
      ++counts[place[at]];
    }
  }
  return {indices: Uint32Array.from(indices), counts: Uint32Array.from(counts)};
}
