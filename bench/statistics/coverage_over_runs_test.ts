/**
 * Whether figures over runs, comparisons and starts hold what they state, by simulation. Seeded, with a tolerance of
 * four standard errors, as in `coverage_test.ts`.
 */
import { assert, assertAlmostEquals } from "@std/assert";
import { createRandom, shuffle } from "../lib/random.ts";
import { draw, exponential, logNormal, type Noise, normal } from "../testing/noise.ts";
import { shareInterval } from "./chance.ts";
import { studentTWithin } from "./distributions.ts";
import { twoStageMean } from "./two_stage_mean.ts";
import { noiseOf } from "./noise.ts";
import { placeSlope } from "./place_slope.ts";
import { ratioInterval } from "./ratio.ts";
import { pooledRunVariance, type RunRatio } from "./run_variance.ts";
import { betweenProcessors, longRunRatio, widened } from "./runs.ts";
import { mean } from "./descriptive.ts";
import { startupRatio } from "./startup.ts";

type Random = () => number;

/** Returns a run of ten rounds with the given half-width on average. */
function measureRun(
  random: Random,
  { logRatio, halfWidth, processor = "" }: {
    logRatio: number;
    halfWidth: number;
    processor?: string;
  },
): RunRatio {
  const rounds = 10;
  const deviation = halfWidth * Math.sqrt(rounds) / studentTWithin(0.95, rounds - 1);
  const ratio = ratioInterval(draw(rounds, () => logRatio + deviation * normal(random)))!;
  return { ratio, processor };
}

/** Returns how often something is so, and four standard errors of a share of 95 %. */
function shareOf(repetitions: number, isSo: (random: Random) => boolean) {
  const random = createRandom(8);
  const count = draw(repetitions, () => isSo(random)).filter(Boolean).length;
  return { share: count / repetitions, tolerance: 4 * Math.sqrt(0.95 * 0.05 / repetitions) };
}

const holds = (
  interval: { low: number; high: number },
  value: number,
) => interval.low <= value && value <= interval.high;

Deno.test("longRunRatio() holds the long-run ratio in 95 % to 98 %, more often where runs do not differ", () => {
  for (const [betweenRuns, most] of [[0, 1], [0.047, 0.98]] as const) {
    for (const runs of [2, 3, 5, 10]) {
      const { share, tolerance } = shareOf(1000, (random) => {
        const measured = draw(runs, () => {
          const halfWidth = 0.03 + 0.07 * random();
          return measureRun(random, { logRatio: betweenRuns * normal(random), halfWidth });
        });
        return holds(longRunRatio(measured)!, 1);
      });
      const off = `${runs} runs, ${betweenRuns} between them: ${share}`;
      assert(share > 0.95 - tolerance && share < most + tolerance, off);
    }
  }
});

/** Simulates the pairs of implementations whose ratios differ from run to run by these standard deviations. */
function measurePairs(random: Random, betweenRuns: readonly number[], runs: number): RunRatio[][] {
  const standardError = 0.03;
  const margin = studentTWithin(0.95, 9) * standardError;
  const found = betweenRuns.map((deviation) =>
    draw(runs, () => Math.hypot(deviation, standardError / Math.SQRT2) * normal(random))
  );
  return found.flatMap((a, index) =>
    found.slice(index + 1).map((b) =>
      a.map((value, run): RunRatio => {
        const [low, estimate, high] = [-margin, 0, margin].map((off) =>
          Math.exp(value - b[run]! + off)
        );
        const ratio = { low: low!, estimate: estimate!, high: high!, confidence: 0.95, rounds: 10 };
        return { ratio, processor: "" };
      })
    )
  );
}

Deno.test("longRunRatio() with the variance of all pairs holds all of them together, less often with one that varies more", () => {
  const alike = draw(11, () => 0.047);
  const unlike = draw(11, () => 0.02).fill(0.06, 7);
  const oneNoisy = draw(11, () => 0.02).fill(0.1, 10);
  const cases = [[alike, 0.95], [unlike, 0.93], [oneNoisy, 0.85]] as const;
  for (const [betweenRuns, least] of cases) {
    for (const runs of [2, 3, 5]) {
      const widths: number[] = [];
      const { share, tolerance } = shareOf(400, (random) => {
        const pairs = measurePairs(random, betweenRuns, runs);
        const pooled = pooledRunVariance(pairs, "of all pairs");
        const confidence = 1 - 0.05 / pairs.length;
        return pairs.every((pair) => {
          const interval = longRunRatio(pair, { pooled, confidence })!;
          widths.push(Math.log(interval.high / interval.low) / 2);
          return holds(interval, 1);
        });
      });
      const width = mean(widths);
      const off = `${runs} runs: ${share}, ± ${width}`;
      assert(share > least - tolerance, off);
      // Each by itself, two runs would have t of 700 at this confidence.
      assert(width < 0.5, off);
    }
  }
});

Deno.test("the interval of a single run holds the long-run ratio in 70 %", () => {
  const { share } = shareOf(1000, (random) => {
    const run = { logRatio: 0.047 * normal(random), halfWidth: 0.03 + 0.07 * random() };
    return holds(measureRun(random, run).ratio, 1);
  });
  assertAlmostEquals(share, 0.7, 0.06);
});

/**
 * Simulates three runs of each implementation on each of two processors: how far its ratios differ there is half of
 * the control's making, which is the same for all. A third processor is not measured.
 */
function measureProcessors(random: Random, { impls, between }: { impls: number; between: number }) {
  const part = between * Math.SQRT1_2;
  const ofControl = draw(3, () => part * normal(random));
  const deviations = draw(impls, () => ofControl.map((shared) => shared + part * normal(random)));
  const runs = deviations.map((ofImpl) =>
    ["first", "second"].flatMap((processor, index) =>
      draw(3, () => {
        const logRatio = ofImpl[index]! + 0.03 * normal(random);
        return measureRun(random, { logRatio, halfWidth: 0.05, processor });
      })
    )
  );
  return { runs, unmeasured: deviations.map((ofImpl) => ofImpl[2]!) };
}

Deno.test("betweenProcessors() and widened() hold in 93 % or more", () => {
  for (const [impls, between] of [[3, 0.02], [6, 0], [6, 0.02], [6, 0.05]] as const) {
    const held = { deviation: 0, across: 0, unwidened: 0 };
    const repetitions = 250;
    const random = createRandom(9);
    for (let repetition = 0; repetition < repetitions; repetition++) {
      const { runs, unmeasured } = measureProcessors(random, { impls, between });
      const known = betweenProcessors(runs)!;
      const ofOne = longRunRatio(runs[0]!.slice(0, 3))!;
      const elsewhere = Math.exp(unmeasured[0]!);
      if (holds(known, between)) held.deviation++;
      if (holds(widened(ofOne, known), elsewhere)) held.across++;
      if (holds(ofOne, elsewhere)) held.unwidened++;
    }
    const tolerance = 4 * Math.sqrt(0.95 * 0.05 / repetitions);
    for (const name of ["deviation", "across"] as const) {
      const share = held[name] / repetitions;
      assert(share > 0.93 - tolerance, `${name}, ${impls} implementations, ${between}: ${share}`);
    }
    // Without widening, a ratio does not hold elsewhere.
    if (between === 0.05) assert(held.unwidened / repetitions < 0.8, `${held.unwidened}`);
  }
});

Deno.test("noiseOf() holds 1 where nothing is biased, and leaves it out at a bias of two standard errors in half", () => {
  const compareTwenty = (random: Random, bias: number) =>
    noiseOf(draw(20, () => ratioInterval(draw(5, () => bias + 0.02 * normal(random)))!))!;
  const { share, tolerance } = shareOf(400, (random) => holds(compareTwenty(random, 0).mean, 1));
  assertAlmostEquals(share, 0.95, tolerance);
  const standardError = 0.02 / Math.sqrt(100);
  const found = shareOf(400, (random) => !holds(compareTwenty(random, 2 * standardError).mean, 1));
  assertAlmostEquals(found.share, 0.5, 0.1);
});

Deno.test("noiseOf() states a difference that a comparison detects four times in five", () => {
  const comparison = (random: Random, shift: number) =>
    ratioInterval(draw(5, () => shift + 0.02 * normal(random)))!;
  const noise = noiseOf(draw(400, ((random) => () => comparison(random, 0))(createRandom(3))))!;
  const shift = Math.log1p(noise.detectableDifference);
  const { share } = shareOf(2000, (random) => comparison(random, shift).low > 1);
  assertAlmostEquals(share, 0.8, 0.06);
});

Deno.test("shareInterval() holds the share in 95 % or more", () => {
  for (const chance of [0.02, 0.05, 0.3]) {
    const { share, tolerance } = shareOf(1000, (random) => {
      const count = draw(20, random).filter((value) => value < chance).length;
      return holds(shareInterval(count, 20), chance);
    });
    assert(share > 0.95 - tolerance, `${chance}: ${share}`);
  }
});

Deno.test("placeSlope() finds a slope in 1 % where there is none, and in nearly all comparisons of a cold JVM", () => {
  // As in a full run: each round has each level once, with two loads, which have something in common.
  const compare = (random: Random, slope: number, rounds: number) =>
    placeSlope(draw(rounds, () => {
      const ofProcess = 0.1 * normal(random);
      return shuffle([10, 50, 300], random).flatMap((level, index) => {
        const ofLevel = 0.025 * normal(random);
        return [2 * index, 2 * index + 1].map((place) => ({
          level,
          logRatio: ofProcess + ofLevel + level / 1000 + slope * place + 0.04 * normal(random),
        }));
      });
    }))!;
  for (const rounds of [7, 10, 20]) {
    const alarms = shareOf(4000, (random) => !holds(compare(random, 0, rounds), 0));
    assertAlmostEquals(alarms.share, 0.01, 0.006, `${rounds} rounds: ${alarms.share}`);
    const cold = shareOf(200, (random) => compare(random, 0.06, rounds).low > 0);
    assert(cold.share > 0.98, `${rounds} rounds: ${cold.share}`);
  }
});

Deno.test("twoStageMean() holds the mean in 95 %, within 5 % where it was allowed as many loads as it needs", () => {
  for (const [deviation, most] of [[0.01, 12], [0.05, 12], [0.08, 12], [0.08, 1000]] as const) {
    let loads = 0;
    const { share, tolerance } = shareOf(1500, (random) => {
      const load = () => 100 * (1 + deviation * normal(random));
      const first = draw(5, load);
      const total = Math.min(most, twoStageMean(first, 0.05)!.needed);
      const mean = twoStageMean([...first, ...draw(total - 5, load)], 0.05)!;
      loads += total;
      // The limit is a share of the mean of the first five, which may be off by some.
      if (total < most) assert(mean.high - mean.estimate < 0.055 * mean.estimate + 1);
      return holds(mean, 100);
    });
    assertAlmostEquals(share, 0.95, tolerance, `${deviation}, at most ${most}: ${share}`);
    assert(loads / 1500 < (most === 12 ? 12 : 30), `${loads / 1500} loads`);
  }
});

/** Times of starts: most near the least, some much later. */
const skewedTimes: Record<string, Noise> = {
  "exponential tail": (random) => 4 + exponential(random),
  "log-normal": logNormal,
  "one start in ten takes twice as long": (random) =>
    (random() < 0.1 ? 2 : 1) * (1 + 0.02 * normal(random)),
};

Deno.test("startupRatio() of a program to itself holds 1 as often as it states, however skewed its times", () => {
  for (const [name, time] of Object.entries(skewedTimes)) {
    for (const blocks of [4, 10, 20]) {
      let stated = 0;
      const { share, tolerance } = shareOf(1000, (random) => {
        const ratio = startupRatio(
          draw(blocks, () => ({ subject: [time(random)], control: [time(random)] })),
        )!;
        stated = ratio.confidence;
        return holds(ratio, 1);
      });
      assert(share > stated - tolerance, `${name}, ${blocks} blocks: ${share}`);
      assert(share < stated + (blocks === 4 ? 0.05 : tolerance), `${name}, ${blocks}: ${share}`);
    }
  }
});

Deno.test("startupRatio() holds the ratio of medians where only one side is skewed, too", () => {
  const [median, controlMedian] = [4 + Math.LN2, 1];
  const { share, tolerance } = shareOf(1000, (random) =>
    holds(
      startupRatio(draw(10, () => ({
        subject: [4 + exponential(random)],
        control: [Math.exp(0.1 * normal(random))],
      })))!,
      median / controlMedian,
    ));
  assert(share > 0.93 - tolerance, `${share}`);
});

Deno.test("startupRatio() has the block as its unit: single starts would hold 1 in 75 % where calls differ", () => {
  const measureBlocks = (random: Random) =>
    draw(6, () => {
      const moment = Math.exp(0.1 * normal(random));
      const call = () => {
        const ofCall = moment * Math.exp(0.03 * normal(random));
        return draw(5, () => ofCall * Math.exp(0.03 * normal(random)));
      };
      return { subject: call(), control: call() };
    });
  const byBlock = shareOf(1000, (random) => holds(startupRatio(measureBlocks(random))!, 1));
  assert(byBlock.share > 0.95 - byBlock.tolerance, `${byBlock.share}`);
  const byStart = shareOf(1000, (random) => {
    const starts = measureBlocks(random).flatMap(({ subject, control }) =>
      subject.map((seconds, index) => ({ subject: [seconds], control: [control[index]!] }))
    );
    return holds(startupRatio(starts)!, 1);
  });
  assertAlmostEquals(byStart.share, 0.75, 0.06);
});
