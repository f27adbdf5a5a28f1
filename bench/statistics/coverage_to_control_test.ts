/**
 * Whether the interval that is published first of all holds what it states, by simulation: the long-run ratio to the control,
 * with the variance of runs pooled over all implementations. They share the control, and so half of that variance if it varies
 * as they do: for other shares, the degrees of freedom of `pooledRunVariance()` are not right.
 */
import { assert, assertAlmostEquals } from "@std/assert";
import { createRandom } from "../lib/random.ts";
import { draw, normal } from "../testing/noise.ts";
import { studentTWithin } from "./distributions.ts";
import { pooledRunVariance, type RunRatio } from "./run_variance.ts";
import { acrossRuns, longRunRatio } from "./runs.ts";
import { mean } from "./descriptive.ts";

/** Standard deviations of logarithms: of an implementation from run to run, and of the ratio that a run finds. */
const [betweenRuns, standardError] = [0.047, 0.01];
const margin = studentTWithin(0.95, 9) * standardError;

/** Simulates ratios to one control that are 1 in the long run; it varies `ofControl` times as much as an implementation. */
function measure(
  random: () => number,
  { impls, runs, ofControl }: { impls: number; runs: number; ofControl: number },
): RunRatio[][] {
  const control = draw(runs, () => ofControl * betweenRuns * normal(random));
  return draw(impls, () =>
    control.map((shared): RunRatio => {
      const value = Math.hypot(betweenRuns, standardError) * normal(random) - shared;
      const [low, estimate, high] = [-margin, 0, margin].map((off) => Math.exp(value + off));
      const ratio = { low: low!, estimate: estimate!, high: high!, confidence: 0.95, rounds: 10 };
      return { ratio, processor: "" };
    }));
}

/** Returns how many of all intervals hold 1. */
function shareThatHold(ofControl: number, impls: number, runs: number): number {
  const random = createRandom(8);
  return mean(draw(400, () => {
    const ratios = measure(random, { impls, runs, ofControl });
    const pooled = pooledRunVariance(ratios, "to the control");
    const held = ratios.filter((ratio) => {
      const { low, high } = longRunRatio(ratio, { pooled })!;
      return low <= 1 && 1 <= high;
    });
    return held.length / impls;
  }));
}

const sizes = [3, 6, 11].flatMap((impls) => [2, 3].map((runs) => [impls, runs] as const));

Deno.test("longRunRatio() to a control that varies as the implementations do holds the ratio in 96 % to 98 %", () => {
  for (const [impls, runs] of sizes) {
    const share = shareThatHold(1, impls, runs);
    assert(share > 0.95 && share < 0.99, `${impls} implementations, ${runs} runs: ${share}`);
  }
});

Deno.test("longRunRatio() to a control that varies twice as much holds the ratio in about 95 %", () => {
  for (const [impls, runs] of sizes) {
    const share = shareThatHold(2, impls, runs);
    assertAlmostEquals(share, 0.95, 0.025, `${impls} implementations, ${runs} runs: ${share}`);
  }
});

/**
 * Returns how many ratios of one in so many runs to another in so many, the last of the former among them if `shared` is 1,
 * hold 1; two runs have the other implementations.
 */
function shareAcross(
  ofControl: number,
  impls: number,
  [ofOne, ofOther, shared]: readonly [number, number, number],
): number {
  const random = createRandom(8);
  return mean(draw(2_000, () => {
    const [one, other, ...all] = measure(random, { impls: impls + 1, runs: 4, ofControl });
    const both = [one!, ...all].map((runs) => runs.slice(0, 2));
    const pairs = both.flatMap((a, index) => both.slice(index + 1).map((b) => overEach(a, b)));
    const pooled = pooledRunVariance(pairs, "of all pairs")!;
    const { low, high } = acrossRuns(
      one!.slice(0, ofOne),
      other!.slice(ofOne - shared).slice(0, ofOther),
      { pooled, shared },
    );
    return low <= 1 && 1 <= high ? 1 : 0;
  }));
}

/** Returns the ratios of the first ones to the others, with intervals of the same width. */
function overEach(ones: readonly RunRatio[], others: readonly RunRatio[]): RunRatio[] {
  return ones.map(({ ratio, processor }, index) => {
    const { estimate } = others[index]!.ratio;
    const [low, high] = [ratio.low / estimate, ratio.high / estimate];
    return { ratio: { ...ratio, estimate: ratio.estimate / estimate, low, high }, processor };
  });
}

Deno.test("acrossRuns() holds the ratio in 95 % or more, and in 81 % or more where the control varies twice as much", () => {
  for (const impls of [3, 7, 10]) {
    for (
      const runs of [[1, 1, 0], [2, 1, 0], [2, 2, 0], [1, 2, 1], [2, 2, 1], [3, 2, 1]] as const
    ) {
      for (const [ofControl, least] of [[1, 0.945], [2, 0.805]] as const) {
        const share = shareAcross(ofControl, impls, runs);
        const off = `${impls} implementations, ${runs} runs, control ${ofControl} times: ${share}`;
        assert(share > least && share < (runs[2] === 0 ? 0.996 : 0.999), off);
      }
    }
  }
});

/** Returns in how many cases the intervals of all pairs hold 1 together: of seven in these runs, and of four in those. */
function shareOfAllPairs(ofControl: number, ofSeven: number[], ofFour: number[]): number {
  const random = createRandom(8);
  const confidence = 1 - 0.05 / 55;
  return mean(draw(1_000, () => {
    const all = measure(random, { impls: 11, runs: 4, ofControl });
    const [some, others] = [
      all.slice(0, 7).map((runs) => ofSeven.map((run) => runs[run]!)),
      all.slice(7).map((runs) => ofFour.map((run) => runs[run]!)),
    ];
    const shared = ofSeven.filter((run) => ofFour.includes(run)).length;
    const pairs = [some!, others!].flatMap((ones) =>
      ones.flatMap((a, index) => ones.slice(index + 1).map((b) => overEach(a, b)))
    );
    const pooled = pooledRunVariance(pairs, "of all pairs")!;
    const intervals = [
      ...pairs.map((pair) => longRunRatio(pair, { pooled, confidence })!),
      ...some!.flatMap((a) => others!.map((b) => acrossRuns(a, b, { pooled, confidence, shared }))),
    ];
    return intervals.every(({ low, high }) => low <= 1 && 1 <= high) ? 1 : 0;
  }));
}

Deno.test("intervals of all pairs of eleven, seven in some runs and four in others, hold together in over 95 %", () => {
  for (const ofControl of [1, 2]) {
    for (const [ofSeven, ofFour] of [[[0, 1], [2, 3]], [[0, 1, 2], [2, 3]]] as const) {
      const share = shareOfAllPairs(ofControl, [...ofSeven], [...ofFour]);
      assert(share > 0.975, `control ${ofControl} times, ${ofSeven.length} runs: ${share}`);
    }
  }
});
