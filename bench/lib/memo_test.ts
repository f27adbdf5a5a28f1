import { assertEquals } from "@std/assert";
import { memo } from "./memo.ts";

Deno.test("memo() computes each value once, undefined too, and tells lists of numbers apart", () => {
  const computed: string[] = [];
  const divide = memo((a: number, b: number) => {
    computed.push(`${a}/${b}`);
    return b === 0 ? undefined : a / b;
  });
  const asked = [[6, 3], [6, 0], [6, 3], [6, 0], [1, 23], [12, 3]] as const;
  assertEquals(asked.map(([a, b]) => divide(a, b)), [2, undefined, 2, undefined, 1 / 23, 4]);
  assertEquals(computed, ["6/3", "6/0", "1/23", "12/3"]);
});
