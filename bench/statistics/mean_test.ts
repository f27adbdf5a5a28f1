import { assertAlmostEquals, assertEquals } from "@std/assert";
import { meanMargin } from "./mean.ts";

Deno.test("meanMargin() is t times the standard error, from three values on", () => {
  // t of 2 degrees of freedom is 4.3027; the standard deviation of 1, 2, 3 is 1.
  assertAlmostEquals(meanMargin([1, 2, 3])!, 4.3027 / Math.sqrt(3), 1e-4);
  assertEquals(meanMargin([2, 2, 2]), 0);
  assertEquals(meanMargin([1, 2]), undefined);
});
