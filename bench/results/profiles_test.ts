import { assertEquals } from "@std/assert";
import { isProfileName, shownLevel } from "./profiles.ts";

Deno.test("isProfileName() knows a profile from any other word", () => {
  assertEquals(["smoke", "fast", "toString"].map(isProfileName), [true, false, false]);
});

Deno.test("shownLevel() is the level of every comparison, else the lowest, in whatever order", () => {
  assertEquals(shownLevel([300, 50, 10]), 50);
  assertEquals(shownLevel([300, 10, 100]), 10);
  assertEquals(shownLevel([]), 50);
});
