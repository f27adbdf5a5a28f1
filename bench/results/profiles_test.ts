import { assertEquals } from "@std/assert";
import type { ComparisonPlan } from "./comparison_schema.ts";
import type { NoisePlan } from "./files_schema.ts";
import {
  comparisonWithControl,
  isOfToday,
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

Deno.test("isOfToday() lets another p99 be no reason against other figures", () => {
  const { settleSeconds: _, ...p99AtRate } = noisePlans.full.p99AtRate;
  const isOf = (plan: NoisePlan) =>
    (["goodput", "startup", "p99AtRate"] as const).map((figure) => isOfToday(plan, figure));
  assertEquals(isOf(noisePlans.full), [true, true, true]);
  assertEquals(isOf({ ...noisePlans.full, p99AtRate }), [true, true, false]);
  assertEquals(isOf({ ...noisePlans.full, slices: 4 }), [false, false, false]);
});
