import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { detectableDifference } from "./chance.ts";
import { createRandom } from "../lib/random.ts";
import { draw, logNormal, type Noise, normal, studentT3 } from "../testing/noise.ts";
import { mean } from "./descriptive.ts";
import { noiseOf, scatterOf } from "./noise.ts";
import { type RatioInterval, ratioInterval } from "./ratio.ts";

function compared(logRatio: number, margin: number): RatioInterval {
  const [low, estimate, high] = [logRatio - margin, logRatio, logRatio + margin].map(Math.exp);
  return {
    ...{ estimate: estimate!, low: low!, high: high! },
    ...{ confidence: 0.95, method: "t", rounds: 5 },
  };
}

const four = [
  compared(0.01, 0.02),
  compared(0.03, 0.02),
  compared(0.02, 0.03),
  compared(-0.06, 0.02),
];

Deno.test("noiseOf() sums comparisons up: mean, false alarms to either side, and what can be found", () => {
  const noise = noiseOf(four)!;
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

Deno.test("scatterOf() is the root of an F statistic, with its interval", () => {
  // scipy 1.17.1: the same four, with standard errors of the margins over t.ppf(0.975, 4), and f.ppf with 3 and 16 degrees of freedom.
  const scatter = scatterOf(four);
  assertAlmostEquals(scatter.estimate, 4.94690778, 1e-7);
  assertAlmostEquals(scatter.low, 2.45003834, 1e-7);
  assertAlmostEquals(scatter.high, 18.66205473, 1e-6);
});

Deno.test("scatterOf() takes the degrees of freedom that an interval states", () => {
  const ratios = [-0.01, 0, 0.01].map((logRatio) => compared(logRatio, 0.02));
  const stated = ratios.map((ratio) => ({ ...ratio, rounds: 9, degreesOfFreedom: 4 }));
  assertEquals(scatterOf(stated), scatterOf(ratios));
});

/** Twenty comparisons, seeded: the noise of rounds, how far comparisons differ by themselves, and how much noisier each is. */
function simulate(rounds: number, noise: Noise, between = 0, noisier: Noise = () => 1) {
  const random = createRandom(7);
  const scatters = draw(400, () =>
    scatterOf(draw(20, () => {
      const own = between * normal(random);
      const scale = 0.05 * noisier(random);
      return ratioInterval(draw(rounds, () => own + scale * noise(random)))!;
    })));
  const share = (is: (scatter: ReturnType<typeof scatterOf>) => boolean) =>
    scatters.filter(is).length / scatters.length;
  return {
    rootMeanSquare: Math.sqrt(mean(scatters.map(({ estimate }) => estimate ** 2))),
    holds: share(({ low, high }) => low <= 1 && high >= 1),
    above: share(({ low }) => low > 1),
  };
}

Deno.test("scatterOf() is about 1 where comparisons differ by their rounds alone, and its interval holds 1 as often as it states", () => {
  for (const rounds of [5, 8, 10]) {
    const { rootMeanSquare, holds } = simulate(rounds, normal);
    assertAlmostEquals(rootMeanSquare, 1, 0.06);
    // Four standard errors of a share of 400.
    assertAlmostEquals(holds, 0.95, 0.044);
  }
});

Deno.test("scatterOf() is more than 1 where comparisons differ by themselves", () => {
  for (const rounds of [5, 10]) {
    // As much variance again as rounds leave.
    const { rootMeanSquare, above } = simulate(rounds, normal, 0.05 / Math.sqrt(rounds));
    assertAlmostEquals(rootMeanSquare, Math.SQRT2, 0.1);
    assert(above > 0.4, `${above}`);
  }
});

Deno.test("scatterOf() is below 1 for intervals by ranks of rounds with heavy tails, which are wide", () => {
  for (const rounds of [8, 10]) {
    const { rootMeanSquare, holds, above } = simulate(rounds, studentT3);
    assert(rootMeanSquare < 0.9, `${rootMeanSquare}`);
    assertAlmostEquals(holds, 0.75, 0.12);
    assert(above < 0.025, `${above}`);
  }
});

Deno.test("scatterOf() has an interval that is too narrow where some comparisons are noisier than others", () => {
  const { rootMeanSquare, holds } = simulate(5, normal, 0, logNormal);
  assertAlmostEquals(rootMeanSquare, 1, 0.08);
  assertAlmostEquals(holds, 0.85, 0.07);
});
