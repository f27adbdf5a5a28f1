/**
 * Decision: what becomes of an implementation's issue after a run? Takes what is followed of the result, the
 * history, a second measurement, and the issues that there are; gives what to do. An issue names the first run of the
 * regression: until it is closed, the baseline is of the runs before that one, or else the worse level would
 * become the baseline, and the issue would close by itself. Where recent runs are not comparable with those, because
 * the machine or the control is another, the issue lapses.
 */
import {
  fewestRuns,
  findRegressions,
  judgeFigures,
  type Judgement,
  type Regression,
} from "./rule.ts";
import { earlierOf, type Followed, isSame, type Subject } from "../figures.ts";

/** An issue about one implementation in one scenario. */
export interface RegressionIssue extends Subject {
  number: number;
  /** The first run that was worse. */
  since: string;
  /** accepted: a person closed it as not planned, and runs before `since` are of another level. */
  state: "open" | "closed" | "accepted";
}

/** What an issue says. */
export interface Findings {
  now: Followed;
  rerun?: Followed;
  since: string;
  /** The first run that was worse, and the last one before it; absent where the checkout lacks them. */
  first?: Followed;
  last?: Followed;
  regressions: Regression[];
}

/** A figure that was worse and is not any more; `again` where only a second measurement shows that. */
export interface Recovery extends Judgement {
  again?: Judgement;
}

/** What is to be done. */
export type Decision =
  | { kind: "nothing" }
  | { kind: "open"; findings: Findings }
  | { kind: "update"; number: number; findings: Findings }
  | { kind: "close"; number: number; now: Followed; since: string; recoveries: Recovery[] }
  /** No recent run is comparable with those before the issue; `next` is what is to be done without it. */
  | { kind: "lapse"; number: number; now: Followed; since: string; next: Decision };

/** What is known beside the run and its history. */
export interface DecisionContext {
  rerun?: Followed;
  /** All issues about regressions, of this subject and of others. */
  issues: readonly RegressionIssue[];
}

/**
 * Decides. Only what is confirmed opens an issue. What was worse in its first run keeps it open after one
 * measurement, if no second one dismissed that; any other figure, only when it is confirmed.
 */
export function decide(
  now: Followed,
  history: readonly Followed[],
  { rerun, issues }: DecisionContext,
): Decision {
  const comparable = sinceAccepted(now, history, issues);
  const [open] = issues.filter((issue) => isSame(issue, now) && issue.state === "open")
    .toSorted((a, b) => b.number - a.number);
  const since = open?.since ?? now.runId;
  // Two workflow runs may overlap: the older one knows less.
  if (since > now.runId) return { kind: "nothing" };
  const before = comparable.filter(({ runId }) => runId < since);
  if (open !== undefined && isOutlived(now, before, comparable)) {
    const { number } = open;
    const others = issues.filter((issue) => issue.number !== number);
    const next = decide(now, history, { rerun, issues: others });
    return { kind: "lapse", number, now, since, next };
  }
  const regressions = findRegressions(now, before, rerun);
  const first = since === now.runId
    ? now
    : comparable.find((earlier) => earlier.runId === since && isSame(earlier, now));
  const names = first && findRegressions(first, before).map(({ figure }) => figure.name);
  const standing = regressions.filter(({ figure, state }) =>
    state === "confirmed" ||
    (state === "suspected" && open !== undefined && (names?.includes(figure.name) ?? true))
  );
  if (standing.length > 0) {
    const last = first && earlierOf(first, before).at(-1);
    const findings: Findings = { now, rerun, since, first, last, regressions };
    return open === undefined
      ? { kind: "open", findings }
      : { kind: "update", number: open.number, findings };
  }
  if (open === undefined || names === undefined) return { kind: "nothing" };
  const dismissed = new Map(regressions.map((regression) => [regression.figure.name, regression]));
  const judgements = judgeFigures(now, before);
  const recoveries = names.flatMap((name): Recovery[] => {
    const recovery = dismissed.get(name) ?? judgements.get(name);
    return recovery === undefined ? [] : [recovery];
  });
  // A figure that is absent, or of a processor without enough earlier runs, is not known to be well again.
  if (recoveries.length === 0 || recoveries.length < names.length) return { kind: "nothing" };
  return { kind: "close", number: open.number, now, since, recoveries };
}

/** Returns the runs since the one whose level of a subject a person accepted last; all where none did. */
export function sinceAccepted(
  subject: Subject,
  history: readonly Followed[],
  issues: readonly RegressionIssue[],
): Followed[] {
  const accepted = issues.filter((issue) => isSame(issue, subject) && issue.state === "accepted")
    .reduce((latest, { since }) => since > latest ? since : latest, "");
  return history.filter(({ runId }) => runId >= accepted);
}

/**
 * Tells whether no recent run is comparable with those before an issue: the newest five results all have keys
 * that none of those has. A single one may come from a kind of machine that is rarely assigned.
 */
function isOutlived(
  now: Followed,
  before: readonly Followed[],
  history: readonly Followed[],
): boolean {
  const isOwn = (other: Followed) => isSame(other, now) && other.comparableKey !== undefined;
  const keys = new Set(before.filter(isOwn).map(({ comparableKey }) => comparableKey));
  const newest = history.filter((earlier) => isOwn(earlier) && earlier.runId < now.runId)
    .toSorted((a, b) => a.runId < b.runId ? -1 : 1)
    .slice(-fewestRuns);
  return isOwn(now) && newest.length === fewestRuns &&
    [...newest, now].every(({ comparableKey }) => !keys.has(comparableKey));
}
