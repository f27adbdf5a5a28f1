import { assertAlmostEquals, assertEquals } from "@std/assert";
import { twoStageMean } from "./two_stage_mean.ts";

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
