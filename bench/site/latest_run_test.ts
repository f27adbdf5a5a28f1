import { assertEquals } from "@std/assert";
import { latestRun } from "./latest_run.ts";
import { type RunSummary, summariseRun } from "./run_summary.ts";
import { exampleRun } from "../testing/example_run.ts";

const example = summariseRun(exampleRun("20260105T000000Z-0000005"), false);

/** Makes a full run of all four implementations, changed. */
function run(id: string, change: Partial<RunSummary> = {}): RunSummary {
  return { ...example, id, profile: "full", ...change };
}

Deno.test("latestRun() is the newest published full run", () => {
  const index = [
    run("local", { local: true }),
    run("quick", { profile: "quick" }),
    run("newest"),
    run("older"),
  ];
  assertEquals(latestRun(index, "jwt-mysql")?.id, "newest");
});

Deno.test("latestRun() passes over a run of fewer than two thirds of the implementations", () => {
  const impls = example.impls;
  const index = [
    run("one", { impls: impls.slice(0, 1) }),
    run("two", { impls: impls.slice(0, 2) }),
    run("three", { impls: impls.slice(0, 3) }),
    run("four"),
  ];
  assertEquals(latestRun(index, "jwt-mysql")?.id, "three");
  assertEquals(latestRun([...index.slice(0, 2), index[3]!], "jwt-mysql")?.id, "four");
});

Deno.test("latestRun() passes over any number of runs of one implementation since the last whole one", () => {
  const one = { impls: example.impls.slice(0, 1), startedAt: "2026-02-20T00:00:00.000Z" };
  const ones = Array.from({ length: 40 }, (_, index) => run(`one-${index}`, one));
  const whole = run("whole", { startedAt: "2026-02-15T00:00:00.000Z" });
  assertEquals(latestRun([...ones, whole], "jwt-mysql")?.id, "whole");
  // What was measured together months ago may be gone.
  const old = run("old", { startedAt: "2025-11-15T00:00:00.000Z" });
  assertEquals(latestRun([...ones, old], "jwt-mysql")?.id, "one-0");
});

Deno.test("latestRun() makes do with what there is", () => {
  const quick = run("quick", { profile: "quick" });
  const local = run("local", { local: true });
  assertEquals(latestRun([local, quick], "jwt-mysql")?.id, "quick");
  assertEquals(latestRun([local], "jwt-mysql")?.id, "local");
  assertEquals(latestRun([], "jwt-mysql"), undefined);
});

Deno.test("latestRun() knows the runs of its scenario only", () => {
  const index = [run("other", { scenario: "hello" }), run("own")];
  assertEquals(latestRun(index, "jwt-mysql")?.id, "own");
  assertEquals(latestRun(index, "hello")?.id, "other");
  assertEquals(latestRun(index, "delay"), undefined);
});
