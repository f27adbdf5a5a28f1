import { assertEquals } from "@std/assert";
import { exampleRun } from "../../testing/example_run.ts";
import { comparedRunOf } from "../../results/compared_run.ts";
import { seriesOf } from "../../results/series.ts";
import { type ReplicasOfImpl, showReplicas } from "./replicas.ts";

const runId = "20260105T000000Z-0000000";

Deno.test("showReplicas() says what each machine found, and what that comes to on those of one kind", () => {
  const results = [1, 2, 3].flatMap((number) =>
    exampleRun(runId, number).slice(0, 2).map((result) => ({
      ...result,
      replica: number === 1 ? undefined : number,
      machine: { ...result.machine, cpuModel: number === 3 ? "Other CPU" : "Example CPU" },
    }))
  );
  const [swift, ...others] = showReplicas(results, comparedRunOf(results));
  assertEquals(others.map(({ name }) => name), ["Even"]);
  const { name, connections, rows, pooled } = swift!;
  assertEquals([name, connections], ["Swift", 10]);
  assertEquals(rows.map(({ file, machine, missing }) => [file, machine, missing === undefined]), [
    ["swift.json", "Example CPU, 2 processors", true],
    ["swift.2.json", "Example CPU, 2 processors", true],
    ["swift.3.json", "Other CPU, 2 processors", false],
  ]);
  const own = results.filter(({ impl }) => impl.id === "swift")
    .map(({ comparison }) => comparison!.levels[0]!.goodput);
  assertEquals(rows.map(({ ratio }) => ratio), own);
  assertEquals([pooled!.machines, pooled!.interval], [2, "interval over 2 machines"]);
});

Deno.test("showReplicas() pools nothing where one machine found a wrong answer, and says so", () => {
  const results = [1, 2].flatMap((number) =>
    exampleRun(runId, number).slice(0, 1).map((result) => ({
      ...result,
      replica: number === 1 ? undefined : number,
    }))
  );
  const level = results[1]!.levels.find(({ connections }) => connections === 10)!;
  const reason = { code: "wrong-answer" as const, message: "3 answers were wrong, expected none" };
  level.repetitions = [{
    startedAt: results[1]!.startedAt,
    validity: { valid: false, reasons: [reason] },
  }];
  const run = comparedRunOf(results);
  const [{ rows, pooled }] = showReplicas(results, run) as [ReplicasOfImpl];
  assertEquals(rows.map(({ missing }) => missing), [
    "Swift is invalid at 10 connections on machine 2: 3 answers were wrong, expected none",
    "Swift is invalid at 10 connections: 3 answers were wrong, expected none",
  ]);
  assertEquals(pooled, undefined);
  assertEquals(seriesOf("swift", [run]).map(({ levels }) => levels[0]!.logRatios), [[], []]);
});

Deno.test("showReplicas() is empty where one machine measured each", () => {
  const results = exampleRun(runId);
  assertEquals(showReplicas(results, comparedRunOf(results)), []);
});
