import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import { roundsForHalfWidth, twoStageMean } from "./effort.ts";

Deno.test("roundsForHalfWidth() is the fewest rounds that are enough", () => {
  // t tables: 4.303 · 0.02 / √3 is 5.0 %, 3.182 · 0.02 / √4 is 3.2 %.
  assertEquals(roundsForHalfWidth(0.02, 0.052), 3);
  assertEquals(roundsForHalfWidth(0.02, 0.033), 4);
  assertEquals(roundsForHalfWidth(0, 0.01), 3);
  // Many: (1.96 · √(π / 3) · 0.1 / ln 1.02)² is 1,026 at ten times the spread, 41 at twice.
  const many = roundsForHalfWidth(0.06, 0.02);
  assert(many > 36 && many < 45, `${many} rounds`);
});

Deno.test("roundsForHalfWidth() refuses a half-width of 0", () => {
  assertThrows(() => roundsForHalfWidth(0.02, 0), RangeError, "a half-width of 0");
});

Deno.test("twoStageMean() fixes the number by the first five values", () => {
  const values = [98, 102, 100, 96, 104];
  const { estimate, low, high, needed } = twoStageMean(values, 0.02)!;
  assertEquals(estimate, 100);
  // Standard deviation √10, t 2.776445: (2.776445 · √10 / 2)² is 19.3.
  assertEquals(needed, 20);
  assertAlmostEquals(high - estimate, 2.776445 * Math.sqrt(2), 1e-5);
  assertAlmostEquals(estimate - low, high - estimate, 1e-9);
  // Later values change the mean, and neither the number nor the standard deviation.
  const later = twoStageMean([...values, 160], 0.02)!;
  assertEquals([later.estimate, later.needed], [110, 20]);
  assertAlmostEquals(later.high - later.estimate, 2.776445 * Math.sqrt(10 / 6), 1e-5);
});

Deno.test("twoStageMean() needs five values, and no more where they agree", () => {
  assertEquals(twoStageMean([100, 100, 100, 100], 0.05), undefined);
  assertEquals(twoStageMean([100, 101, 100, 99, 100], 0.05)?.needed, 5);
});
