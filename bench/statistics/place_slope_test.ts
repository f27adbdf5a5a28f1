import { assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import { type PlacedLoad, placeSlope } from "./place_slope.ts";

const round = (...logRatios: number[]): PlacedLoad[] =>
  logRatios.map((logRatio) => ({ level: 50, logRatio }));

Deno.test("placeSlope() of two loads at one level is the paired t test", () => {
  const { slope, degreesOfFreedom, low, high } = placeSlope([
    round(0.5, 0.6),
    round(0.1, 0.3),
    round(0.9, 1.2),
  ])!;
  // Differences 0.1, 0.2 and 0.3: mean 0.2, standard error 0.1 / √3, t 9.924843 for two degrees of freedom.
  assertAlmostEquals(slope, 0.2, 1e-12);
  assertEquals(degreesOfFreedom, 2);
  assertAlmostEquals(high - low, 2 * 9.924843 * 0.1 / Math.sqrt(3), 1e-6);
});

Deno.test("placeSlope() is that of least squares with a dummy for each round and level, its error that over rounds", () => {
  const orders = [[10, 50, 300], [300, 10, 50], [50, 10, 300], [300, 50, 10], [10, 300, 50]];
  const logRatios = [
    [0.11, 0.02, -0.05],
    [-0.03, 0.14, 0.06],
    [0.05, 0.19, 0.03],
    [0.02, 0.01, 0.2],
    [0.08, -0.01, 0.05],
  ];
  const { slope, low, high, degreesOfFreedom } = placeSlope(
    orders.map((order, round) =>
      order.map((level, place) => ({ level, logRatio: logRatios[round]![place]! }))
    ),
  )!;
  // The slope: numpy 2, linalg.lstsq with 7 dummies. Its ends: the jackknife over rounds, computed apart
  // in Python, and 4.604094871 of Student's t for 99 % and four degrees of freedom.
  assertEquals(degreesOfFreedom, 4);
  assertAlmostEquals(slope, 0.01729166666666665, 1e-12);
  assertAlmostEquals(low, -0.021347652, 1e-8);
  assertAlmostEquals(high, 0.055930985, 1e-8);
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
  const { slope, degreesOfFreedom, low, high } = placeSlope(rounds)!;
  assertAlmostEquals(slope, 0.07, 1e-12);
  assertEquals(degreesOfFreedom, 4 - 1);
  assertAlmostEquals(high - low, 0, 1e-9);
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
