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
