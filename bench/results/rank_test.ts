import { assertEquals } from "@std/assert";
import { pairOf, type RankedPair } from "./rank.ts";

const interval = { confidence: 0.95, runs: 1 };
const pair: RankedPair = {
  ...{ a: "go", b: "rust", verdict: "tied", qualifier: "at most", hiddenBy: "b", points: 0 },
  ratio: { ...interval, estimate: 1.25, low: 1.25, high: 2 },
};

Deno.test("pairOf() turns a pair around with how to read it, and finds none of one that is not there", () => {
  assertEquals(pairOf([pair], "go", "rust"), pair);
  const turned: RankedPair = {
    ...{ a: "rust", b: "go", verdict: "tied", qualifier: "at least", hiddenBy: "a", points: 0 },
    ratio: { ...interval, estimate: 0.8, low: 0.5, high: 0.8 },
  };
  assertEquals(pairOf([pair], "rust", "go"), turned);
  assertEquals(pairOf([{ ...pair, verdict: "faster" }], "rust", "go")?.verdict, "slower");
  assertEquals(pairOf([pair], "go", "deno"), undefined);
});
