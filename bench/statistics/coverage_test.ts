/**
 * Whether intervals hold what they state, by simulation on noise that benchmarks have. Seeded: the figures are
 * the same each time, and are compared with a tolerance of four standard errors.
 */
import { assert, assertAlmostEquals } from "@std/assert";
import { createRandom } from "../lib/random.ts";
import { draw, exponential, logNormal, type Noise, normal, studentT3 } from "../testing/noise.ts";
import { detectableDifference } from "./chance.ts";
import { comparePairs } from "./ranking.ts";
import { type RatioInterval, ratioInterval, twoSampleRatioInterval } from "./ratio.ts";
import { verdict } from "./mod.ts";

const disturbed = (random: () => number) => random() < 0.1;

/** Symmetric about 0. What a skewed machine does to a thing compared with itself is a difference of two. */
const symmetric: Record<string, Noise> = {
  normal,
  "t with 3 degrees of freedom": studentT3,
  "one round in ten far off, to either side": (random) =>
    normal(random) + (disturbed(random) ? Math.sign(random() - 0.5) * 10 : 0),
  "difference of two exponential": (random) => exponential(random) - exponential(random),
  "difference of two log-normal": (random) => logNormal(random) - logNormal(random),
};

/** With median 0; without the disturbed rounds, the last. */
const skewed: Record<string, Noise> = {
  exponential: (random) => exponential(random) - Math.LN2,
  "log-normal": (random) => logNormal(random) - 1,
  "one round in ten far off, to one side": (random) =>
    normal(random) - (disturbed(random) ? 10 : 0),
};

const forT = [3, 5];
const forRanks = [6, 8, 10, 12];

Deno.test("an interval by ranks holds as often as it states, on any symmetric noise", () => {
  for (const [name, noise] of Object.entries(symmetric)) {
    for (const rounds of forRanks) {
      const { share, stated, tolerance } = coverage(4000, ofOne(noise, rounds));
      assertAlmostEquals(share, stated, tolerance, `${name}, ${rounds} rounds`);
    }
  }
});

Deno.test("an interval by t holds as often as it states on normal noise, more often on heavy tails", () => {
  for (const rounds of forT) {
    const { share, stated, tolerance } = coverage(4000, ofOne(normal, rounds));
    assertAlmostEquals(share, stated, tolerance, `${rounds} rounds`);
  }
  for (const [name, noise] of Object.entries(symmetric)) {
    for (const rounds of forT) {
      const { share, stated, tolerance } = coverage(4000, ofOne(noise, rounds));
      assert(share > stated - tolerance, `${name}, ${rounds} rounds: ${share}`);
    }
  }
});

Deno.test("an interval for 95 % holds the median of skewed noise in 93 %, less often than it states", () => {
  const shortfalls: number[] = [];
  for (const [name, noise] of Object.entries(skewed)) {
    for (const rounds of [...forT, ...forRanks]) {
      const { share, stated, tolerance } = coverage(4000, ofOne(noise, rounds));
      assert(share > 0.93 - tolerance, `${name}, ${rounds} rounds: ${share}`);
      shortfalls.push(stated - share - tolerance);
    }
  }
  assert(Math.max(...shortfalls) > 0);
});

Deno.test("the interval between two samples of one shape holds as often as it states", () => {
  for (const [name, noise] of Object.entries({ ...symmetric, ...skewed })) {
    for (const rounds of [...forT, ...forRanks]) {
      const { share, stated, tolerance, method } = coverage(1500, ofTwo(noise, noise, rounds));
      const off = `${name}, ${rounds} rounds: ${share}`;
      if (method === "t") assert(share > stated - tolerance, off);
      else assertAlmostEquals(share, stated, tolerance, off);
    }
  }
});

Deno.test("the interval between two samples holds in 93 % where one has four times the spread, in 95 % where that has fewer rounds", () => {
  const wide: Noise = (random) => 4 * normal(random);
  for (const rounds of [...forT, ...forRanks]) {
    const { share, tolerance } = coverage(2000, ofTwo(normal, wide, rounds));
    assert(share > 0.93 - tolerance, `${rounds} rounds: ${share}`);
  }
  for (const [roundsA, roundsB] of [[12, 6], [30, 7]] as const) {
    const { share, tolerance } = coverage(2000, ofTwo(normal, wide, roundsA, roundsB));
    assertAlmostEquals(share, 0.95, tolerance, `${roundsA} rounds, and ${roundsB} of the wider`);
  }
});

Deno.test("the interval between two samples misses at most twice as often as it states where 55 hold together", () => {
  const confidence = 1 - 0.05 / 55;
  const wide: Noise = (random) => 4 * normal(random);
  for (const noise of [normal, wide, studentT3]) {
    const { share } = coverage(20_000, (random) => {
      const [a, b] = [normal, noise].map((it) => draw(7, () => 0.02 * it(random)));
      return twoSampleRatioInterval(a!, b!, confidence)!;
    });
    assert(1 - share < 2 * (1 - confidence), `${1 - share}`);
  }
});

Deno.test("detectableDifference() is detected about as often as it states", () => {
  for (const rounds of [3, 4, 5, 6, 7, 8, 10, 12, 20]) {
    // Ranks cost the square root of π / 3 where rounds are normal.
    const standardError = 0.02 * Math.sqrt((rounds < 6 ? 1 : Math.PI / 3) / rounds);
    const difference = Math.log1p(detectableDifference(standardError, rounds));
    const random = createRandom(rounds);
    const repetitions = 2000;
    let detected = 0;
    for (let repetition = 0; repetition < repetitions; repetition++) {
      const logRatios = draw(rounds, () => difference + 0.02 * normal(random));
      if (verdict(ratioInterval(logRatios)!) === "faster") detected++;
    }
    const expected = rounds === 6 ? 0.73 : 0.785;
    assertAlmostEquals(detected / repetitions, expected, 0.04, `${rounds} rounds`);
  }
});

Deno.test("comparePairs() finds all of five equal implementations tied, at least as often as it states", () => {
  for (const rounds of [3, 5, 6, 10]) {
    const random = createRandom(rounds);
    const repetitions = 400;
    let allTied = 0;
    for (let repetition = 0; repetition < repetitions; repetition++) {
      const ids = ["a", "b", "c", "d", "e"];
      const logRatios = new Map(ids.map((id) => [id, draw(rounds, () => normal(random))]));
      const pairs = comparePairs(
        ids,
        (a, b, confidence) =>
          twoSampleRatioInterval(logRatios.get(a)!, logRatios.get(b)!, confidence),
      );
      if (pairs.every(({ ratio }) => verdict(ratio) === "tied")) allTied++;
    }
    const tolerance = 4 * Math.sqrt(0.95 * 0.05 / repetitions);
    assert(allTied / repetitions > 0.95 - tolerance, `${rounds} rounds: ${allTied}`);
  }
});

/** Returns how often an interval held 1, how often it should have, and four standard errors of that. */
function coverage(repetitions: number, interval: (random: () => number) => RatioInterval) {
  const random = createRandom(4);
  let held = 0;
  let last = interval(random);
  for (let repetition = 0; repetition < repetitions; repetition++) {
    last = interval(random);
    if (last.low <= 1 && last.high >= 1) held++;
  }
  const { confidence: stated, method } = last;
  const tolerance = 4 * Math.sqrt(stated * (1 - stated) / repetitions);
  return { share: held / repetitions, stated, tolerance, method };
}

function ofOne(noise: Noise, rounds: number) {
  return (random: () => number) => ratioInterval(draw(rounds, () => 0.02 * noise(random)))!;
}

function ofTwo(noiseA: Noise, noiseB: Noise, rounds: number, roundsB = rounds) {
  return (random: () => number) =>
    twoSampleRatioInterval(
      draw(rounds, () => 0.02 * noiseA(random)),
      draw(roundsB, () => 0.02 * noiseB(random)),
    )!;
}
