/** How often the intervals of all pairs of one run hold the long-run ratios, by simulation: they cover its rounds only. */
import { assert, assertAlmostEquals } from "@std/assert";
import { createRandom } from "../lib/random.ts";
import { draw, normal } from "../testing/noise.ts";
import { mean } from "./descriptive.ts";
import { comparePairs } from "./ranking.ts";
import { twoSampleRatioInterval } from "./ratio.ts";

/** Rounds that count and the standard deviation of their log-ratios, at 50 connections in the run 20261127T201220Z. */
const impls = [
  [8, 0.094],
  [7, 0.128],
  [8, 0.124],
  [11, 0.076],
  [8, 0.06],
  [9, 0.066],
  [13, 0.038],
  [7, 0.054],
  [7, 0.048],
  [7, 0.066],
  [7, 0.03],
] as const;

/** Returns how often all intervals of a run hold, and how many of them on average. */
function sharesThatHold(betweenRuns: number) {
  const random = createRandom(8);
  const repetitions = draw(500, () => {
    const rounds = impls.map(([count, deviation]) => {
      const ofRun = betweenRuns * normal(random);
      return draw(count, () => ofRun + deviation * normal(random));
    });
    const pairs = comparePairs(
      [...impls.keys()].map(String),
      (a, b, confidence) =>
        twoSampleRatioInterval(rounds[Number(a)]!, rounds[Number(b)]!, confidence),
    );
    return mean(pairs.map(({ ratio: { low, high } }) => Number(low <= 1 && 1 <= high)));
  });
  return { all: mean(repetitions.map((share) => Number(share === 1))), each: mean(repetitions) };
}

Deno.test("the intervals of all pairs of a run hold together in 95 % or more if runs do not differ", () => {
  const { all } = sharesThatHold(0);
  assert(all > 0.95 - 4 * Math.sqrt(0.95 * 0.05 / 500), `${all}`);
});

Deno.test("they hold together in one run of six if ratios differ by 4.7 % from run to run, each in nine of ten", () => {
  const { all, each } = sharesThatHold(0.047);
  assertAlmostEquals(all, 1 / 6, 0.07);
  assertAlmostEquals(each, 0.92, 0.02);
});
