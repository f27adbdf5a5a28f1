import { assertEquals } from "@std/assert";
import { historyEntries } from "./history/entries.ts";
import { joinHistories, summariseHistory } from "./history/join.ts";
import { groupImpls } from "./impl_groups.ts";
import { deriveRun } from "./ranking.ts";
import type { Result } from "../results/result_schema.ts";
import { exampleHelloRun, exampleRun } from "../testing/example_run.ts";

function groupsOf(...runs: Result[][]) {
  const entries = runs.map((run) => ({
    local: false,
    entries: historyEntries(run, deriveRun(run)),
  }));
  return groupImpls(joinHistories(entries).map(summariseHistory))
    .map(({ latest, class: implClass, machine, impls }) => [
      ...[latest, implClass, machine],
      ...impls.map(({ name }) => name),
    ]);
}

Deno.test("groupImpls() puts the newest run first, what is tuned apart, the highest ratio first", () => {
  const [older, newer] = ["20260104T000000Z-0000004", "20260105T000000Z-0000005"] as const;
  const machine = "Example CPU, 2 processors";
  assertEquals(groupsOf(exampleHelloRun(older), exampleRun(newer)), [
    [newer, "standard", machine, "Swift", "Even", "Freezing"],
    [newer, "tuned", machine, "Tweaked"],
    [older, "standard", machine, "Swift", "Even", "Freezing"],
    [older, "tuned", machine, "Tweaked"],
  ]);
});

Deno.test("groupImpls() orders by goodput where nothing was compared", () => {
  const run = exampleRun("20260105T000000Z-0000005").slice(0, 2)
    .map(({ comparison: _, ...result }) => result);
  run[1]!.levels[0]!.repetitions[0]!.figures!.goodputPerSecond = 9_000;
  assertEquals(groupsOf(run).map((group) => group.slice(3)), [["Even", "Swift"]]);
});
