import { assertEquals } from "@std/assert";
import { longestGap } from "./changes.ts";

Deno.test("longestGap() is the longest time without a change within a load, also at its ends", () => {
  const moments = [0, 1_000, 1_020, 5_020, 5_040, 9_000];
  const gap = (fromMs: number, toMs: number) => longestGap(moments, { fromMs, toMs });
  assertEquals(gap(1_010, 5_030), 4);
  assertEquals(gap(5_030, 6_000), 0.96);
  assertEquals(gap(6_000, 7_500), 1.5);
  assertEquals(gap(9_500, 12_500), 3);
});

Deno.test("longestGap() is unknown where changes began later, or not at all", () => {
  assertEquals(longestGap([100], { fromMs: 0, toMs: 200 }), undefined);
  assertEquals(longestGap([], { fromMs: 0, toMs: 200 }), undefined);
});
