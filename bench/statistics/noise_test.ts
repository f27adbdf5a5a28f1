import { assertAlmostEquals, assertEquals } from "@std/assert";
import { detectableDifference } from "./chance.ts";
import { createRandom } from "../lib/random.ts";
import { draw, normal } from "../testing/noise.ts";
import { noiseOf, spreadOf } from "./noise.ts";
import { type RatioInterval, ratioInterval } from "./ratio.ts";

function compared(logRatio: number, margin: number): RatioInterval {
  const [low, estimate, high] = [logRatio - margin, logRatio, logRatio + margin].map(Math.exp);
  return {
    ...{ estimate: estimate!, low: low!, high: high! },
    ...{ confidence: 0.95, method: "t", rounds: 5 },
  };
}

Deno.test("noiseOf() sums comparisons up: mean, false alarms to either side, and what can be found", () => {
  const noise = noiseOf([
    compared(0.01, 0.02),
    compared(0.03, 0.02),
    compared(0.02, 0.03),
    compared(-0.06, 0.02),
  ])!;
  // The values of ratio_test.ts, one of them with another sign: mean 0, standard deviation √(0.005 / 3).
  assertEquals(noise.comparisons, 4);
  assertAlmostEquals(noise.mean.estimate, 1, 1e-12);
  assertAlmostEquals(noise.standardDeviation, Math.sqrt(0.005 / 3), 1e-12);
  assertAlmostEquals(Math.log(noise.mean.high), 3.182446 * Math.sqrt(0.005 / 12), 1e-7);
  assertAlmostEquals(noise.mean.low * noise.mean.high, 1, 1e-12);
  const { count, share, low, high } = noise.falseAlarms;
  assertEquals([count, share], [2, 0.5]);
  // The shares at which sums of binomial terms are 0.025.
  assertAlmostEquals(low, 0.0675860, 1e-6);
  assertAlmostEquals(high, 0.9324140, 1e-6);
  assertEquals(noise.detectableDifference, detectableDifference(noise.standardDeviation, 5));
});

Deno.test("noiseOf() says nothing of one comparison", () => {
  assertEquals(noiseOf([compared(0, 0.1)]), undefined);
});

Deno.test("spreadOf() is the root of an F statistic, with its interval", () => {
  // scipy 1.17.1: the same four, with standard errors of the margins over t.ppf(0.975, 4), and f.ppf with 3 and 16 degrees of freedom.
  const spread = spreadOf([
    compared(0.01, 0.02),
    compared(0.03, 0.02),
    compared(0.02, 0.03),
    compared(-0.06, 0.02),
  ]);
  assertAlmostEquals(spread.estimate, 4.94690778, 1e-7);
  assertAlmostEquals(spread.low, 2.45003834, 1e-7);
  assertAlmostEquals(spread.high, 18.66205473, 1e-6);
});

Deno.test("spreadOf() takes the degrees of freedom that an interval states", () => {
  const ratios = [-0.01, 0, 0.01].map((logRatio) => compared(logRatio, 0.02));
  const stated = ratios.map((ratio) => ({ ...ratio, rounds: 9, degreesOfFreedom: 4 }));
  assertEquals(spreadOf(stated), spreadOf(ratios));
});

Deno.test("spreadOf() is about 1 where comparisons differ by their rounds alone, and more where they also differ by themselves", () => {
  const random = createRandom(7);
  for (const rounds of [5, 10]) {
    const meanSquare = (between: number) => {
      const squares = draw(200, () => {
        const ratios = draw(20, () => {
          const own = between * normal(random);
          return ratioInterval(draw(rounds, () => own + 0.05 * normal(random)))!;
        });
        return spreadOf(ratios).estimate ** 2;
      });
      return Math.sqrt(squares.reduce((total, square) => total + square) / squares.length);
    };
    assertAlmostEquals(meanSquare(0), 1, 0.08);
    // As much variance again as rounds leave.
    assertAlmostEquals(meanSquare(0.05 / Math.sqrt(rounds)), Math.SQRT2, 0.12);
  }
});
