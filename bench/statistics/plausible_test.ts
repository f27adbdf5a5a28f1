import { assertAlmostEquals, assertEquals } from "@std/assert";
import { littlesLawRatio, nonMonotone, silenceOf } from "./plausible.ts";

Deno.test("littlesLawRatio() is 1 where latency holds all of the time", () => {
  const load = { connections: 10, endedPerSecond: 5000, meanSeconds: 0.002 };
  assertEquals(littlesLawRatio(load), 1);
  // WebFlux at 10 connections, a quarter of the time without an answer: 1.89 ms expected, 0.2 ms measured.
  const webflux = { connections: 10, endedPerSecond: 10 / 0.00189, meanSeconds: 0.0002 };
  assertAlmostEquals(littlesLawRatio(webflux), 0.106, 1e-3);
});

Deno.test("silenceOf() counts whole intervals without an answer, and the longest time of them", () => {
  assertEquals(silenceOf([5, 0, 0, 3, 0, 2], 1.5), { intervals: 3, longestSeconds: 0.5 });
  assertEquals(silenceOf([0, 0, 0], 0.75), { intervals: 3, longestSeconds: 0.75 });
  assertEquals(silenceOf([5, 4, 0], 0.6), { intervals: 0, longestSeconds: 0 });
  assertEquals(silenceOf([], 0), { intervals: 0, longestSeconds: 0 });
});

Deno.test("nonMonotone() finds a step that missed below one that held, in any order", () => {
  const steps = [[8000, true], [24_000, false], [32_000, true], [16_000, true], [48_000, false]]
    .map(([rate, holds]) => ({ ratePerSecond: Number(rate), holds: Boolean(holds) }));
  assertEquals(nonMonotone(steps), { missedPerSecond: 24_000, metPerSecond: 32_000 });
  assertEquals(nonMonotone(steps.toReversed()), nonMonotone(steps));
});

Deno.test("nonMonotone() has nothing to say of one limit, of none, and of no steps", () => {
  const sweep = (...holds: boolean[]) =>
    holds.map((holds, index) => ({ ratePerSecond: 1000 * (index + 1), holds }));
  for (const steps of [sweep(true, true, false, false), sweep(true, true), sweep(false), []]) {
    assertEquals(nonMonotone(steps), undefined);
  }
});
