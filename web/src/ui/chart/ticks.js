// Ticks of a logarithmic axis.

/** 1, 2, 5 or 1 or every nth power of ten between two values, at most about `most`. */
export function logTicks(low, high, most) {
  if (!(low > 0 && high > low)) return [low, high].filter((v) => v > 0);
  const from = Math.floor(Math.log10(low)),
    to = Math.ceil(Math.log10(high));
  const inside = (ticks) => ticks.filter((v) => v >= low * (1 - 1e-9) && v <= high * (1 + 1e-9));
  const decades = (factors, step = 1) => {
    const ticks = [];
    for (let e = from; e <= to; e += step) for (const f of factors) ticks.push(Number(`${f}e${e}`));
    return inside(ticks);
  };
  let fine = decades([1, 2, 5]);
  if (fine.length < 3) fine = decades([1, 1.5, 2, 3, 4, 5, 6, 7, 8, 9]);
  if (fine.length >= 2 && fine.length <= most) return fine;
  if (fine.length < 2)
    return [low, Math.sqrt(low * high), high].map((v) => Number(v.toPrecision(3)));
  for (let step = 1; ; ++step) {
    const ticks = decades([1], step);
    if (ticks.length <= Math.max(2, most)) return ticks.length >= 2 ? ticks : fine;
  }
}

/** Multiples of 1, 2 or 5 times a power of ten, at most about `most`. */
export function niceTicks(low, high, most) {
  const least = (high - low) / Math.max(1, most);
  if (!(least > 0)) return [low];
  const power = 10 ** Math.floor(Math.log10(least));
  const step = power * ([1, 2, 5].find((f) => f * power >= least * (1 - 1e-9)) ?? 10);
  const ticks = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; ++i)
    ticks.push(Number((i * step).toPrecision(12)));
  return ticks;
}

/** Zero and powers of ten on both sides of it, for an axis that is linear up to 2. */
export function symlogTicks(low, high, most) {
  if (low >= -2 && high <= 2) return niceTicks(low, high, most);
  const last = Math.floor(Math.log10(Math.max(-low, high)));
  const sides = low < -1 && high > 1 ? 2 : 1;
  const each = Math.max(1, Math.ceil((sides * (last + 1)) / Math.max(1, most - 1)));
  const ticks = [0];
  for (let e = 0; e <= last; e += each) ticks.push(Number(`1e${e}`), -Number(`1e${e}`));
  const inside = ticks.filter((v) => v >= low && v <= high).sort((a, b) => a - b);
  return inside.length < 3 ? niceTicks(low, high, most) : inside;
}

/** Round numbers that are far enough apart on an axis of square roots. */
export function sqrtTicks(low, high, most) {
  const step = (Math.sqrt(high) - Math.sqrt(Math.max(0, low))) / Math.max(1, most);
  const ticks = [];
  for (const v of niceTicks(low, high, 2 * most))
    if (v >= 0 && (!ticks.length || Math.sqrt(v) - Math.sqrt(ticks.at(-1)) >= step)) ticks.push(v);
  return ticks;
}
