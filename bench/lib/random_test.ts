import { assertAlmostEquals, assertEquals, assertNotEquals } from "@std/assert";
import { sum } from "./sum.ts";
import { createRandom, createUnforeseeable, sample, shuffle } from "./random.ts";

Deno.test("createRandom() gives the published sequence of mulberry32", () => {
  const random = createRandom(0);
  assertEquals([random(), random(), random()].map((value) => value * 2 ** 32), [
    1144304738,
    1416247,
    958946056,
  ]);
});

Deno.test("createRandom() gives the same sequence for the same seed only", () => {
  assertEquals(createRandom(7)(), createRandom(7)());
  assertNotEquals(createRandom(7)(), createRandom(8)());
});

Deno.test("createUnforeseeable() gives numbers in [0, 1), others each time", () => {
  const [one, other] = [createUnforeseeable(), createUnforeseeable()];
  const numbers = Array.from({ length: 3_000 }, one);
  assertEquals(numbers.filter((it) => it < 0 || it >= 1), []);
  assertAlmostEquals(sum(numbers) / 3_000, 0.5, 0.05);
  assertNotEquals([other(), other()], numbers.slice(0, 2));
});

Deno.test("shuffle() keeps every item and puts each at each place equally often", () => {
  const random = createRandom(1);
  const first = new Map<string, number>();
  for (let round = 0; round < 6000; round++) {
    const order = shuffle(["a", "b", "c"], random);
    assertEquals(order.toSorted(), ["a", "b", "c"]);
    first.set(order[0]!, (first.get(order[0]!) ?? 0) + 1);
  }
  for (const count of first.values()) assertAlmostEquals(count, 2000, 150);
});

Deno.test("sample() returns different items, and all of them when asked for more", () => {
  const items = [1, 2, 3, 4, 5];
  const random = createRandom(1);
  assertEquals(new Set(sample(items, 3, random)).size, 3);
  assertEquals(sample(items, 9, random).toSorted(), items);
  assertEquals(items, [1, 2, 3, 4, 5]);
});
