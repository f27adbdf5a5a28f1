import { assert, assertEquals } from "@std/assert";
import { exampleRun } from "../testing/example_run.ts";
import { deriveControl } from "./control.ts";
import { deriveOne } from "./derived_run.ts";
import { goodputOf } from "../results/comparison_schema.ts";
import type { Result } from "../results/result_schema.ts";

function current(results: Result[]) {
  const { exported, runs } = deriveOne(results, { local: false, earlier: [] });
  return [{ api: exported, results, known: runs }];
}

const results = exampleRun("20260105T000000Z-0000005");

Deno.test("deriveControl() has the control's rate beside each implementation, at each level that was compared", () => {
  const [run] = deriveControl(current(results));
  assertEquals(run?.version, results.find(({ control }) => control)!.control!.version);
  assert(run!.levels.length > 0);
  for (const { connections, lowest, median, highest, spread, rates } of run!.levels) {
    const all = results.flatMap(({ comparison }) =>
      comparison?.levels.filter((level) => level.connections === connections)
        .flatMap(({ rounds }) => rounds.map(({ reference }) => goodputOf(reference))) ?? []
    );
    assert(rates > 1 && lowest <= median && median <= highest);
    // Means of logarithms round.
    const rounding = 1 + 1e-9;
    assert(lowest * rounding >= Math.min(...all) && highest <= Math.max(...all) * rounding);
    assertEquals(spread, highest / lowest);
  }
});

Deno.test("deriveControl() has nothing of different machines, and nothing without a comparison", () => {
  const [first, ...others] = results;
  const moved = { ...first!, machine: { ...first!.machine, cpuModel: "Other CPU" } };
  assertEquals(deriveControl(current([moved, ...others])), []);
  const alone = results.map(({ control: _, comparison: __, ...result }) => result);
  assertEquals(deriveControl(current(alone)), []);
});
