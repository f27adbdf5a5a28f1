/**
 * Decision: what happens to an implementation's issue after a run? Takes the followed figures of the result, the
 * history, a second measurement, and the existing issues; returns what to do. An issue names the first run of the
 * regression and what each figure lost: until it is closed, the baseline is the runs before that one; otherwise the worse
 * level would become the baseline. That a run is not worse by enough to be sure closes no issue, because many runs of the
 * worse level are not: the figures must be back, in two runs in a row. If recent runs are not comparable with those before
 * the issue, because the machine or the control changed, the issue lapses.
 */
import {
  fewestRuns,
  findRegressions,
  isWorse,
  judgeFigures,
  type Judgement,
  type Regression,
} from "./rule.ts";
import { earlierOf, type Followed, type ImplInScenario, isSame } from "../figures.ts";

/**
 * How much of what a figure lost it must regain, as a share, in each of two runs in a row: in simulated years, one in
 * twenty issues about losses that last is closed within ten weeks (`year_test.ts`).
 */
export const regainedShare = 0.75;

/** By how much each figure of an issue was worse when it was confirmed, as a share of its baseline, by name. */
export type Losses = ReadonlyMap<string, number>;

/** An issue about one implementation in one scenario. */
export interface RegressionIssue extends ImplInScenario {
  number: number;
  /** The first run that was worse. */
  since: string;
  /** Empty if the issue does not say. */
  losses: Losses;
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
  losses: Losses;
}

/** A figure that was worse and no longer is. */
export interface Recovery extends Judgement {
  /** By how much it was worse, as a share of its baseline. */
  loss: number;
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
 * unless a second one dismisses them; other figures only when confirmed. Two runs in which all of its figures are back
 * close it.
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
  const losses = new Map([...lossesOf(regressions), ...open?.losses ?? []]);
  const standing = regressions.filter(({ figure, state }) =>
    state === "confirmed" || (state === "suspected" && open?.losses.has(figure.name))
  );
  if (standing.length > 0) {
    const first = since === now.runId
      ? now
      : comparable.find((earlier) => earlier.runId === since && isSame(earlier, now));
    const last = first && earlierOf(first, before).at(-1);
    const findings: Findings = { now, rerun, since, first, last, regressions, losses };
    return open === undefined
      ? { kind: "open", findings }
      : { kind: "update", number: open.number, findings };
  }
  if (open === undefined) return { kind: "nothing" };
  const recoveries = recoveriesIn(now, before, losses);
  const previous = lastBetween(since, now, comparable);
  if (recoveries === undefined || previous === undefined) return { kind: "nothing" };
  return recoveriesIn(previous, before, losses) === undefined
    ? { kind: "nothing" }
    : { kind: "close", number: open.number, now, since, recoveries };
}

/** Returns what confirmed regressions lost: what both measurements show, so that chance exaggerates it less. */
function lossesOf(regressions: readonly Regression[]): [string, number][] {
  return regressions.flatMap(({ figure, worseBy, again, state }) =>
    state === "confirmed" ? [[figure.name, Math.min(worseBy, again?.worseBy ?? worseBy)]] : []
  );
}

/**
 * Returns how figures that lost something compare with the baseline in a run in which all are back; undefined where one is
 * not, is absent, or has too few earlier runs on its processor, and if there is none.
 */
function recoveriesIn(
  run: Followed,
  before: readonly Followed[],
  losses: Losses,
): Recovery[] | undefined {
  const judgements = judgeFigures(run, before);
  const recoveries = [...losses].flatMap(([name, loss]): Recovery[] => {
    const judgement = judgements.get(name);
    return judgement === undefined || isWorse(judgement) ||
        judgement.worseBy > (1 - regainedShare) * loss
      ? []
      : [{ ...judgement, loss }];
  });
  return recoveries.length > 0 && recoveries.length === losses.size ? recoveries : undefined;
}

/** Returns the last result between an issue's first run and this one. */
function lastBetween(
  since: string,
  now: Followed,
  history: readonly Followed[],
): Followed | undefined {
  const between = history.filter((it) =>
    isSame(it, now) && it.runId > since && it.runId < now.runId
  );
  const last = between.reduce((latest, { runId }) => runId > latest ? runId : latest, "");
  // The first of a run is of the kind that most of its machines have.
  return between.find(({ runId }) => runId === last);
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
