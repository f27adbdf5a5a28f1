import { assertEquals } from "@std/assert";
import type { ComparisonPlan } from "./comparison_schema.ts";
import {
  comparisonWithControl,
  isProfileName,
  noisePlans,
  profileOfNoise,
  shownLevel,
} from "./profiles.ts";

Deno.test("isProfileName() knows a profile from any other word", () => {
  assertEquals(["smoke", "fast", "toString"].map(isProfileName), [true, false, false]);
});

Deno.test("shownLevel() is the level of every comparison, else the lowest, in whatever order", () => {
  assertEquals(shownLevel([300, 50, 10]), 50);
  assertEquals(shownLevel([300, 10, 100]), 10);
  assertEquals(shownLevel([]), 50);
});

Deno.test("comparisons with the control have the same slices in every profile, and so has noise", () => {
  const slicesOf = (
    { slices, sliceSeconds, settleSeconds, joinsSlices }: ComparisonPlan,
  ) => ({ slices, sliceSeconds, settleSeconds, joinsSlices });
  assertEquals(slicesOf(comparisonWithControl.full), slicesOf(comparisonWithControl.quick));
  assertEquals(slicesOf(noisePlans.quick), slicesOf(comparisonWithControl.quick));
});

Deno.test("profileOfNoise() knows the plans of today only", () => {
  assertEquals(profileOfNoise(structuredClone(noisePlans.full)), "full");
  const { joinsSlices: _, ...older } = noisePlans.quick;
  assertEquals(profileOfNoise(older), undefined);
});
