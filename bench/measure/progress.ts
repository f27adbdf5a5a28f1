/**
 * Progress: how far is a stage, in time? Takes what is done and what is left; reports it for the command line to
 * show. A bar never goes back without a line that says why.
 */
import { formatInteger } from "../lib/format_integer.ts";
import { sum, sumOf } from "../lib/sum.ts";
import type { Report } from "../lib/report.ts";
import type { ComparisonPlan } from "../results/comparison_schema.ts";
import type { Plan, Result } from "../results/result_schema.ts";

/** Returns the progress of one implementation over all its levels, repeated ones included. */
export function levelProgress(
  { impl, levels }: {
    impl: { id: string };
    levels: Pick<Result["levels"][number], "repetitions">[];
  },
  now: { connections: number; repetitions: number; requests: number },
  plan: Pick<Plan, "levels" | "requests">,
): [label: string, done: number, total: number] {
  const which = `level ${levels.length + 1} of ${plan.levels.length}`;
  const done = now.repetitions + sumOf(levels, ({ repetitions }) => repetitions.length);
  const repeated = done - levels.length;
  return [
    `${impl.id}, ${formatInteger(now.connections)} connections (${which}${
      now.repetitions > 0 ? ", again" : ""
    })`,
    done * plan.requests + Math.min(now.requests, plan.requests),
    (plan.levels.length + repeated) * plan.requests,
  ];
}

/**
 * A bar over steps of about the same length. Disposing of it stops its clock and leaves the bar, because the work may
 * have failed.
 */
export interface Bar extends Disposable {
  /**
   * Starts the next step; `left` more of its kind follow. `stepSeconds` is its length where earlier steps do not
   * tell.
   */
  step(label: string, left: number, stepSeconds?: number): void;
  /** All steps are done. */
  end(): void;
}

/** Starts a bar that advances with time, once a second. */
export function startBar(report: Report, now = () => performance.now() / 1_000): Bar {
  const finished: number[] = [];
  let current: { label: string; left: number; stepSeconds?: number; startedAt: number } | undefined;
  let shown = 0;
  const show = () => {
    if (current === undefined) return;
    const seconds = now() - current.startedAt;
    // More may be left than was estimated, although no work was lost: the bar waits.
    shown = Math.max(shown, shareDone({ finished, seconds, ...current }));
    report.progress(current.label, shown, 1);
  };
  const timer = setInterval(show, 1_000);
  return {
    step(label, left, stepSeconds) {
      if (current !== undefined) finished.push(now() - current.startedAt);
      current = { label, left, stepSeconds, startedAt: now() };
      show();
    },
    end() {
      if (current !== undefined) report.progress(current.label, 1, 1);
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}

/** How far steps have come. */
export interface Progress {
  /** Seconds that each finished step took. */
  finished: number[];
  /** Since the current step began. */
  seconds: number;
  /** Steps after the current one. */
  left: number;
  /** Length of each step; by default, estimated from those before it. */
  stepSeconds?: number;
}

/** Returns the share of the total time that has passed: 0 while the length of a step is unknown. */
export function shareDone({ finished, seconds, left, stepSeconds }: Progress): number {
  const before = sum(finished);
  const step = stepSeconds ?? (finished.length === 0 ? undefined : before / finished.length);
  if (step === undefined) return 0;
  const over = before + seconds;
  const share = over / (over + Math.max(0, step - seconds) + left * step);
  // Of steps without a length, or without an end, no share is known.
  return Number.isFinite(share) ? share : 0;
}

/**
 * Estimates how many rounds a comparison with a time budget will have, given how long the first ones took.
 */
export function roundsInAll(
  { minRounds, budgetSeconds }: Pick<ComparisonPlan, "minRounds" | "budgetSeconds">,
  rounds: number,
  seconds: number,
): number {
  return rounds === 0
    ? minRounds
    : Math.max(minRounds, Math.ceil(budgetSeconds * rounds / seconds));
}
