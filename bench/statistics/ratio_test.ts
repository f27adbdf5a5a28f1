import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import fc from "fast-check";
import { type RatioInterval, ratioInterval, twoSampleRatioInterval } from "./ratio.ts";
import { inverse } from "./mod.ts";

const logRatio = fc.double({ min: -2, max: 2, noNaN: true });
const rounds = fc.array(logRatio, { minLength: 3, maxLength: 14 });
const confidences = fc.double({ min: 0.5, max: 0.999, noNaN: true });

Deno.test("ratioInterval() says nothing of two rounds", () => {
  assertEquals(ratioInterval([0.1, 0.2]), undefined);
});

Deno.test("ratioInterval() is Student's t interval of the mean for three to five rounds", () => {
  const interval = ratioInterval([0.01, 0.03, 0.02, 0.06])!;
  assertEquals([interval.method, interval.confidence, interval.rounds], ["t", 0.95, 4]);
  assertAlmostEquals(Math.log(interval.estimate), 0.03, 1e-12);
  // scipy 1.17.1: numpy.exp(stats.t.interval(0.95, 3, numpy.mean(x), stats.sem(x)))
  assertAlmostEquals(interval.low, 0.9956352, 1e-7);
  assertAlmostEquals(interval.high, 1.06649156, 1e-8);
});

Deno.test("ratioInterval() of six rounds is the whole range of their log-ratios, at 96.9 %", () => {
  const interval = ratioInterval([0.05, 0.01, 0.03, 0.02, 0.06, 0.04])!;
  assertEquals(interval.method, "hodges-lehmann");
  assertEquals(interval.confidence, 1 - 2 / 2 ** 6);
  assertAlmostEquals(Math.log(interval.low), 0.01, 1e-12);
  assertAlmostEquals(Math.log(interval.high), 0.06, 1e-12);
  assertAlmostEquals(Math.log(interval.estimate), 0.035, 1e-12);
});

Deno.test("ratioInterval() is the textbook's for the textbook's example", () => {
  // Hollander, Wolfe and Chicken, example 3.1: depression scale, nine patients, after less before.
  const before = [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30];
  const after = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29];
  const interval = ratioInterval(after.map((value, index) => value - before[index]!))!;
  assertAlmostEquals(Math.log(interval.estimate), -0.46, 1e-12);
  assertAlmostEquals(Math.log(interval.low), -0.786, 1e-12);
  assertAlmostEquals(Math.log(interval.high), -0.01, 1e-12);
  assertAlmostEquals(interval.confidence, 0.961, 5e-4);
});

Deno.test("ratioInterval() of eight rounds has the shifts that the signed rank test does not reject", () => {
  const logRatios = [0.0412, 0.0135, -0.0088, 0.0301, 0.0527, 0.0219, 0.0064, 0.0389];
  const interval = ratioInterval(logRatios)!;
  // scipy 1.17.1: stats.wilcoxon(x - shift, method="exact").pvalue > 0.05 for shifts between these, no others.
  assertAlmostEquals(Math.log(interval.low), 0.0064, 1e-12);
  assertAlmostEquals(Math.log(interval.high), 0.0414, 1e-12);
  // numpy 2: exp(median((x[i] + x[j]) / 2 for i <= j)); of all 256 signs of the ranks, 5 have a sum of 3 or less.
  assertAlmostEquals(interval.estimate, 1.025212594138781, 1e-12);
  assertEquals(interval.confidence, 1 - 2 * 5 / 256);
});

Deno.test("ratioInterval() takes t where so few ranks cannot reach the confidence", () => {
  const logRatios = [0.05, 0.01, 0.03, 0.02, 0.06, 0.04];
  assertEquals(ratioInterval(logRatios, 0.99)?.method, "t");
  assertEquals(ratioInterval([...logRatios, 0.07, 0.08], 0.99)?.method, "hodges-lehmann");
});

Deno.test("ratioInterval() holds its estimate, with at least the confidence asked for", () => {
  fc.assert(fc.property(rounds, confidences, (logRatios, confidence) => {
    const { low, estimate, high, ...rest } = ratioInterval(logRatios, confidence)!;
    assert(low <= estimate && estimate <= high);
    assert(rest.confidence > confidence - 1e-9);
    assertEquals(rest.rounds, logRatios.length);
  }));
});

Deno.test("ratioInterval() of the inverse ratios is the inverse interval", () => {
  fc.assert(fc.property(rounds, (logRatios) => {
    const swapped = ratioInterval(logRatios.map((value) => -value))!;
    assertSame(swapped, inverse(ratioInterval(logRatios)!));
  }));
});

Deno.test("ratioInterval() grows by the factor by which every ratio grows", () => {
  fc.assert(fc.property(rounds, logRatio, (logRatios, shift) => {
    const grown = ratioInterval(logRatios.map((value) => value + shift))!;
    assertSame(grown, onLogScale(ratioInterval(logRatios)!, (value) => value + shift));
  }));
});

Deno.test("ratioInterval() is to a power what every ratio is to it", () => {
  const powers = fc.double({ min: 0.01, max: 3, noNaN: true });
  fc.assert(fc.property(rounds, powers, (logRatios, power) => {
    const raised = ratioInterval(logRatios.map((value) => value * power))!;
    assertSame(raised, onLogScale(ratioInterval(logRatios)!, (value) => value * power));
  }));
});

Deno.test("ratioInterval() does not depend on the order of rounds", () => {
  fc.assert(fc.property(rounds, (logRatios) => {
    assertSame(ratioInterval(logRatios.toReversed())!, ratioInterval(logRatios)!);
  }));
});

Deno.test("ratioInterval() gets no narrower with more confidence, by one method", () => {
  fc.assert(fc.property(rounds, confidences, confidences, (logRatios, one, other) => {
    const less = ratioInterval(logRatios, Math.min(one, other))!;
    const more = ratioInterval(logRatios, Math.max(one, other))!;
    fc.pre(less.method === more.method);
    // Where both confidences are nearly one, rounding decides.
    assert(more.low <= less.low * (1 + 1e-9) && less.high <= more.high * (1 + 1e-9));
  }));
});

Deno.test("twoSampleRatioInterval() needs three rounds of each", () => {
  assertEquals(twoSampleRatioInterval([0.1, 0.2, 0.3], [0.1, 0.2]), undefined);
});

Deno.test("twoSampleRatioInterval() is Welch's t interval where either has fewer than six rounds", () => {
  const interval = twoSampleRatioInterval([0.11, 0.15, 0.09, 0.14], [0.01, 0.06, -0.02])!;
  assertEquals([interval.method, interval.confidence, interval.rounds], ["t", 0.95, 7]);
  // scipy 1.17.1: numpy.exp(stats.ttest_ind(a, b, equal_var=False).confidence_interval(0.95))
  assertAlmostEquals(interval.estimate, 1.11163659, 1e-8);
  assertAlmostEquals(interval.low, 1.02495663, 1e-8);
  assertAlmostEquals(interval.high, 1.20564701, 1e-8);
});

Deno.test("twoSampleRatioInterval() from six rounds each is the shift by ranks", () => {
  const b = [0, 0.01, 0.03, 0.07, 0.15, 0.31];
  const interval = twoSampleRatioInterval(b.map((value) => value + 0.2), b)!;
  assertEquals([interval.method, interval.rounds], ["hodges-lehmann", 12]);
  assertAlmostEquals(Math.log(interval.estimate), 0.2, 1e-12);
  // 5 of the 36 differences lie outside on either side: P(U <= 5) is 19 / 924.
  assertAlmostEquals(interval.confidence, 1 - 2 * 19 / 924, 1e-12);
});

Deno.test("twoSampleRatioInterval() of seven rounds each has the shifts that the Mann-Whitney test does not reject", () => {
  const a = [0.1131, 0.1527, 0.0943, 0.1412, 0.1275, 0.1629, 0.1018];
  const b = [0.0124, 0.0637, -0.0211, 0.0346, 0.0452, 0.0085, 0.0273];
  const { estimate, low, high, confidence } = twoSampleRatioInterval(a, b)!;
  // scipy 1.17.1: exp of the shifts with stats.mannwhitneyu(a - shift, b, method="exact").pvalue > 0.05.
  assertAlmostEquals(low, 1.06950936, 1e-8);
  assertAlmostEquals(high, 1.14522371, 1e-8);
  assertAlmostEquals(estimate, 1.1059448085483654, 1e-12);
  // Counted over all 3,432 ways to choose the ranks of a.
  assertAlmostEquals(confidence, 0.9621212121212122, 1e-12);
});

Deno.test("twoSampleRatioInterval() of values without spread is their ratio", () => {
  const interval = twoSampleRatioInterval([0.5, 0.5, 0.5], [0.25, 0.25, 0.25])!;
  assertEquals([interval.low, interval.high], [Math.exp(0.25), Math.exp(0.25)]);
});

Deno.test("twoSampleRatioInterval() of b to a is the inverse of that of a to b", () => {
  fc.assert(fc.property(rounds, rounds, confidences, (a, b, confidence) => {
    const there = twoSampleRatioInterval(a, b, confidence)!;
    assertSame(twoSampleRatioInterval(b, a, confidence)!, inverse(there));
    assert(there.low <= there.estimate && there.estimate <= there.high);
  }));
});

Deno.test("twoSampleRatioInterval() does not depend on the reference", () => {
  fc.assert(fc.property(rounds, rounds, logRatio, (a, b, shift) => {
    const moved = [a, b].map((sample) => sample.map((value) => value + shift));
    assertSame(twoSampleRatioInterval(moved[0]!, moved[1]!)!, twoSampleRatioInterval(a, b)!);
  }));
});

/** Compares on the scale of logarithms, where rounding has one size. */
function assertSame(actual: RatioInterval, expected: RatioInterval) {
  assertEquals(actual.method, expected.method);
  assertEquals(actual.rounds, expected.rounds);
  assertAlmostEquals(actual.confidence, expected.confidence, 1e-12);
  for (const key of ["low", "estimate", "high"] as const) {
    assertAlmostEquals(Math.log(actual[key]), Math.log(expected[key]), 1e-6, key);
  }
}

function onLogScale(ratio: RatioInterval, change: (value: number) => number): RatioInterval {
  const changed = (value: number) => Math.exp(change(Math.log(value)));
  return {
    ...ratio,
    estimate: changed(ratio.estimate),
    low: changed(ratio.low),
    high: changed(ratio.high),
  };
}
