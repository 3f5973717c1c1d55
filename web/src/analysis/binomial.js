// What a sample says about the share of requests over a limit, and about a percentile.
// The effective number of observations, which may be a fraction, takes the place of the count:
// requests that follow each other are not independent.

const lanczos = [676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7];

/** ln Γ(x) for x > 0 (Lanczos 1964, g = 7, relative error below 1e-13). */
export function lnGamma(x) {
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - lnGamma(1 - x);
  let sum = 0.99999999999980993;
  for (let i = 0; i < lanczos.length; ++i) sum += lanczos[i] / (x + i);
  const t = x + 6.5;
  return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(t) - t + Math.log(sum);
}

/** The continued fraction of the incomplete beta function (DLMF 8.17.22, modified Lentz). */
function fraction(a, b, x) {
  const tiny = 1e-300;
  let c = 1;
  let d = 1 - (a + b) * x / (a + 1);
  d = 1 / (Math.abs(d) < tiny ? tiny : d);
  let out = d;
  for (let m = 1; m < 10000; ++m) {
    const steps = [m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
      -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))];
    let factor = 1;
    for (const step of steps) {
      d = 1 + step * d;
      d = 1 / (Math.abs(d) < tiny ? tiny : d);
      c = 1 + step / c;
      if (Math.abs(c) < tiny) c = tiny;
      factor = c * d;
      out *= factor;
    }
    if (Math.abs(factor - 1) < 1e-14) break;
  }
  return out;
}

/**
 * The regularised incomplete beta function I_x(a, b): the probability that a Beta(a, b) variable
 * is at most x.
 */
export function betaIncomplete(a, b, x) {
  if (!(x > 0)) return 0;
  if (!(x < 1)) return 1;
  const front = Math.exp(lnGamma(a + b) - lnGamma(a) - lnGamma(b) + a * Math.log(x) +
    b * Math.log1p(-x));
  if (x < (a + 1) / (a + b + 2)) return front * fraction(a, b, x) / a;
  return 1 - front * fraction(b, a, 1 - x) / b;
}

/** The x with I_x(a, b) = probability: Newton's steps, and bisection where a step leads astray. */
export function betaQuantile(a, b, probability) {
  const front = lnGamma(a + b) - lnGamma(a) - lnGamma(b);
  let low = 0;
  let high = 1;
  let x = a / (a + b);
  for (let i = 0; i < 200; ++i) {
    const off = betaIncomplete(a, b, x) - probability;
    if (off < 0) low = x;
    else high = x;
    const density = Math.exp(front + (a - 1) * Math.log(x) + (b - 1) * Math.log1p(-x));
    let next = x - off / density;
    if (!(next > low && next < high)) next = (low + high) / 2;
    const change = Math.abs(next - x);
    x = next;
    if (change <= 1e-13 * x || high - low <= 1e-15 * high) break;
  }
  return x;
}

/**
 * The two-sided interval of a share, `hits` of `count` (Clopper and Pearson 1934; both may be
 * fractions).
 * @returns {[number, number]} [0, 1] without observations
 */
export function shareInterval(hits, count, confidence) {
  if (!(count > 0)) return [0, 1];
  const half = (1 - confidence) / 2;
  const k = Math.min(Math.max(hits, 0), count);
  return [k <= 0 ? 0 : betaQuantile(k, count - k + 1, half),
    k >= count ? 1 : betaQuantile(k + 1, count - k, 1 - half)];
}

/** The one-sided upper bound of a share. */
export function shareBound(hits, count, confidence) {
  if (!(count > 0) || hits >= count) return 1;
  return betaQuantile(hits + 1, count - hits, confidence);
}

/**
 * Half the height of the band around a whole distribution function that contains the true function
 * (Dvoretzky, Kiefer and Wolfowitz 1956, constant of Massart 1990).
 */
export function bandHalf(count, confidence) {
  return count > 0 ? Math.min(1, Math.sqrt(Math.log(2 / (1 - confidence)) / (2 * count))) : 1;
}

/**
 * The two-sided interval of a percentile, as percents of the sample between which the true value
 * lies: P(B < k) and P(B >= k) of the binomial number B of values below it. NaN at an end that the
 * sample cannot bound.
 * @param {number} percent 0..100
 * @returns {[number, number]}
 */
export function percentInterval(percent, count, confidence) {
  const half = (1 - confidence) / 2;
  const p = percent / 100;
  // P(B >= k) = I_p(k, n-k+1). Lower rank: the largest k with P(B < k) <= half; upper rank: the
  // smallest k with P(B >= k) <= half.
  const below = (k) => k <= 0 ? 0 : k > count ? 1 : 1 - betaIncomplete(k, count - k + 1, p);
  let low = 0;
  for (let step = 2 ** Math.ceil(Math.log2(count + 1)); step >= 1; step /= 2)
    if (low + step <= count && below(low + step) <= half) low += step;
  let high = 0;  // the largest k with P(B >= k) > half
  for (let step = 2 ** Math.ceil(Math.log2(count + 1)); step >= 1; step /= 2)
    if (high + step <= count && 1 - below(high + step) > half) high += step;
  ++high;
  // Rank k of n effective values: the same place in a sample of another size.
  return [low < 1 ? NaN : 100 * (low - 0.5) / count,
    high > count ? NaN : 100 * (high - 0.5) / count];
}
