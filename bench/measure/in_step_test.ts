import { assertEquals } from "@std/assert";
import { outOfStep } from "./in_step.ts";

/** 10,000 answers, one each 0.1 ms from 1,000 ms on, of which 99 in 100 need a statement. */
const load = {
  endMs: Float64Array.from({ length: 10_000 }, (_, index) => 1_000 + 0.1 * index).reverse(),
  ...{ toleranceMs: 10, expected: 9_900, connections: 50, failed: 0 },
};

function saidOf(atMs: number, executes: number, others: Partial<typeof load> = {}) {
  return outOfStep([{ beginMs: atMs, endMs: atMs + 1, executes }], { ...load, ...others });
}

Deno.test("outOfStep() has nothing against executions for the answers that had come, and requests under way", () => {
  assertEquals(saidOf(1_500, 4_951), undefined);
  assertEquals(saidOf(1_500, 4_951 + 50), undefined);
  assertEquals(outOfStep([], load), undefined);
  assertEquals(saidOf(900, 0), undefined);
  assertEquals(saidOf(1_500, 0, { endMs: new Float64Array(), expected: 0 }), undefined);
});

Deno.test("outOfStep() names the reading at which executions were too few, however many came later", () => {
  const said =
    "when 4,900 answers had come, the database had executed 4,780 statements, expected at least 4,787";
  assertEquals(saidOf(1_500, 4_780), said);
  assertEquals(saidOf(1_500, 4_780, { failed: 8 }), undefined);
  // Of 9,000 answers, 90 statements may be missing.
  assertEquals([8_830, 8_810].map((executes) => saidOf(1_910, executes) === undefined), [
    true,
    false,
  ]);
  const readings = [1_500, 2_100].map((atMs, index) => ({
    ...{ beginMs: atMs, endMs: atMs },
    executes: [4_780, 9_900][index]!,
  }));
  assertEquals(outOfStep(readings, load), said);
});

Deno.test("outOfStep() names the reading at which executions were too many for the answers and what was under way", () => {
  assertEquals(saidOf(900, 114), undefined);
  assertEquals(
    saidOf(900, 115),
    "when 0 answers had come, the database had executed 115 statements, expected at most 114",
  );
  assertEquals(saidOf(900, 115, { failed: 1 }), undefined);
});
