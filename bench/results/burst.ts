/** Bursts: what the rounds of a step say together, the only place that decides whether they count. */
import { formatInteger } from "../lib/format_integer.ts";
import { sum } from "../lib/sum.ts";
import { mean, meanMargin, shareInterval } from "../statistics/mod.ts";
import type {
  BurstEstimate,
  BurstFigures,
  BurstRound,
  BurstStep,
  BurstStepPlan,
} from "./burst_schema.ts";

/** Users ask for delays within this share of the step's, so that no constant is right for all. */
export const delaySpread = 0.01;

/** Of how many rounds there are figures at least, where there were as many: with fewer, they have no interval. */
const leastRounds = 3;

/** Returns the rounds that figures are made of: those that the machine did not disturb, whatever became of their users. */
export function countedRounds<Round extends Pick<BurstRound, "disturbed">>(
  { rounds }: { rounds: readonly Round[] },
): Round[] {
  return rounds.filter(({ disturbed }) => disturbed === undefined);
}

/** Returns the figures of a step; undefined where a round is invalid, or too few count. */
export function burstFigures(
  { users, delaySeconds }: BurstStepPlan,
  all: readonly Pick<BurstRound, "answered" | "waitSeconds" | "invalidBecause" | "disturbed">[],
): BurstFigures | undefined {
  const rounds = countedRounds({ rounds: all });
  if (
    rounds.length === 0 || rounds.length < Math.min(leastRounds, all.length) ||
    rounds.some(({ invalidBecause }) => invalidBecause !== undefined)
  ) {
    return undefined;
  }
  const overRounds = (waits: number[]) =>
    waits.length === rounds.length
      ? estimate(waits, { least: (1 - delaySpread) * delaySeconds })
      : undefined;
  const failedShare = estimateShare(rounds.map(({ answered }) => users - answered), users);
  const { low, high } = failedShare;
  return {
    answered: {
      mean: mean(rounds.map(({ answered }) => answered)),
      ...(low === undefined || high === undefined
        ? {}
        : { low: users * (1 - high), high: users * (1 - low) }),
    },
    failedShare,
    meanSeconds: overRounds(rounds.flatMap(({ waitSeconds }) => waitSeconds?.mean ?? [])),
    p99Seconds: overRounds(rounds.flatMap(({ waitSeconds }) => waitSeconds?.p99 ?? [])),
  };
}

/**
 * Returns the mean over rounds with its interval, whose ends are limited to what is possible: no wait is shorter than the
 * shortest delay that a user asks for. Rounds that are all the same have none: they tell nothing of how rounds differ.
 */
function estimate(
  values: number[],
  { least = 0, most = Infinity }: { least?: number; most?: number },
): BurstEstimate {
  const margin = meanMargin(values);
  const centre = mean(values);
  if (margin === undefined || margin === 0) return { mean: centre };
  return {
    mean: centre,
    low: Math.max(least, centre - margin),
    high: Math.min(most, centre + margin),
  };
}

/**
 * Returns the mean share that failed. Its interval holds two: that over rounds, and that of the share of all users as if they
 * were independent, because t is far too narrow where most rounds have no failure.
 */
function estimateShare(failed: number[], users: number): BurstEstimate {
  const overRounds = estimate(failed.map((count) => count / users), { most: 1 });
  if (overRounds.low === undefined || overRounds.high === undefined) return overRounds;
  const ofUsers = shareInterval(sum(failed), failed.length * users);
  return {
    mean: overRounds.mean,
    low: Math.min(overRounds.low, ofUsers.low),
    high: Math.max(overRounds.high, ofUsers.high),
  };
}

/** Above this share of users without an answer, the mean wait of the others is lower than that of all would be. */
const mostUnanswered = 0.001;

/** Tells whether the mean wait, which is of answered users, can stand for that of all. */
export function meanIsOfAll({ failedShare }: Pick<BurstFigures, "failedShare">): boolean {
  return failedShare.mean <= mostUnanswered;
}

/** Says why a step has no figures; undefined where it has some. */
export function missingBecause(step: BurstStep): string | undefined {
  if (step.figures !== undefined) return undefined;
  const { leftOut, invalidBecause, rounds } = step;
  const ofRound = rounds.flatMap(({ invalidBecause = [] }) => invalidBecause)[0];
  return leftOut ?? invalidBecause ?? ofRound ?? disturbedRounds(step) ?? "it has no round";
}

/** Says in how many rounds of a step the machine was disturbed in every attempt, and how many users these answered. */
export function disturbedRounds({ rounds }: Pick<BurstStep, "rounds">): string | undefined {
  const disturbed = rounds.filter(({ disturbed }) => disturbed !== undefined);
  if (disturbed.length === 0) return undefined;
  const answered = disturbed.map(({ answered }) => answered);
  const ends = [...new Set([Math.min(...answered), Math.max(...answered)])].map(formatInteger);
  return `the machine was disturbed in ${disturbed.length} of ${rounds.length} rounds (first: ` +
    `${disturbed[0]!.disturbed}); in these, ${ends.join(" to ")} users were answered`;
}

/** Returns the kinds of failures over the rounds of a step that count, the most frequent first. */
export function failuresOf(step: Pick<BurstStep, "rounds">): [kind: string, count: number][] {
  const counts = new Map<string, number>();
  for (const { failures } of countedRounds(step)) {
    for (const [kind, count] of Object.entries(failures)) {
      counts.set(kind, (counts.get(kind) ?? 0) + count);
    }
  }
  return [...counts].sort(([, a], [, b]) => b - a);
}

/** Returns the highest value over the rounds of a step that count; undefined where none was measured. */
export function peakOf(
  step: Pick<BurstStep, "rounds">,
  pick: (round: BurstRound) => number | undefined,
): number | undefined {
  const values = countedRounds(step).flatMap((round) => pick(round) ?? []);
  return values.length === 0 ? undefined : Math.max(...values);
}

/** Tells whether two steps have as many users, who wait as long. */
export function isSameStep(a: BurstStepPlan, b: BurstStepPlan): boolean {
  return a.users === b.users && a.delaySeconds === b.delaySeconds;
}

/** Returns steps in the order in which they are shown: by delay, then by users. */
export function inOrder<Step extends BurstStepPlan>(steps: readonly Step[]): Step[] {
  return steps.toSorted((a, b) => a.delaySeconds - b.delaySeconds || a.users - b.users);
}

/** Tells whether a step has figures, or had no room on this machine. */
export function isSoundStep({ figures, leftOut }: BurstStep): boolean {
  return figures !== undefined || leftOut !== undefined;
}
