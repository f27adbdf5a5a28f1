/**
 * Progress: how far has a stage come, in time? Takes what was done so far and what is left; gives what the command
 * line shows. A bar never goes back without a line that says why.
 */
import type { Report } from "../lib/report.ts";
import type { ComparisonPlan } from "../results/comparison_schema.ts";
import type { Plan, Result } from "../results/result_schema.ts";

/** Returns how far one implementation has come over all its levels, those that were repeated included. */
export function levelProgress(
  { impl, levels }: {
    impl: { id: string };
    levels: Pick<Result["levels"][number], "repetitions">[];
  },
  now: { connections: number; repetitions: number; requests: number },
  plan: Pick<Plan, "levels" | "requests">,
): [label: string, done: number, total: number] {
  const which = `level ${levels.length + 1} of ${plan.levels.length}`;
  const done = levels.reduce((sum, { repetitions }) => sum + repetitions.length, now.repetitions);
  const repeated = done - levels.length;
  return [
    `${impl.id}, ${now.connections} connections (${which}${now.repetitions > 0 ? ", again" : ""})`,
    done * plan.requests + now.requests,
    (plan.levels.length + repeated) * plan.requests,
  ];
}

/** A bar over steps of about the same length. Disposing of it ends its clock, not the bar: work may have failed. */
export interface Bar extends Disposable {
  /**
   * The next step begins: `left` more of its kind come after it. Where its length is not to be told from those before
   * it, `stepSeconds` says what it takes.
   */
  step(label: string, left: number, stepSeconds?: number): void;
  /** All steps are done. */
  end(): void;
}

/** Starts a bar that is moved on once a second, by time. */
export function startBar(report: Report, now = () => performance.now() / 1_000): Bar {
  const finished: number[] = [];
  let current: { label: string; left: number; stepSeconds?: number; startedAt: number } | undefined;
  let shown = 0;
  const show = () => {
    if (current === undefined) return;
    const seconds = now() - current.startedAt;
    // More than was expected may be left, without any work undone: the bar waits for it.
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
  /** Since the present step began. */
  seconds: number;
  /** Steps after the present one. */
  left: number;
  /** That each step takes; without it, as long as those before it. */
  stepSeconds?: number;
}

/** Returns the share of all time that is over: 0 where nothing tells yet how long a step takes. */
export function shareDone({ finished, seconds, left, stepSeconds }: Progress): number {
  const before = finished.reduce((sum, value) => sum + value, 0);
  const step = stepSeconds ?? (finished.length === 0 ? undefined : before / finished.length);
  if (step === undefined) return 0;
  const over = before + seconds;
  return over / (over + Math.max(0, step - seconds) + left * step);
}

/**
 * Returns how many rounds a comparison has that begins no round after its budget, once the first of them were made in
 * so many seconds.
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
