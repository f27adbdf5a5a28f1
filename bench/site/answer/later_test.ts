import { assertEquals } from "@std/assert";
import { exampleRun } from "../../testing/example_run.ts";
import type { RunSummary } from "../run_summary.ts";
import { summariseRun } from "../run_summary.ts";
import { laterOf, measuredAgain } from "./later.ts";

const summary = summariseRun(exampleRun("20260105T000000Z-0000005"), false);
const run = { ...summary, impls: summary.impls.map((impl) => ({ ...impl, runId: summary.id })) };

/** A full run of these. */
function runOf(startedAt: string, ...names: string[]): RunSummary {
  const impls = names.map((name) => ({ ...run.impls[0]!, id: name.toLowerCase(), name }));
  const id = `${startedAt.slice(0, 10).replaceAll("-", "")}T000000Z-0000000`;
  return { ...run, id, profile: "full", startedAt, impls };
}

Deno.test("laterOf() names those that only later, published full runs of the scenario have", () => {
  const later = "2026-02-01T00:00:00.000Z";
  const both = [runOf(later, "Zig"), runOf(later, "Ada", "Zig"), run];
  assertEquals(laterOf(run, both), ["not in this run, measured later: Ada and Zig"]);
  assertEquals(laterOf(run, [run, runOf("2025-02-01T00:00:00.000Z", "Zig")]), []);
  const others: Partial<RunSummary>[] = [
    { local: true },
    { profile: "quick" },
    { scenario: "hello" },
  ];
  for (const other of others) assertEquals(laterOf(run, [{ ...both[0]!, ...other }]), []);
});

Deno.test("measuredAgain() counts those of the run that later ones have, each once", () => {
  const [earlier, later] = ["2025-02-01T00:00:00.000Z", "2026-02-01T00:00:00.000Z"];
  const [one, two] = run.impls.map(({ name }) => name);
  const words = (count: number) =>
    `${count} of these ${run.impls.length} implementations measured again later`;
  assertEquals(measuredAgain(run, [run, runOf(earlier, two!), runOf(later, "Zig")]), undefined);
  assertEquals(measuredAgain(run, [runOf(later, one!), run, runOf(earlier, two!)]), words(1));
  assertEquals(measuredAgain(run, [runOf(later, one!), runOf(later, two!, one!), run]), words(2));
});
