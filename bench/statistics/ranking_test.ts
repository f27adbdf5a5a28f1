import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { comparePairs, type RankPair, tieGroups, winPoints } from "./ranking.ts";
import type { RatioInterval } from "./ratio.ts";

Deno.test("comparePairs() gives every pair its part of what may go wrong", () => {
  const pairs = comparePairs(
    ["a", "b", "c"],
    (a, b, confidence) => ({ low: 1, high: 2, of: a + b, confidence }),
  );
  assertEquals(pairs.map(({ a, b }) => a + b), ["ab", "ac", "bc"]);
  for (const { a, b, ratio } of pairs) {
    assertEquals([ratio.of, ratio.confidence], [a + b, 1 - (1 - 0.95) / 3]);
  }
});

Deno.test("comparePairs() leaves out a pair without a ratio", () => {
  const ratio = { low: 1, high: 2 };
  const pairs = comparePairs(["a", "b", "c"], (a, b) => a + b === "ac" ? ratio : undefined);
  assertEquals(pairs, [{ a: "a", b: "c", ratio }]);
  assertEquals(comparePairs([], () => ratio), []);
});

Deno.test("tieGroups() has an implementation between two others in a group with each", () => {
  const entries = [
    { id: "middle", estimate: 2 },
    { id: "last", estimate: 1 },
    { id: "first", estimate: 3 },
  ];
  assertEquals(tieGroups(entries, [pair("last", "first", 0.5, 0.9)]), [
    ["first", "middle"],
    ["middle", "last"],
  ]);
});

Deno.test("tieGroups() gives each a group of its own where all are apart, and all one where none is", () => {
  const entries = [{ id: "a", estimate: 3 }, { id: "b", estimate: 2 }, { id: "c", estimate: 1 }];
  const apart = [pair("a", "b", 1.1, 2), pair("a", "c", 1.1, 2), pair("b", "c", 1.1, 2)];
  assertEquals(tieGroups(entries, apart), [["a"], ["b"], ["c"]]);
  assertEquals(tieGroups(entries, [pair("a", "b", 0.9, 2)]), [["a", "b", "c"]]);
  assertEquals(tieGroups([], []), []);
});

Deno.test("tieGroups() puts two in a group together exactly where they are tied", () => {
  const ids = ["a", "b", "c", "d", "e", "f", "g"];
  const all = ids.flatMap((a, index) => ids.slice(index + 1).map((b) => pair(a, b, 1.1, 2)));
  const estimates = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 7, maxLength: 7 });
  fc.assert(fc.property(fc.shuffledSubarray(all), estimates, (apart, estimate) => {
    const entries = ids.map((id, index) => ({ id, estimate: estimate[index]! }));
    const groups = tieGroups(entries, apart);
    for (const { a, b } of all) {
      const tied = !apart.some((other) => other.a === a && other.b === b);
      assertEquals(groups.some((group) => group.includes(a) && group.includes(b)), tied);
    }
    for (const group of groups) {
      const set = new Set(group);
      assert(groups.every((other) => other === group || !set.isSubsetOf(new Set(other))));
      const order = group.map((id) => estimate[ids.indexOf(id)]!);
      assertEquals(order, order.toSorted((a, b) => b - a));
    }
    assertEquals(new Set(groups.flat()), new Set(ids));
    assertEquals(tieGroups(entries, apart.toReversed()), groups);
  }));
});

Deno.test("winPoints() go by the lower bound", () => {
  const lows = [0.9, 1.049, 1.05, 1.199, 1.2, 1.499, 1.5, 4];
  assertEquals(lows.map((low) => winPoints({ low })), [0, 0, 1, 1, 2, 2, 3, 3]);
});

function pair(a: string, b: string, low: number, high: number): RankPair {
  const ratio: RatioInterval = {
    estimate: Math.sqrt(low * high),
    low,
    high,
    confidence: 0.95,
    method: "t",
    rounds: 5,
  };
  return { a, b, ratio };
}
