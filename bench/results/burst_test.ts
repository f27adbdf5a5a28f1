import { assertAlmostEquals, assertEquals } from "@std/assert";
import {
  burstFigures,
  disturbedRounds,
  failuresOf,
  inOrder,
  meanIsOfAll,
  missingBecause,
  peakOf,
} from "./burst.ts";
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

Deno.test("burstFigures() knows of rare failures as much as independent users tell, and of equal rounds nothing", () => {
  // Clopper and Pearson: one of 3,000.
  const one = burstFigures(step, [round(1_000), round(999), round(1_000)])!.failedShare;
  assertEquals(one.low, 0);
  assertAlmostEquals(one.high!, 0.001856, 1e-6);
  const { answered } = burstFigures(step, [round(1_000), round(999), round(1_000)])!;
  assertAlmostEquals(answered.low!, 1_000 * (1 - one.high!), 1e-9);
  assertEquals(answered.high, 1_000);
  const none = burstFigures(step, [round(1_000), round(1_000), round(1_000)])!;
  assertEquals([none.answered, none.failedShare], [{ mean: 1_000 }, { mean: 0 }]);
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

Deno.test("burstFigures() leaves out rounds that the machine disturbed, and needs three undisturbed ones", () => {
  const disturbed = "the hypervisor took 9.0 % of the machine's CPU time";
  const good = [1, 2, 3].map((mean) => round(1_000, mean));
  const bad = { ...round(0, 9), failures: { reset: 1_000 }, peakThreads: 9, disturbed };
  const rounds = [bad, ...good, bad];
  assertEquals(burstFigures(step, rounds), burstFigures(step, good));
  assertEquals(failuresOf({ rounds }), [["reset", 0]]);
  assertEquals(peakOf({ rounds }, ({ peakThreads }) => peakThreads), undefined);
  const why =
    `the machine was disturbed in 2 of 5 rounds (first: ${disturbed}); in these, 0 users were answered`;
  assertEquals(disturbedRounds({ rounds }), why);
  assertEquals(disturbedRounds({ rounds: good }), undefined);

  const few = [bad, bad, ...good.slice(1)];
  assertEquals(burstFigures(step, few), undefined);
  assertEquals(missingBecause({ ...step, rounds: few }), why.replace("2 of 5", "2 of 4"));
  assertEquals(burstFigures(step, [bad]), undefined);
  // A wrong answer in a round is not left out.
  const wrong = { ...round(999), invalidBecause: ["1 of 1,000 users had a wrong answer"] };
  assertEquals(burstFigures(step, [...good, wrong]), undefined);
});

Deno.test("meanIsOfAll() of one user in a thousand without an answer, and not of more", () => {
  const isOfAll = [0.001, 0.0011].map((mean) => meanIsOfAll({ failedShare: { mean } }));
  assertEquals(isOfAll, [true, false]);
});

Deno.test("missingBecause() says why: one invalid round is enough", () => {
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
