/** A made-up run of bursts, for tests. */
import { formatInteger } from "../lib/format_integer.ts";
import { burstFigures } from "../results/burst.ts";
import type { BurstRound, BurstStep, BurstStepPlan } from "../results/burst_schema.ts";
import type { Result } from "../results/result_schema.ts";
import { exampleResult } from "./example_result.ts";

const steps: BurstStepPlan[] = [
  { users: 10_000, delaySeconds: 1 },
  { users: 1_000, delaySeconds: 1 },
  { users: 30_000, delaySeconds: 1 },
  { users: 10_000, delaySeconds: 5 },
];

/** Users that Queueing answers at most; the others are reset. */
const most = 8_292;

/**
 * Makes the results of a run: Steady answers everybody at once, Queueing 200 at a time and not all, Cheating early. Nobody
 * has room for 30,000.
 */
export function exampleBursts(runId: string): Result[] {
  return ["steady", "queueing", "cheating"].map((id) => {
    const { database: _, ...result } = exampleResult();
    const { driver: __, jwt: ___, ...impl } = result.impl;
    return {
      ...result,
      runId,
      scenario: "delay",
      impl: { ...impl, id, name: id[0]!.toUpperCase() + id.slice(1) },
      plan: {
        ...result.plan,
        profile: "full",
        levels: [],
        bursts: { steps, rounds: 3, warmUpRequests: 1_000, patienceSeconds: 400, holdSeconds: 10 },
      },
      verification: { problems: [] },
      levels: [],
      bursts: {
        steps: steps.map((step) => exampleStep(id, step)),
        kernelSettings: { "net.core.somaxconn": "4096", "net.ipv4.tcp_synack_retries": "5" },
      },
    };
  });
}

function exampleStep(id: string, step: BurstStepPlan): BurstStep {
  const { users } = step;
  if (users === 30_000) {
    const leftOut = "30,000 users need 30,256 descriptors, the limit is 20,000";
    return { ...step, leftOut, rounds: [] };
  }
  const rounds = [0, 1, 2].map((index) => exampleRound(id, step, index));
  return {
    ...step,
    nullServer: { users, peakOpen: users, lateMeanSeconds: 0.01, lateP99Seconds: 0.02 },
    rounds,
    figures: burstFigures(step, rounds),
  };
}

function exampleRound(
  id: string,
  { users, delaySeconds }: BurstStepPlan,
  index: number,
): BurstRound {
  const isQueueing = id === "queueing";
  const answered = isQueueing ? Math.min(users, most - 10 * index) : users;
  const mean = isQueueing
    ? delaySeconds * (1 + answered / 200) / 2
    : delaySeconds + 0.1 + index / 100;
  return {
    startedAt: "2026-01-01T00:00:10.000Z",
    answered,
    failures: answered === users ? {} : { reset: users - answered },
    wrong: id === "cheating" ? { early: 3 } : {},
    problems: [],
    waitSeconds: {
      mean,
      p50: mean,
      p99: answered < 0.99 * users ? undefined : 1.9 * mean,
      max: 2 * mean,
    },
    dropped: isQueueing
      ? { queueOverflows: 2_000 + 100 * index, cookiesSent: 500, cookiesFailed: 100 }
      : { queueOverflows: 0, cookiesSent: 0, cookiesFailed: 0 },
    peakConnected: users,
    durationSeconds: 2 * mean,
    peakEstablished: answered,
    peakThreads: isQueueing ? 230 : 4,
    peakMemoryBytes: 50 * 1024 ** 2,
    generatorCpuSeconds: 0.5,
    generatorPeakMemoryBytes: 30 * 1024 ** 2,
    log: { lines: 0 },
    invalidBecause: id === "cheating"
      ? [`3 of ${formatInteger(users)} users had a wrong answer (early)`]
      : undefined,
  };
}
