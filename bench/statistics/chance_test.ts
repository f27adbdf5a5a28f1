import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import fc from "fast-check";
import { chanceOfFalseAlarms, detectableDifference, failureBound } from "./chance.ts";

const counted = fc.integer({ min: 1, max: 500_000 })
  .chain((attempts) => fc.tuple(fc.integer({ min: 0, max: attempts }), fc.constant(attempts)));

Deno.test("failureBound() agrees with scipy 1.17.1, binomtest(k, n).proportion_ci(0.95, 'exact')", () => {
  const values: [failures: number, attempts: number, low: number, high: number][] = [
    [0, 10, 0, 0.30849710781876294],
    [3, 10, 0.06673951117773447, 0.652452850060008],
    [1, 20, 0.0012650894979560339, 0.24873276277202772],
    [0, 500_000, 0, 7.377731694015221e-6],
    [500, 500_000, 0.0009142954458223337, 0.001091568520085728],
    [499_999, 500_000, 0.9999888567641604, 0.9999999493643863],
  ];
  for (const [failures, attempts, low, high] of values) {
    const bound = failureBound(failures, attempts);
    assertAlmostEquals(bound.low, low, 1e-8 * low);
    assertAlmostEquals(bound.high, high, 1e-8 * high);
  }
});

Deno.test("failureBound() of nothing attempted is anything", () => {
  assertEquals(failureBound(0, 0), { low: 0, high: 1 });
});

Deno.test("failureBound() holds the counted share, and mirrors that of successes", () => {
  fc.assert(
    fc.property(counted, ([failures, attempts]) => {
      const { low, high } = failureBound(failures, attempts);
      const share = failures / attempts;
      assert(low <= share && share <= high);
      const successes = failureBound(attempts - failures, attempts);
      assertAlmostEquals(low, 1 - successes.high, 1e-9);
      assertAlmostEquals(high, 1 - successes.low, 1e-9);
    }),
    { numRuns: 25 },
  );
});

Deno.test("failureBound() grows with failures and with confidence", () => {
  fc.assert(
    fc.property(counted, ([failures, attempts]) => {
      fc.pre(failures < attempts);
      const bound = failureBound(failures, attempts);
      const more = failureBound(failures + 1, attempts);
      const surer = failureBound(failures, attempts, 0.99);
      assert(more.low > bound.low && more.high > bound.high);
      assert(surer.low <= bound.low && surer.high > bound.high);
    }),
    { numRuns: 25 },
  );
});

Deno.test("chanceOfFalseAlarms() agrees with scipy 1.17.1, stats.binom.sf(k - 1, 20, 0.05)", () => {
  assertEquals(chanceOfFalseAlarms(0, 20), 1);
  assertAlmostEquals(chanceOfFalseAlarms(1, 20), 0.6415140775914578, 1e-12);
  assertAlmostEquals(chanceOfFalseAlarms(3, 20), 0.07548367378849626, 1e-12);
  assertAlmostEquals(chanceOfFalseAlarms(4, 20), 0.015901526019763548, 1e-12);
  assertAlmostEquals(chanceOfFalseAlarms(20, 20), 0.05 ** 20, 1e-38);
});

Deno.test("detectableDifference() is two quantiles of t times the standard error", () => {
  // t tables: 2.776 for 95 % and 0.941 for one-sided 80 %, both with 4 degrees of freedom.
  const expected = Math.exp((2.776 + 0.941) * 0.02 / Math.sqrt(5)) - 1;
  assertAlmostEquals(detectableDifference(0.02, 5), expected, 1e-4);
  assertEquals(detectableDifference(0, 5), 0);
});

Deno.test("detectableDifference() is greater for less rounds, more power and more confidence", () => {
  const difference = detectableDifference(0.02, 10);
  assert(detectableDifference(0.02, 5) > difference);
  assert(detectableDifference(0.02, 10, { power: 0.9 }) > difference);
  assert(detectableDifference(0.02, 10, { power: 0.4 }) < difference);
  assert(detectableDifference(0.02, 10, { confidence: 0.99 }) > difference);
});
