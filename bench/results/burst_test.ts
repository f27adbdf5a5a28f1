import { assertAlmostEquals, assertEquals } from "@std/assert";
import { burstFigures, disturbanceOf, inOrder, missingBecause } from "./burst.ts";
import { burstTexts } from "./step_texts.ts";
import type { BurstRound } from "./burst_schema.ts";

const step = { users: 1_000, delaySeconds: 1 };

function round(answered: number, mean = 1): BurstRound {
  return {
    startedAt: "2026-01-01T00:00:00.000Z",
    answered,
    failures: { reset: 1_000 - answered },
    wrong: {},
    problems: [],
    waitSeconds: { mean, p50: mean, p99: 2 * mean, max: 3 * mean },
    peakConnected: 1_000,
    durationSeconds: 3 * mean,
    log: { lines: 0 },
  };
}

Deno.test("burstFigures() has means over rounds, with intervals that stay where shares and waits can be", () => {
  const figures = burstFigures(step, [round(998, 1), round(1_000, 2), round(990, 3)])!;
  assertAlmostEquals(figures.failedShare.mean, 0.004, 1e-9);
  assertEquals(figures.failedShare.low, 0);
  assertEquals(figures.answered.high, 1_000);
  assertEquals(figures.meanSeconds!.mean, 2);
  assertAlmostEquals(figures.meanSeconds!.high!, 2 + 4.3027 / Math.sqrt(3), 1e-3);
  assertEquals(figures.meanSeconds!.low, 0.99);
  assertEquals(figures.p99Seconds!.mean, 4);
});

Deno.test("burstFigures() has no p99 where more than one user in a hundred was not answered in a round", () => {
  const few = round(980);
  const rounds = [round(1_000), { ...few, waitSeconds: { ...few.waitSeconds!, p99: undefined } }];
  const { meanSeconds, p99Seconds } = burstFigures(step, rounds)!;
  assertEquals([meanSeconds, p99Seconds], [{ mean: 1 }, undefined]);
});

Deno.test("burstFigures() has no interval of two rounds, and no mean wait where nobody was answered", () => {
  const nobody = { ...round(0), waitSeconds: undefined };
  assertEquals(burstFigures(step, [round(1_000), nobody]), {
    answered: { mean: 500 },
    failedShare: { mean: 0.5 },
    meanSeconds: undefined,
    p99Seconds: undefined,
  });
});

Deno.test("burstFigures() bounds waits from above alone where a round was disturbed", () => {
  const rounds = [round(1_000, 2), round(1_000, 2.2), { ...round(1_000, 2.4), disturbed: "steal" }];
  const { failedShare, meanSeconds, p99Seconds } = burstFigures(step, rounds)!;
  assertEquals(failedShare, { mean: 0, low: 0, high: 0 });
  assertEquals([meanSeconds!.low, p99Seconds!.low], [0.99, 0.99]);
  assertAlmostEquals(meanSeconds!.high!, 2.2 + 4.3027 * 0.2 / Math.sqrt(3), 1e-3);
  const figures = burstFigures(step, rounds);
  assertEquals(disturbanceOf({ rounds, figures }), "in 1 of 3 rounds, the first: steal");
  assertEquals(disturbanceOf({ rounds, figures: undefined }), undefined);
  assertEquals(disturbanceOf({ rounds: rounds.slice(0, 2), figures }), undefined);
  assertEquals(burstTexts({ ...step, rounds, figures })!.meanSeconds, "≤ 2.70");
});

Deno.test("missingBecause() says why: one round that does not count is enough", () => {
  const rounds = [round(1_000), { ...round(1_000), invalidBecause: ["other processes ran"] }];
  assertEquals(burstFigures(step, rounds), undefined);
  assertEquals(missingBecause({ ...step, rounds }), "other processes ran");
  assertEquals(missingBecause({ ...step, rounds: [], leftOut: "no room" }), "no room");
  const figures = burstFigures(step, [round(1_000)]);
  assertEquals(missingBecause({ ...step, rounds: [round(1_000)], figures }), undefined);
});

Deno.test("inOrder() is by delay, then by users", () => {
  const steps = [[10, 2], [100, 1], [10, 1]].map(([users, delaySeconds]) => ({
    users: users!,
    delaySeconds: delaySeconds!,
  }));
  assertEquals(inOrder(steps).map(({ users, delaySeconds }) => [users, delaySeconds]), [
    [10, 1],
    [100, 1],
    [10, 2],
  ]);
});
