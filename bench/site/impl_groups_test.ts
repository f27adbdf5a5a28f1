import { assertEquals } from "@std/assert";
import { historyEntries } from "./history/entries.ts";
import { joinHistories, summariseHistory } from "./history/join.ts";
import { groupImpls, listImpls } from "./impl_groups.ts";
import { deriveRun } from "./ranking.ts";
import type { Result } from "../results/result_schema.ts";
import { exampleHelloRun, exampleRun } from "../testing/example_run.ts";

const [older, newer] = ["20260104T000000Z-0000004", "20260105T000000Z-0000005"] as const;

function summariesOf(...runs: Result[][]) {
  const entries = runs.map((run) => ({
    local: false,
    entries: historyEntries(run, deriveRun(run)),
  }));
  return joinHistories(entries).map(summariseHistory);
}

function groupsOf(...runs: Result[][]) {
  return groupImpls(summariesOf(...runs)).flatMap(({ scenario, groups }) =>
    groups.map(({ latest, class: implClass, machine, impls }) => [
      ...[scenario, latest, implClass, machine],
      ...impls.map(({ name }) => name),
    ])
  );
}

Deno.test("groupImpls() puts the newest run first, what is tuned apart, the highest ratio first", () => {
  const machine = "Example CPU, 2 processors";
  assertEquals(groupsOf(exampleHelloRun(older), exampleRun(newer)), [
    ["jwt-mysql", newer, "standard", machine, "Swift", "Even", "Freezing"],
    ["jwt-mysql", newer, "tuned", machine, "Tweaked"],
    ["hello", older, "standard", machine, "Swift", "Even", "Freezing"],
    ["hello", older, "tuned", machine, "Tweaked"],
  ]);
});

Deno.test("groupImpls() has the groups of a scenario together, whatever runs they are of", () => {
  const [swift] = exampleRun("20260103T000000Z-0000003");
  const scenarios = groupImpls(
    summariesOf([swift!], exampleHelloRun(older), exampleRun(newer).slice(1)),
  ).map(({ scenario, groups }) => [scenario, groups.length]);
  assertEquals(scenarios, [["jwt-mysql", 3], ["hello", 2]]);
});

Deno.test("listImpls() has each implementation once, with its scenarios", () => {
  const listed = listImpls(summariesOf(exampleHelloRun(older), exampleRun(newer).slice(0, 3)));
  assertEquals(listed.map(({ id, address, scenarios }) => [id, address, scenarios]), [
    ["even", "impls/even/", ["jwt-mysql", "hello"]],
    ["freezing", "impls/freezing/", ["jwt-mysql", "hello"]],
    ["swift", "impls/swift/", ["jwt-mysql", "hello"]],
    ["tweaked", "impls/tweaked/hello/", ["hello"]],
  ]);
});

Deno.test("groupImpls() orders by goodput where nothing was compared", () => {
  const run = exampleRun("20260105T000000Z-0000005").slice(0, 2)
    .map(({ comparison: _, ...result }) => result);
  run[1]!.levels[0]!.repetitions[0]!.figures!.goodputPerSecond = 9_000;
  assertEquals(groupsOf(run).map((group) => group.slice(4)), [["Even", "Swift"]]);
});
