import { assertAlmostEquals, assertEquals } from "@std/assert";
import { createRandom } from "../lib/random.ts";
import { draw, normal } from "../testing/noise.ts";
import { driftOf } from "./drift.ts";
import { widened } from "./runs.ts";
import { mean } from "./descriptive.ts";

Deno.test("driftOf() is the variance of parts around the mean of their run, less that of the rounds", () => {
  // Means 0 and 2, and 10 and 14: variances 2 and 8, 5 on average; the rounds have 0.02 / 2 of it.
  const drift = driftOf([
    [[-0.1, 0.1], [1.9, 2.1]],
    [[9.9, 10.1], [13.9, 14.1]],
  ])!;
  assertAlmostEquals(drift.standardDeviation ** 2, 5 - 0.01, 1e-12);
  assertEquals(drift.degreesOfFreedom, 2);
  assertEquals(driftOf([[[0, 1], [1, 0]]])!.standardDeviation, 0);
  // Of a run of three parts, variances count twice.
  const unequal = driftOf([
    [[-0.1, 0.1], [1.9, 2.1], [3.9, 4.1]],
    [[9.7, 10.3], [13.7, 14.3]],
  ])!;
  assertAlmostEquals(unequal.standardDeviation ** 2, (16 - 0.11) / 3, 1e-12);
});

Deno.test("driftOf() is unknown where no run has two parts with rounds", () => {
  assertEquals(driftOf([]), undefined);
  assertEquals(driftOf([[[0, 1]], [[0, 1], [2]]]), undefined);
});

Deno.test("widened() by the drift holds the quotient of two rates of different parts in 95 %", () => {
  const random = createRandom(11);
  let held = 0;
  const repetitions = 2_000;
  for (let index = 0; index < repetitions; index++) {
    const part = () => {
      const deviation = 0.08 * normal(random);
      return draw(7, () => deviation + 0.05 * normal(random));
    };
    const runs = [draw(8, part), draw(8, part)];
    const [a, b] = [part(), part()].map(mean);
    const margin = 1.96 * Math.sqrt(2 * 0.05 ** 2 / 7);
    const estimate = Math.exp(a! - b!);
    const ratio = {
      estimate,
      low: estimate * Math.exp(-margin),
      high: estimate * Math.exp(margin),
    };
    const { low, high } = widened(ratio, driftOf(runs)!);
    if (low <= 1 && 1 <= high) held++;
  }
  assertAlmostEquals(held / repetitions, 0.95, 0.02);
});
