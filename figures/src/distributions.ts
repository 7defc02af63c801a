/**
 * Quantiles and distribution functions, to about 1e-12 of SciPy's. Own code, since the library for them consists of 239 packages
 * with 28 MB, and whoever recomputes a report should need none.
 */

/** The quantile of the standard normal distribution. Acklam's approximation, refined by a step of Halley's method. */
export function normalQuantile(p: number): number {
  if (!(p > 0 && p < 1)) return p === 0 ? -Infinity : p === 1 ? Infinity : Number.NaN;
  // From the nearer tail, so that it stays exact for probabilities close to 1.
  if (p > 0.5) return -normalQuantile(1 - p);
  const q = Math.sqrt(-2 * Math.log(p));
  // Abramowitz and Stegun 26.2.23: to 4.5e-4.
  let x = -(q - (2.515517 + q * (0.802853 + q * 0.010328)) / (1 + q * (1.432788 + q * (0.189269 + q * 0.001308))));
  for (let step = 0; step < 6; step++) {
    const error = (normalCdf(x) - p) / normalDensity(x);
    const change = error / (1 + (x * error) / 2);
    x -= change;
    if (Math.abs(change) < 1e-15 * Math.abs(x)) break;
  }
  return x;
}

const normalDensity = (x: number) => Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);

export function normalCdf(x: number): number {
  const tail = 0.5 * upperGamma(x * x * 0.5);
  return x > 0 ? 1 - tail : tail;
}

/** Q(1/2, x), the regularized upper incomplete gamma function: the complementary error function of the root of `x`. */
function upperGamma(x: number): number {
  if (x < 1.5) {
    let term = 1 / 0.5;
    let sum = term;
    for (let n = 1; n < 500 && Math.abs(term) > 1e-17 * Math.abs(sum); n++) {
      term *= x / (0.5 + n);
      sum += term;
    }
    return 1 - sum * Math.sqrt(x) * Math.exp(-x) * inverseRootPi;
  }
  // Lentz's continued fraction.
  let b = x + 0.5;
  let c = 1 / tiny;
  let d = 1 / b;
  let h = d;
  for (let n = 1; n < 500; n++) {
    const a = -n * (n - 0.5);
    b += 2;
    d = 1 / nonzero(a * d + b);
    c = nonzero(b + a / c);
    h *= d * c;
    if (Math.abs(d * c - 1) < 1e-16) break;
  }
  return h * Math.sqrt(x) * Math.exp(-x) * inverseRootPi;
}

const inverseRootPi = 1 / Math.sqrt(Math.PI);
const tiny = 1e-300;
const nonzero = (value: number) => (Math.abs(value) < tiny ? tiny : value);

/** The regularized incomplete beta function, by Lentz's continued fraction. */
export function betaCdf(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const front = Math.exp(a * Math.log(x) + b * Math.log1p(-x) + logGamma(a + b) - logGamma(a) - logGamma(b));
  return x < (a + 1) / (a + b + 2) ? (front * betaFraction(x, a, b)) / a : 1 - (front * betaFraction(1 - x, b, a)) / b;
}

function betaFraction(x: number, a: number, b: number): number {
  let c = 1;
  let d = 1 / nonzero(1 - ((a + b) * x) / (a + 1));
  let h = d;
  for (let m = 1; m < 10_000; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / nonzero(1 + even * d);
    c = nonzero(1 + even / c);
    h *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / nonzero(1 + odd * d);
    c = nonzero(1 + odd / c);
    h *= d * c;
    if (Math.abs(d * c - 1) < 1e-16) break;
  }
  return h;
}

/** The natural logarithm of the gamma function of a positive number. Stirling's series, from 12 on. */
function logGamma(x: number): number {
  let shift = 0;
  while (x < 12) shift -= Math.log(x++);
  const r = 1 / (x * x);
  const series = (1 / 12 - r * (1 / 360 - r * (1 / 1260 - r * (1 / 1680 - r * (1 / 1188 - (r * 691) / 360_360))))) / x;
  return shift + (x - 0.5) * Math.log(x) - x + 0.5 * Math.log(2 * Math.PI) + series;
}

/** Student's t distribution function, also for degrees of freedom that are no integers. */
export function tCdf(t: number, df: number): number {
  return t > 0 ? 1 - tTail(t, df) : tTail(t, df);
}

/** The probability of a value further from 0 than `t`, on one side. */
const tTail = (t: number, df: number) => 0.5 * betaCdf(df / (df + t * t), df / 2, 0.5);

/** The quantile of Student's t distribution. Newton's method on the tail, kept between bounds. */
export function tQuantile(p: number, df: number): number {
  if (!(p > 0 && p < 1)) return p === 0 ? -Infinity : p === 1 ? Infinity : Number.NaN;
  if (p < 0.5) return -fromTail(p, df);
  return fromTail(1 - p, df);
}

function fromTail(tail: number, df: number): number {
  if (tail === 0.5) return 0;
  let low = 0;
  let high = 2;
  while (tTail(high, df) > tail) {
    low = high;
    high *= 2;
  }
  let t = (low + high) / 2;
  for (let step = 0; step < 200 && high - low > 1e-15 * high; step++) {
    const probability = tTail(t, df);
    if (probability < tail) high = t;
    else low = t;
    const next = t + (probability - tail) / tDensity(t, df);
    if (Math.abs(next - t) < 1e-15 * t) return next;
    t = next > low && next < high ? next : (low + high) / 2;
  }
  return t;
}

const tDensity = (t: number, df: number) =>
  Math.exp(logGamma((df + 1) / 2) - logGamma(df / 2) - ((df + 1) / 2) * Math.log1p((t * t) / df)) /
  Math.sqrt(df * Math.PI);
