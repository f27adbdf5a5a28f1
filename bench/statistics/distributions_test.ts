import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import fc from "fast-check";
import { sum } from "../lib/sum.ts";
import {
  betaQuantile,
  chiSquareQuantile,
  incompleteBeta,
  mannWhitneyDistribution,
  signedRankDistribution,
  studentTWithin,
} from "./distributions.ts";

const shape = fc.double({ min: 0.5, max: 1e6, noNaN: true });
// In steps that make 1 - share exact.
const share = fc.integer({ min: 0, max: 2 ** 20 }).map((steps) => steps / 2 ** 20);
const size = fc.integer({ min: 1, max: 12 });

Deno.test("incompleteBeta() agrees with scipy 1.17.1, special.betainc(a, b, x)", () => {
  const values: [x: number, a: number, b: number, expected: number][] = [
    [0.3, 2, 5, 0.5798250000000003],
    [0.999, 3, 0.5, 0.9407468104840536],
    [0.02, 1, 20, 0.3323920282449055],
    [0.001, 500, 499501, 0.5059560705086379],
    [1e-6, 1, 500000, 0.39346949192011366],
  ];
  for (const [x, a, b, expected] of values) {
    assertAlmostEquals(incompleteBeta(x, a, b), expected, a + b > 1000 ? 1e-9 : 1e-13);
  }
});

Deno.test("incompleteBeta() is a share, and its mirror image the rest", () => {
  fc.assert(fc.property(share, shape, shape, (x, a, b) => {
    const below = incompleteBeta(x, a, b);
    assert(below >= 0 && below <= 1 + 1e-8);
    assertAlmostEquals(below + incompleteBeta(1 - x, b, a), 1, 1e-8);
  }));
});

Deno.test("betaQuantile() is the inverse of incompleteBeta()", () => {
  const moderate = fc.double({ min: 1, max: 1e4, noNaN: true });
  const inside = fc.double({ min: 0.001, max: 0.999, noNaN: true });
  fc.assert(fc.property(inside, moderate, moderate, (probability, a, b) => {
    assertAlmostEquals(incompleteBeta(betaQuantile(probability, a, b), a, b), probability, 1e-9);
  }));
});

Deno.test("studentTWithin() agrees with scipy 1.17.1, stats.t.ppf(0.5 + probability / 2, df)", () => {
  assertAlmostEquals(studentTWithin(0.95, 2), 4.302652729749462, 1e-11);
  assertAlmostEquals(studentTWithin(0.95, 4), 2.7764451051977934, 1e-11);
  assertAlmostEquals(studentTWithin(0.99, 7.3), 3.451031655622185, 1e-11);
  assertAlmostEquals(studentTWithin(0.6, 9), 0.8834038596855346, 1e-11);
  assertAlmostEquals(studentTWithin(0.95, 1000), 1.9623390808264083, 1e-11);
});

Deno.test("signedRankDistribution() has the chances of the textbook's example", () => {
  // Hollander, Wolfe and Chicken, example 3.1: n = 9, T+ = 5, chance 0.0195.
  assertAlmostEquals(sum(signedRankDistribution(9).slice(0, 6)), 0.01953125, 1e-15);
});

Deno.test("signedRankDistribution() is that of all signs of all ranks", () => {
  const counts = new Array<number>(22).fill(0);
  for (let signs = 0; signs < 64; signs++) {
    counts[sum([1, 2, 3, 4, 5, 6].filter((rank) => signs & (1 << (rank - 1))))]!++;
  }
  assertEquals(signedRankDistribution(6), counts.map((count) => count / 64));
});

Deno.test("mannWhitneyDistribution() has the chances of the textbook's example", () => {
  // Hollander, Wolfe and Chicken, example 4.1: m = 10, n = 5, U = 35 or more, chance 0.1272.
  assertAlmostEquals(sum(mannWhitneyDistribution(10, 5).slice(35)), 0.1272, 5e-5);
  const counts = mannWhitneyDistribution(3, 2).map((chance) => Math.round(chance * 10));
  assertEquals(counts, [1, 1, 2, 2, 2, 1, 1]);
});

Deno.test("chiSquareQuantile() agrees with scipy 1.17.1, stats.chi2.ppf(probability, df), and with closed forms", () => {
  assertAlmostEquals(chiSquareQuantile(0.95, 1), 3.841458820694124, 1e-9);
  assertAlmostEquals(chiSquareQuantile(0.975, 10), 20.483177350807388, 1e-11);
  assertAlmostEquals(chiSquareQuantile(0.025, 1), 0.0009820691171752555, 1e-13);
  assertAlmostEquals(chiSquareQuantile(0.5, 3.7), 3.058889359041863, 1e-11);
  assertAlmostEquals(chiSquareQuantile(0.025, 8 / 3), 0.14791775539060417, 1e-11);
  assertAlmostEquals(chiSquareQuantile(0.975, 8 / 3), 8.716524745162694, 1e-11);
  for (const probability of [0.025, 0.5, 0.975]) {
    assertAlmostEquals(chiSquareQuantile(probability, 2), -2 * Math.log1p(-probability), 1e-12);
    const half = chiSquareQuantile(probability, 4) / 2;
    assertAlmostEquals(1 - Math.exp(-half) * (1 + half), probability, 1e-12);
  }
});

Deno.test("both rank distributions are symmetric and add up to 1", () => {
  fc.assert(fc.property(size, size, (m, n) => {
    for (const chances of [signedRankDistribution(m), mannWhitneyDistribution(m, n)]) {
      assertAlmostEquals(sum(chances), 1, 1e-12);
      chances.toReversed().forEach((chance, value) =>
        assertAlmostEquals(chance, chances[value]!, 1e-12)
      );
    }
    assertEquals(mannWhitneyDistribution(m, n).length, m * n + 1);
  }));
});
