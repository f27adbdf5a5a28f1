/**
 * The distributions behind the intervals. Own numerics, for want of a library that fits: jstat ends its
 * continued fraction after 100 terms, too soon for 500,000 requests; cephes does not load in Deno;
 * the quantiles of stdlib bring a hundred packages.
 */
import { memo } from "../lib/memo.ts";

/**
 * Returns the regularised incomplete beta function I_x(a, b): the chance that a variable with the distribution
 * Beta(a, b) is at most `x`. To some 9 digits for a + b around a million, to 13 for small ones.
 *
 * Continued fraction 8.17.22 of the NIST Digital Library of Mathematical Functions (https://dlmf.nist.gov/8.17),
 * evaluated with Lentz's method (Press et al., Numerical Recipes, 3rd edition, sections 5.2 and 6.4).
 *
 * @throws {RangeError} when the fraction does not converge within 100,000 terms.
 */
export function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  // The fraction converges quickly only below the mean; above it, the mirror image does.
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a);
  const tiny = 1e-300;
  const orTiny = (value: number) => Math.abs(value) < tiny ? tiny : value;
  let denominator = 1 / orTiny(1 - (a + b) * x / (a + 1));
  let numerator = 1;
  let fraction = denominator;
  for (let m = 1, change = 0; Math.abs(change - 1) > 1e-15; m++) {
    const even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    denominator = 1 / orTiny(1 + even * denominator);
    numerator = orTiny(1 + even / numerator);
    fraction *= denominator * numerator;
    const odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    denominator = 1 / orTiny(1 + odd * denominator);
    numerator = orTiny(1 + odd / numerator);
    change = denominator * numerator;
    fraction *= change;
    // The number of terms grows with the square root of a and b.
    if (m > 100_000) throw new RangeError(`incompleteBeta(${x}, ${a}, ${b}) does not converge`);
  }
  const logBeta = logGamma(a) + logGamma(b) - logGamma(a + b);
  return Math.exp(a * Math.log(x) + b * Math.log1p(-x) - logBeta) * fraction / a;
}

/** Returns the `probability` quantile of Beta(a, b): the inverse of {@linkcode incompleteBeta}, by bisection. */
export function betaQuantile(probability: number, a: number, b: number): number {
  let [low, high] = [0, 1];
  while (true) {
    const middle = (low + high) / 2;
    // No number lies between the two.
    if (middle === low || middle === high) return middle;
    if (incompleteBeta(middle, a, b) < probability) low = middle;
    else high = middle;
  }
}

/**
 * Returns t such that Student's variable with these degrees of freedom, a whole number or not, lies within ±t
 * with this probability (Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.1 and 26.5.27).
 */
export function studentTWithin(probability: number, degreesOfFreedom: number): number {
  // The bisection takes the longest by far of an interval by t. Counts of rounds recur, Satterthwaite's freedom does not.
  const isCount = Number.isInteger(degreesOfFreedom);
  return (isCount ? knownStudentTWithin : findStudentTWithin)(probability, degreesOfFreedom);
}

function findStudentTWithin(probability: number, degreesOfFreedom: number): number {
  const share = betaQuantile(probability, 0.5, degreesOfFreedom / 2);
  return Math.sqrt(degreesOfFreedom * share / (1 - share));
}

const knownStudentTWithin = memo(findStudentTWithin);

/**
 * Returns the `probability` quantile of the chi-square distribution with these degrees of freedom, above 0, a whole number
 * or not: the inverse, by bisection, of the regularised incomplete gamma function (Abramowitz and Stegun, 26.4.19).
 */
export function chiSquareQuantile(probability: number, degreesOfFreedom: number): number {
  const chanceBelow = (value: number) => incompleteGamma(degreesOfFreedom / 2, value / 2);
  let [low, high] = [0, degreesOfFreedom];
  while (chanceBelow(high) < probability) high *= 2;
  while (true) {
    const middle = (low + high) / 2;
    if (middle === low || middle === high) return middle;
    if (chanceBelow(middle) < probability) low = middle;
    else high = middle;
  }
}

/**
 * Returns the regularised incomplete gamma function P(a, x) for small a and x, tens at most: the series 8.7.1 of the
 * NIST Digital Library of Mathematical Functions, none of whose terms is negative.
 */
function incompleteGamma(a: number, x: number): number {
  if (x === 0) return 0;
  let term = Math.exp(a * Math.log(x) - x - logGamma(a + 1));
  let sum = 0;
  for (let n = 1; term > 1e-17 * sum; n++) {
    sum += term;
    term *= x / (a + n);
  }
  return sum;
}

/**
 * Returns the chance of each value 0, 1, … of the signed rank statistic of `n` differences that are symmetric
 * about zero: each rank is counted or not, with equal chance (Hollander, Wolfe and Chicken, Nonparametric
 * Statistical Methods, 3rd edition, section 3.1). Exact for every `n`.
 */
export function signedRankDistribution(n: number): number[] {
  let chances = [1];
  for (let rank = 1; rank <= n; rank++) {
    const next = new Array<number>(chances.length + rank).fill(0);
    chances.forEach((chance, sum) => {
      next[sum]! += chance / 2;
      next[sum + rank]! += chance / 2;
    });
    chances = next;
  }
  return chances;
}

/**
 * Returns the chance of each value 0, 1, … of the Mann–Whitney statistic of two samples of one distribution:
 * every arrangement of them is equally likely. The recurrence of Mann and Whitney, "On a Test of Whether one
 * of Two Random Variables is Stochastically Larger than the Other" (1947), Ann. Math. Statist. 18, section 3:
 * the largest value is of the first sample with chance m / (m + n), and is above all n of the second.
 */
export function mannWhitneyDistribution(m: number, n: number): number[] {
  // chances[j] is the distribution for samples of i and j.
  let chances: number[][] = Array.from({ length: n + 1 }, () => [1]);
  for (let i = 1; i <= m; i++) {
    const next: number[][] = [[1]];
    for (let j = 1; j <= n; j++) {
      const [without, below] = [chances[j]!, next[j - 1]!];
      const both = new Array<number>(i * j + 1).fill(0);
      without.forEach((chance, value) => both[value + j]! += i / (i + j) * chance);
      below.forEach((chance, value) => both[value]! += j / (i + j) * chance);
      next.push(both);
    }
    chances = next;
  }
  return chances[n]!;
}

/**
 * Returns ln Γ(x) for x > 0: Stirling's series (NIST Digital Library of Mathematical Functions, 5.11.1), from
 * an argument of 15 on, where the first term that is left out is below 1e-15; Γ(x) = Γ(x + 1) / x up to there.
 */
function logGamma(x: number): number {
  let [argument, product] = [x, 1];
  for (; argument < 15; argument++) product *= argument;
  const square = 1 / (argument * argument);
  const series = 1 / 12 +
    square * (-1 / 360 + square * (1 / 1260 + square * (-1 / 1680 + square / 1188)));
  return (argument - 0.5) * Math.log(argument) - argument + Math.log(2 * Math.PI) / 2 +
    series / argument - Math.log(product);
}
