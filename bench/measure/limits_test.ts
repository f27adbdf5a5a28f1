import { assertEquals } from "@std/assert";
import { milliseconds, percent, toldFrom } from "./limits.ts";

Deno.test("toldFrom() has as many digits as tell a value from another, but no more than three more", () => {
  assertEquals(toldFrom(0.005, 0.0123, percent, 1), "1.2 %");
  assertEquals(toldFrom(0.005, 0.0052, percent, 1), "0.52 %");
  assertEquals(toldFrom(0.005, 0.005002, milliseconds, 2), "5.002 ms");
  assertEquals(toldFrom(0.005, 0.005, milliseconds, 2), "5.00000 ms");
});
