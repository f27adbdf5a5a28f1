import { assertEquals, assertMatch } from "@std/assert";
import { exampleBursts } from "../../testing/example_bursts.ts";
import { exampleDeliveries } from "../../testing/example_deliveries.ts";
import { exampleRun } from "../../testing/example_run.ts";
import { disturbedRounds } from "../../results/burst.ts";
import { repeatsOf } from "./repeats.ts";

const runId = "20260105T000000Z-0000005";
const because = "the machine swapped";
const again = `was measured again, because the first measurement was invalid: ${because}`;

Deno.test("repeatsOf() says which loads, sweeps and rates were measured again, and why", () => {
  const [result] = exampleRun(runId);
  assertEquals(repeatsOf(result!), []);
  const [level] = result!.levels;
  result!.durable = { load: level };
  const { startedAt } = level!.repetitions[0]!;
  const reasons = [{ code: "swapping" as const, message: because }];
  level!.repetitions.unshift({ startedAt, validity: { valid: false, reasons } });
  const [process] = result!.rateSweep!.processes;
  process!.repeatedBecause = because;
  process!.steps[1]!.repeatedBecause = because;
  const rate = process!.steps[1]!.ratePerSecond.toLocaleString("en");
  assertEquals(repeatsOf(result!), [
    `The level of 10 connections ${again}`,
    `The load with every commit on disk ${again}`,
    `The sweep of process 1 ${again}`,
    `The rate of ${rate} requests per second, process 1, ${again}`,
  ]);
});

Deno.test("repeatsOf() says where a process missed a rate and met a higher one", () => {
  const [result] = exampleRun(runId);
  const [, second] = result!.rateSweep!.processes;
  assertEquals(second!.steps.map(({ holds }) => holds).slice(0, 2), [true, true]);
  second!.steps[0]!.holds = false;
  const [sentence, ...others] = repeatsOf(result!);
  assertMatch(
    sentence!,
    /^Process 2 missed the objective at 100 requests per second, but met it at /,
  );
  assertEquals(others, []);
});

Deno.test("repeatsOf() counts the rounds of a comparison that were measured again, or left out", () => {
  const [result] = exampleRun(runId);
  result!.comparison!.repeatedBecause = because;
  const [level] = result!.comparison!.levels;
  const [first, second, third] = level!.rounds;
  first!.repeatedBecause = [because, because];
  Object.assign(second!, { repeatedBecause: [because], disturbed: because });
  third!.subject.warmUp = { requests: 1_000, isQuiet: false };
  const of = `of ${level!.rounds.length} rounds at 10 connections`;
  assertEquals(repeatsOf(result!), [
    `The comparison with the control ${again}`,
    `In 2 ${of}, loads were measured again, the first time because ${because}`,
    `The ratio leaves out 2 ${of}, the first because ${because}`,
  ]);
});

Deno.test("repeatsOf() says which rounds of bursts and which rates of notifications were measured again", () => {
  const [burst] = exampleBursts(runId);
  const [step] = burst!.bursts!.steps;
  step!.rounds[1]!.repeatedBecause = because;
  const { users, delaySeconds } = step!;
  const { figures: _, ...disturbed } = structuredClone(step!);
  for (const round of disturbed.rounds) round.disturbed = because;
  burst!.measuredAgain = { bursts: [disturbed] };
  assertEquals(repeatsOf(burst!), [
    `Round 2 of ${
      users.toLocaleString("en")
    } users, ${delaySeconds} s, was measured again, because the machine was disturbed: ${because}`,
    `${
      users.toLocaleString("en")
    } users, ${delaySeconds} s: measured again by a later command, because ${
      disturbedRounds(disturbed)
    }`,
  ]);
  const [delivery] = exampleDeliveries(runId);
  delivery!.deliveries!.steps[0]!.repeatedBecause = because;
  assertEquals(repeatsOf(delivery!), [
    `The rate of 167 notifications per second was measured again, because the machine was disturbed: ${because}`,
  ]);
});
