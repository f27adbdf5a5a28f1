import { assert, assertEquals } from "@std/assert";
import { exampleRun } from "../testing/example_run.ts";
import { deriveControl, speedText } from "./control.ts";
import { formatInteger } from "../lib/format_integer.ts";
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

Deno.test("speedText() says between which rates of the control a run was measured, where they differ by a tenth or more", () => {
  const times = (factor: number) => {
    const [first, ...others] = structuredClone(results);
    for (const { rounds } of first!.comparison!.levels) {
      for (const { reference } of rounds) reference.seconds /= factor;
    }
    return [first!, ...others];
  };
  const [run] = deriveControl(current(times(2)));
  const widest = run!.levels.toSorted((a, b) => b.spread - a.spread)[0]!;
  assert(widest.spread > 1.5);
  const [lowest, highest] = [widest.lowest, widest.highest].map((rate) =>
    formatInteger(Math.round(rate))
  );
  assertEquals(
    speedText(times(2)),
    `the machine’s speed changed: warm, at ${widest.connections} connections, the control gave ${lowest} answers/s beside one implementation and ${highest} beside another`,
  );
  const even = results.filter(({ comparison }) => comparison !== undefined).slice(0, 1)
    .flatMap((result) => [result, result]);
  assertEquals(speedText(even), undefined);
  const [first, ...others] = times(2);
  const moved = { ...first!, machine: { ...first!.machine, cpuModel: "Other CPU" } };
  assertEquals(speedText([moved, ...others]), undefined);
});
