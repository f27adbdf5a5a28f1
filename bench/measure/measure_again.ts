/** Measure again: what was disturbed by something that says nothing of the implementation is measured again; the last counts. */
import type { GroundOptions } from "./ground.ts";

/** What was measured, and why each earlier attempt did not count: `a; then b`; absent where there was none. */
export type Measured<Result> = Result & { repeatedBecause?: string };

/** Options for {@linkcode measureAgain}. */
export interface MeasureAgainOptions<Result> {
  session: Pick<GroundOptions, "report" | "mostRepeats">;
  /** Names what is measured, in the line that says it is measured once more. */
  title: string;
  /** How often it is measured again, at most, where the session does not say; once by default. */
  usualRepeats?: number;
  /** Returns why it is to be measured again; undefined where it is not. It may not depend on who is faster. */
  why: (measured: Result) => string | undefined;
  /** Is given each measurement that another one replaces. */
  onReplaced?: (measured: Measured<Result>) => void;
}

/**
 * Measures, and again while there is a reason to, as often as the session allows. The measurement is given how many were
 * before it; the last counts, whatever it says.
 */
export async function measureAgain<Result extends object>(
  measure: (repeats: number) => Promise<Result>,
  { session, title, usualRepeats = 1, why, onReplaced }: MeasureAgainOptions<Result>,
): Promise<Measured<Result>> {
  const { report, mostRepeats = usualRepeats } = session;
  let measured: Measured<Result> = await measure(0);
  const reasons: string[] = [];
  for (let repeats = 1; repeats <= mostRepeats; repeats++) {
    const reason = why(measured);
    if (reason === undefined) break;
    report.line(`${title}, once more: ${reason}`);
    reasons.push(reason);
    onReplaced?.(measured);
    measured = { ...await measure(repeats), repeatedBecause: reasons.join("; then ") };
  }
  return measured;
}
