import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { detectableDifference, detectableWithin, shareInterval } from "./chance.ts";

Deno.test("shareInterval() is Clopper and Pearson's", () => {
  // The shares at which the sums of binomial terms are 0.025; with 0 of 20, 1 - 0.025^(1/20).
  const { low, high } = shareInterval(1, 20);
  assertAlmostEquals(low, 0.00126509, 1e-8);
  assertAlmostEquals(high, 0.24873276, 1e-8);
  const many = shareInterval(18, 20);
  assertAlmostEquals(many.low, 0.6830173, 1e-7);
  assertAlmostEquals(many.high, 0.98765147, 1e-7);
  assertEquals(shareInterval(0, 20).low, 0);
  assertAlmostEquals(shareInterval(0, 20).high, 1 - 0.025 ** (1 / 20), 1e-12);
  assertEquals(shareInterval(20, 20).high, 1);
});

Deno.test("detectableDifference() is two quantiles of t times the standard error", () => {
  // t tables: 2.776 for 95 % and 0.941 for one-sided 80 %, both with 4 degrees of freedom.
  const expected = Math.exp((2.776 + 0.941) * 0.02 / Math.sqrt(5)) - 1;
  assertAlmostEquals(detectableDifference(0.02 / Math.sqrt(5), 5), expected, 1e-4);
  assertEquals(detectableDifference(0, 5), 0);
});

Deno.test("detectableDifference() is near that of the noncentral t distribution", () => {
  // scipy 1.17.1: the shift at which stats.nct gives a t test of 5 rounds a power of 80 % is 0.0336399.
  const approximate = Math.log1p(detectableDifference(0.02 / Math.sqrt(5), 5));
  assertAlmostEquals(approximate, 0.033249523, 1e-9);
  assertAlmostEquals(approximate / 0.0336399, 1, 0.012);
});

Deno.test("detectableDifference() is greater for fewer rounds", () => {
  const difference = detectableDifference(0.02, 10);
  assert(detectableDifference(0.02, 5) > difference);
});

Deno.test("detectableWithin() is as wide as a standard deviation of few values is uncertain", () => {
  // scipy 1.17.1: chi2.ppf([0.025, 0.975], 4) is 0.48442, 11.14329.
  const { low, high } = detectableWithin(0.221, 5);
  assertAlmostEquals(Math.log1p(low) / Math.log1p(0.221), Math.sqrt(4 / 11.14329), 1e-5);
  assertAlmostEquals(Math.log1p(high) / Math.log1p(0.221), Math.sqrt(4 / 0.48442), 1e-4);
  const of20 = detectableWithin(0.221, 20);
  assert(of20.high - of20.low < (high - low) / 3);
});
