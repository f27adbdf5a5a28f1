import { assertAlmostEquals, assertEquals } from "@std/assert";
import { median, standardDeviation } from "./descriptive.ts";

Deno.test("median() takes the mean of the two middle values of an even list", () => {
  assertEquals(median([4, 1, 3, 2]), 2.5);
  assertEquals(median([3, 1, 2]), 2);
});

Deno.test("standardDeviation() divides by one less than the number of values", () => {
  assertAlmostEquals(standardDeviation([1, 2, 3, 4, 5]), Math.sqrt(2.5), 1e-15);
});
