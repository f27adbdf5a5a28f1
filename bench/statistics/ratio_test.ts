import { assertAlmostEquals, assertEquals } from "@std/assert";
import { ratioInterval, twoSampleRatioInterval, verdict } from "./ratio.ts";

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

Deno.test("twoSampleRatioInterval() needs three rounds of each", () => {
  assertEquals(twoSampleRatioInterval([0.1, 0.2, 0.3], [0.1, 0.2]), undefined);
});

Deno.test("verdict() needs the whole interval on one side of 1", () => {
  assertEquals(verdict({ low: 1.001, high: 1.2 }), "faster");
  assertEquals(verdict({ low: 0.8, high: 0.999 }), "slower");
  assertEquals(verdict({ low: 1, high: 1.2 }), "tied");
  assertEquals(verdict({ low: 0.9, high: 1 }), "tied");
});
