import { assertEquals } from "@std/assert";
import { exampleDeliveries } from "../testing/example_deliveries.ts";
import { exampleRun } from "../testing/example_run.ts";
import { exampleResult } from "../testing/example_result.ts";
import { factsOf } from "../measure/load.ts";
import { notCountedIn } from "./not_counted.ts";

const runId = "20260105T000000Z-0000005";
const rows = "rows read and transactions: the server says why";
const statements = "statements of each side: the server says why";

Deno.test("notCountedIn() has nothing of a result in which everything was counted", () => {
  for (const result of [...exampleRun(runId), ...exampleDeliveries(runId)]) {
    assertEquals(notCountedIn(result), []);
  }
});

Deno.test("notCountedIn() has once what any load does not tell", () => {
  const [result] = exampleRun(runId);
  const { levels: [level], comparison, rateSweep } = result!;
  const { observation } = level!.repetitions.at(-1)!;
  observation!.notCounted = [rows];
  assertEquals(notCountedIn(result!), [rows]);
  const [round] = comparison!.levels[0]!.rounds;
  round!.reference.load = { ...factsOf(observation!), notCounted: [statements] };
  for (const { steps } of rateSweep!.processes) for (const step of steps) step.notCounted = [rows];
  assertEquals(notCountedIn(result!), [rows, statements]);
});

Deno.test("notCountedIn() looks at the load with commits on disk, and at deliveries", () => {
  const { levels: [load] } = exampleResult();
  load!.repetitions[0]!.observation!.notCounted = [rows];
  assertEquals(notCountedIn({ durable: { load } }), [rows]);
  const [delivered] = exampleDeliveries(runId);
  delivered!.deliveries!.steps[0]!.notCounted = [statements];
  assertEquals(notCountedIn(delivered!), [statements]);
});
