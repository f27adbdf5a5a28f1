import { assertAlmostEquals, assertEquals } from "@std/assert";
import { meanMargin, predictionMargin } from "./margins.ts";
import { mean } from "./descriptive.ts";
import { createRandom } from "../lib/random.ts";
import { draw, normal } from "../testing/noise.ts";

Deno.test("meanMargin() is t times the standard error, from three values on", () => {
  // t of 2 degrees of freedom is 4.3027; the standard deviation of 1, 2, 3 is 1.
  assertAlmostEquals(meanMargin([1, 2, 3])!, 4.3027 / Math.sqrt(3), 1e-4);
  assertEquals(meanMargin([2, 2, 2]), 0);
  assertEquals(meanMargin([1, 2]), undefined);
});

Deno.test("predictionMargin() is t times the standard deviation of one more value, from three values on", () => {
  assertAlmostEquals(predictionMargin([1, 2, 3])!, 4.3027 * Math.sqrt(4 / 3), 1e-4);
  assertEquals(predictionMargin([1, 2]), undefined);
});

Deno.test("predictionMargin() holds one more value 95 times in 100", () => {
  const random = createRandom(3);
  const times = 4_000;
  const held = draw(times, () => {
    const values = draw(10, () => normal(random));
    return Math.abs(normal(random) - mean(values)) <= predictionMargin(values)!;
  }).filter(Boolean).length;
  // Three standard errors of a share of 0.95.
  assertAlmostEquals(held / times, 0.95, 0.0104);
});
