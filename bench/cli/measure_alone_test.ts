import { assertEquals, assertMatch } from "@std/assert";
import { limitWarning } from "./measure_alone.ts";

Deno.test("limitWarning() warns where the machine has processors that may not be used", () => {
  assertEquals([limitWarning(2, 2), limitWarning(4, 2)], [undefined, undefined]);
  assertMatch(limitWarning(2, 8) ?? "", /^Only 2 of 8 processors may be used here: /);
});
