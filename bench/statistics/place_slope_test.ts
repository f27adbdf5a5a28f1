import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import { type PlacedLoad, placeSlope } from "./place_slope.ts";

const round = (...logRatios: number[]): PlacedLoad[] =>
  logRatios.map((logRatio) => ({ level: 50, logRatio }));

Deno.test("placeSlope() of two loads at one level is the paired t test", () => {
  const { slope, t, degreesOfFreedom, low, high } = placeSlope([
    round(0.5, 0.6),
    round(0.1, 0.3),
    round(0.9, 1.2),
  ])!;
  // Differences 0.1, 0.2 and 0.3: mean 0.2, standard error 0.1 / √3, t 4.302653 for two degrees of freedom.
  assertAlmostEquals(slope, 0.2, 1e-12);
  assertAlmostEquals(t, 0.2 / (0.1 / Math.sqrt(3)), 1e-9);
  assertEquals(degreesOfFreedom, 2);
  assertAlmostEquals(high - low, 2 * 4.302653 * 0.1 / Math.sqrt(3), 1e-6);
});

Deno.test("placeSlope() finds the slope under any effect of rounds and levels", () => {
  const level: Record<number, number> = { 10: 0.4, 50: -0.2, 100: 0.1 };
  const orders = [[10, 50, 100], [100, 10, 50], [50, 10, 100], [100, 50, 10]];
  const rounds = orders.map((order, index) =>
    order.map((connections, place) => ({
      level: connections,
      logRatio: index ** 2 + level[connections]! + 0.07 * place,
    }))
  );
  const { slope, degreesOfFreedom, t } = placeSlope(rounds)!;
  assertAlmostEquals(slope, 0.07, 1e-12);
  assertEquals(degreesOfFreedom, 12 - 4 - 3);
  assert(t > 1e6);
});

Deno.test("placeSlope() says nothing where place and level are one, or rounds are too few", () => {
  const load = (level: number, logRatio: number) => ({ level, logRatio });
  const same = [0.1, 0.2, 0.3].map((value) => [load(10, value), load(50, 2 * value)]);
  assertEquals(placeSlope(same), undefined);
  assertEquals(placeSlope([]), undefined);
  assertEquals(placeSlope([round(0.1, 0.2)]), undefined);
  assertEquals(placeSlope([round(0.1), round(0.2), round(0.3)]), undefined);
});

Deno.test("placeSlope() refuses rounds of different levels", () => {
  assertThrows(
    () => placeSlope([round(0.1, 0.2), round(0.1)]),
    RangeError,
    "a round has levels 50, another 50,50",
  );
});
