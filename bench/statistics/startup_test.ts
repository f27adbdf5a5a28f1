import { assertAlmostEquals, assertEquals } from "@std/assert";
import { ratioInterval } from "./ratio.ts";
import { startupRatio } from "./startup.ts";

Deno.test("startupRatio() takes the ratio of medians of each block, subject to control", () => {
  const blocks = [1, 2, 3].map((factor) => ({
    subject: [6 * factor, 8 * factor, 60 * factor],
    control: [4 * factor, 3 * factor, 5 * factor],
  }));
  assertAlmostEquals(startupRatio(blocks)!.estimate, 2, 1e-12);
  const [first, ...others] = blocks;
  const slower = { ...first!, subject: [9] };
  assertEquals(startupRatio([slower, ...others]), ratioInterval([9 / 4, 2, 2].map(Math.log)));
});

Deno.test("startupRatio() needs three blocks", () => {
  assertEquals(
    startupRatio([{ subject: [1], control: [1] }, { subject: [1], control: [1] }]),
    undefined,
  );
});
