/**
 * Decision: what happens to an implementation's issue after a run? Takes the followed figures of the result, the
 * history, a second measurement, and the existing issues; returns what to do. An issue names the first run of the
 * regression: until it is closed, the baseline is the runs before that one; otherwise the worse level would become
 * the baseline, and the issue would close itself. If recent runs are not comparable with those, because the machine
 * or the control changed, the issue lapses.
 */
import {
  fewestRuns,
  findRegressions,
  judgeFigures,
  type Judgement,
  type Regression,
} from "./rule.ts";
import { earlierOf, type Followed, type ImplInScenario, isSame } from "../figures.ts";

/** An issue about one implementation in one scenario. */
export interface RegressionIssue extends ImplInScenario {
  number: number;
  /** The first run that was worse. */
  since: string;
  /** accepted: a person closed it as not planned; runs before `since` are ignored. */
  state: "open" | "closed" | "accepted";
}

/** What an issue says. */
export interface Findings {
  now: Followed;
  rerun?: Followed;
  since: string;
  /** The first run that was worse, and the last one before it; absent if the checkout lacks them. */
  first?: Followed;
  last?: Followed;
  regressions: Regression[];
}

/** A figure that was worse and no longer is; `again` if only a second measurement shows that. */
export interface Recovery extends Judgement {
  again?: Judgement;
}

/** What to do. */
export type Decision =
  | { kind: "nothing" }
  | { kind: "open"; findings: Findings }
  | { kind: "update"; number: number; findings: Findings }
  | { kind: "close"; number: number; now: Followed; since: string; recoveries: Recovery[] }
  /** No recent run is comparable with those before the issue; `next` is what to do without it. */
  | { kind: "lapse"; number: number; now: Followed; since: string; next: Decision };

/** What is known besides the run and its history. */
export interface DecisionContext {
  rerun?: Followed;
  /** All issues about regressions, of this implementation and of others. */
  issues: readonly RegressionIssue[];
}

/**
 * Decides. Only a confirmed regression opens an issue. Figures of the issue keep it open after one measurement,
 * unless a second one dismisses them; other figures only when confirmed.
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
  // Two workflow runs may overlap; the older one decides nothing.
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
  // A figure that is absent, or of a processor with too few earlier runs, is not known to have recovered.
  if (recoveries.length === 0 || recoveries.length < names.length) return { kind: "nothing" };
  return { kind: "close", number: open.number, now, since, recoveries };
}

/** Returns the runs since the last one whose level was accepted; all if none was. */
export function sinceAccepted(
  impl: ImplInScenario,
  history: readonly Followed[],
  issues: readonly RegressionIssue[],
): Followed[] {
  const accepted = issues.filter((issue) => isSame(issue, impl) && issue.state === "accepted")
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
