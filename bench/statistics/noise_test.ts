import { assertAlmostEquals, assertEquals } from "@std/assert";
import { detectableDifference } from "./chance.ts";
import { noiseOf } from "./noise.ts";
import type { RatioInterval } from "./ratio.ts";

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
