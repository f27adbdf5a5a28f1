/** Scenarios without levels: which of their figures alerts judge, and by what. */
import { assertEquals } from "@std/assert";
import { exampleBursts } from "../../testing/example_bursts.ts";
import { exampleDeliveries } from "../../testing/example_deliveries.ts";
import type { Result } from "../../results/result_schema.ts";
import { figuresOf, follow } from "../figures.ts";
import { fewestRuns, findRegressions } from "./rule.ts";

/** Returns the followed figures of one implementation in some weekly runs. */
function weekly(resultsOf: (runId: string) => Result[], place: number, weeks: number) {
  return Array.from({ length: weeks }, (_, week) => {
    const runId = `202601${String(week + 1).padStart(2, "0")}T000000Z-0000000`;
    return follow([resultsOf(runId)[place]!]);
  });
}

Deno.test("figuresOf() has the highest rate of deliveries, and latency and memory where the objective is met", () => {
  const [, pooled, doubling] = exampleDeliveries("20260105T000000Z-0000005");
  assertEquals(
    figuresOf(pooled!).map(({ name, value, unit }) => `${name}: ${value} ${unit}`),
    [
      "highest sustainable rate: 167 notifications/s",
      "p99 of accepting at 167 notifications/s: 4 ms",
      "peak memory at 167 notifications/s: 50 MiB",
    ],
  );
  assertEquals(figuresOf(pooled!)[0]!.steps, [167, 2_667]);
  const steps = pooled!.deliveries!.steps.map((step) => ({ ...step, disturbed: "it swapped" }));
  const disturbed = { ...pooled!, deliveries: { ...pooled!.deliveries!, steps } };
  assertEquals(figuresOf(disturbed).map(({ name }) => name), ["highest sustainable rate"]);
  assertEquals(figuresOf(doubling!), []);
  const [first, ...rest] = pooled!.deliveries!.steps;
  const missed = { ...pooled!, deliveries: { steps: [{ ...first!, holds: false }, ...rest] } };
  assertEquals(figuresOf(missed).map(({ value }) => value), [0]);
});

Deno.test("no figure of bursts and deliveries has an interval, so that the spread of earlier runs judges them", () => {
  for (const resultsOf of [exampleBursts, exampleDeliveries]) {
    const figures = resultsOf("20260105T000000Z-0000005").flatMap(figuresOf);
    assertEquals(figures.length > 0, true);
    assertEquals(figures.filter(({ interval }) => interval !== undefined), []);
  }
});

/** Returns results of deliveries that are accepted five times as late. */
function lateDeliveries(runId: string): Result[] {
  return exampleDeliveries(runId).map((result) => {
    const steps = result.deliveries!.steps.map((step) => ({
      ...step,
      acceptSeconds: { ...step.acceptSeconds!, p99: 5 * step.acceptSeconds!.p99 },
    }));
    return { ...result, deliveries: { ...result.deliveries, steps } };
  });
}

Deno.test("findRegressions() suspects longer waits and later answers, from five earlier runs on", () => {
  const cases = [
    [exampleBursts, exampleBursts, 1, "mean wait of 1000 users at once, 1 s"],
    [exampleDeliveries, lateDeliveries, 0, "p99 of accepting at 167 notifications/s"],
  ] as const;
  for (const [resultsOf, worseOf, place, name] of cases) {
    const earlier = weekly(resultsOf, 0, fewestRuns);
    const [first, ...rest] = earlier;
    const bad = follow([worseOf("20260120T000000Z-0000000")[place]!]);
    const now = { ...bad, implId: first!.implId };
    const found = findRegressions(now, earlier);
    assertEquals(found.find(({ figure }) => figure.name === name)?.state, "suspected", name);
    assertEquals(findRegressions(now, rest), []);
    assertEquals(
      findRegressions({ ...first!, runId: now.runId }, earlier).map(({ figure }) => figure.name),
      [],
    );
  }
});
