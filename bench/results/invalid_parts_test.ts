import { assertEquals } from "@std/assert";
import { exampleBursts } from "../testing/example_bursts.ts";
import { exampleDeliveries } from "../testing/example_deliveries.ts";
import { exampleResult } from "../testing/example_result.ts";
import { exampleComparedLevel } from "../testing/example_run.ts";
import { invalidParts } from "./invalid_parts.ts";
import { comparisonPlans, rateSweepPlans } from "./profiles.ts";
import type { Repetition } from "./result_schema.ts";

const runId = "20260105T000000Z-0000005";

Deno.test("invalidParts() finds nothing in a result whose parts count", () => {
  assertEquals(invalidParts(exampleResult()), []);
  assertEquals(invalidParts(exampleDeliveries(runId)[0]!), []);
});

Deno.test("invalidParts() finds a comparison, a rate sweep and a durable load that do not count", () => {
  const sound = exampleComparedLevel({ ratio: 1, seed: 1, connections: 10 });
  const [{ startedAt }] = exampleResult().levels[0]!.repetitions as [Repetition];
  const reasons = [{ code: "failures" as const, message: "2 % failed" }];
  const repetitions = [{ startedAt, validity: { valid: false as const, reasons } }];
  const process = { steps: [], problem: "its compilers were still at work" };
  assertEquals(
    invalidParts({
      durable: { load: { connections: 50, repetitions } },
      comparison: {
        plan: comparisonPlans.full,
        levels: [sound, { ...sound, connections: 300, problem: "too few rounds" }],
      },
      rateSweep: {
        plan: rateSweepPlans.full,
        processes: [process],
        floor: [],
      },
    }),
    [
      { where: "with every commit on disk", reason: "2 % failed" },
      { where: "against the control at 300 connections", reason: "too few rounds" },
      { where: "in the rate sweep", reason: "its compilers were still at work" },
    ],
  );
});

Deno.test("invalidParts() finds bursts and rates that do not count, but none that were left out", () => {
  const [, , cheating] = exampleBursts(runId);
  assertEquals(
    invalidParts(cheating!).map(({ where }) => where),
    ["10,000", "1,000", "10,000"].map((users, index) =>
      `with ${users} users at once, ${index === 2 ? 5 : 1} s`
    ),
  );
  const [, , doubling] = exampleDeliveries(runId);
  assertEquals(invalidParts(doubling!)[0], {
    where: "at 167 notifications a second",
    reason: "POST /notify/1 led to 2 calls of it, expected one",
  });
});
