import { assertEquals } from "@std/assert";
import { latestRun } from "./latest_run.ts";
import { type RunSummary, summariseRun } from "./run_summary.ts";
import { exampleRun } from "../testing/example_run.ts";

const example = summariseRun(exampleRun("20260105T000000Z-0000005"), false);

/** Makes a full run of all four implementations, changed. */
function run(id: string, change: Partial<RunSummary> = {}): RunSummary {
  return { ...example, id, profile: "full", ...change };
}

/** Returns the id of the current run, and who completes it with whom. */
function latest(index: RunSummary[], scenario = "jwt-mysql"): unknown[] | undefined {
  const found = latestRun(index, scenario);
  return found && [found.run.id, ...found.completedBy.map(({ run, impls }) => [run.id, ...impls])];
}

Deno.test("latestRun() is the newest published full run", () => {
  const index = [
    run("local", { local: true }),
    run("quick", { profile: "quick" }),
    run("newest"),
    run("older"),
  ];
  assertEquals(latest(index), ["newest"]);
});

Deno.test("latestRun() passes over a run of fewer than two thirds of the implementations that nothing completes", () => {
  const impls = example.impls;
  const index = [
    run("one", { impls: impls.slice(0, 1), completionKey: "another machine" }),
    run("two", { impls: impls.slice(0, 2), completionKey: undefined }),
    run("three", { impls: impls.slice(0, 3) }),
    run("four"),
  ];
  assertEquals(latest(index), ["three"]);
  assertEquals(latest([...index.slice(0, 2), index[3]!]), ["four"]);
});

Deno.test("latestRun() completes a small run by those before it that were measured alike, each implementation with its newest result", () => {
  const [a, b, c, d] = example.impls;
  const ids = (...impls: (typeof a)[]) => impls.map((impl) => impl!.id);
  const index = [
    run("newest", { impls: [b!] }),
    run("elsewhere", { impls: [d!], completionKey: "another plan" }),
    run("small", { impls: [a!, b!] }),
    run("whole"),
  ];
  assertEquals(latest(index), ["newest", ["small", ...ids(a)], ["whole", ...ids(c, d)]]);
  // Two of the four of the last whole run were not measured alike.
  assertEquals(
    latest([run("newest", { impls: [b!] }), index[1]!, index[2]!, {
      ...index[3]!,
      completionKey: "a third machine",
    }]),
    ["whole"],
  );
});

Deno.test("latestRun() lets no older success take the place of a failure, which nothing was compared in", () => {
  const [a, b] = example.impls;
  const failed = { impls: [{ ...a!, status: "failed" as const }], completionKey: undefined };
  const index = [run("newest", { impls: [b!] }), run("failed", failed), run("whole")];
  const others = example.impls.slice(2).map(({ id }) => id);
  assertEquals(latest(index), ["newest", ["failed", a!.id], ["whole", ...others]]);
  // On another machine, it may have failed because of that.
  const elsewhere = { ...failed, machine: "another machine" };
  assertEquals(latest([index[0]!, run("failed", elsewhere), index[2]!]), [
    "newest",
    ["whole", a!.id, ...others],
  ]);
});

Deno.test("latestRun() completes nothing by what was before the last whole run: it may have been removed", () => {
  const [a, b, c, d] = example.impls;
  const removed = { ...a!, id: "removed" };
  const older = run("older", { impls: [removed, b!, c!, d!] });
  const whole = run("whole", { impls: [b!, c!, d!] });
  assertEquals(latest([run("one", { impls: [b!] }), whole, older]), ["one", [
    "whole",
    ...[c, d].map((impl) => impl!.id),
  ]]);
  assertEquals(latest([whole, older]), ["whole"]);
});

Deno.test("latestRun() passes over any number of runs of one implementation since the last whole one", () => {
  const one = { impls: example.impls.slice(0, 1), startedAt: "2026-02-20T00:00:00.000Z" };
  const ones = Array.from({ length: 40 }, (_, index) => run(`one-${index}`, one));
  const whole = run("whole", { startedAt: "2026-02-15T00:00:00.000Z" });
  assertEquals(latest([...ones, whole]), ["one-0", [
    "whole",
    ...example.impls.slice(1).map(({ id }) => id),
  ]]);
  // What was measured together months ago may be gone.
  const old = run("old", { startedAt: "2025-11-15T00:00:00.000Z" });
  assertEquals(latest([...ones, old]), ["one-0"]);
});

Deno.test("latestRun() makes do with what there is", () => {
  const quick = run("quick", { profile: "quick" });
  const local = run("local", { local: true });
  assertEquals(latest([local, quick]), ["quick"]);
  assertEquals(latest([local]), ["local"]);
  assertEquals(latest([]), undefined);
});

Deno.test("latestRun() knows the runs of its scenario only", () => {
  const index = [run("other", { scenario: "hello" }), run("own")];
  assertEquals(latest(index), ["own"]);
  assertEquals(latest(index, "hello"), ["other"]);
  assertEquals(latest(index, "delay"), undefined);
});
