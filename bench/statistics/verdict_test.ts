import { assertEquals } from "@std/assert";
import { readRatio, verdict, verdictWords } from "./mod.ts";

const [faster, slower, tied] = [
  { low: 1.1, high: 1.2 },
  { low: 0.8, high: 0.9 },
  { low: 0.9, high: 1.1 },
];

Deno.test("verdict() needs the whole interval on one side of 1", () => {
  assertEquals(verdict({ low: 1.001, high: 1.2 }), "faster");
  assertEquals(verdict({ low: 0.8, high: 0.999 }), "slower");
  assertEquals(verdict({ low: 1, high: 1.2 }), "tied");
  assertEquals(verdict({ low: 0.9, high: 1 }), "tied");
});

Deno.test("readRatio() leaves open the side of what the load generator bounds", () => {
  const read = (ratio: typeof faster, a: boolean, b: boolean) => {
    const { verdict, qualifier, hiddenBy } = readRatio(ratio, { a, b });
    return [verdict, qualifier, hiddenBy];
  };
  assertEquals(read(faster, false, false), ["faster", undefined, undefined]);
  assertEquals(read(faster, true, false), ["faster", "at least", undefined]);
  assertEquals(read(faster, false, true), ["tied", "at most", "b"]);
  assertEquals(read(slower, true, false), ["tied", "at least", "a"]);
  assertEquals(read(slower, false, true), ["slower", "at most", undefined]);
  assertEquals(read(tied, false, true), ["tied", "at most", undefined]);
  assertEquals(read(faster, true, true), ["tied", undefined, "both"]);
  assertEquals(readRatio(faster, { a: true, b: false }).range, { low: 1.1, high: Infinity });
  assertEquals(readRatio(faster, { a: false, b: true }).range, { low: 0, high: 1.2 });
});

Deno.test("verdictWords() names whom the load generator limited, where that hides a difference", () => {
  const words = (ratio: typeof faster, a: boolean, b: boolean) =>
    verdictWords(readRatio(ratio, { a, b }), { a: "Go", b: "Rust" });
  assertEquals(words(faster, false, false), "faster");
  assertEquals(words(faster, false, true), "tied: the load generator limited Rust");
  assertEquals(words(slower, true, false), "tied: the load generator limited Go");
  assertEquals(words(tied, true, false), "tied");
  assertEquals(words(tied, true, true), "tied: the load generator limited both");
});
