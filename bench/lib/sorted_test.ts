import { assertEquals } from "@std/assert";
import { countBelow } from "./sorted.ts";

Deno.test("countBelow() counts what is below a value, and not what equals it", () => {
  const numbers = Float64Array.of(1, 2, 2, 2, 5);
  const counts = [0, 1, 1.5, 2, 3, 5, 6].map((value) => countBelow(numbers, value));
  assertEquals(counts, [0, 0, 1, 1, 4, 4, 5]);
  assertEquals(countBelow(new Float64Array(), 1), 0);
});
