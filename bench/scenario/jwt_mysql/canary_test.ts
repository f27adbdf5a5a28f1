import { assertEquals } from "@std/assert";
import { otherValue } from "./canary.ts";

Deno.test("otherValue() is of the column's type, also where the value is NULL", () => {
  assertEquals([otherValue("age", 41), otherValue("age", null)], [42, 1]);
  assertEquals([otherValue("city", "Bath"), otherValue("city", null)], ["New Bath", "New city"]);
});
