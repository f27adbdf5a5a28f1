/**
 * Which earlier run is a run compared with? The newest that was measured under the same conditions and has at least
 * half of its implementations: a run of a single one, as after a change to it, says nothing about the others.
 */
import type { ComparedImpl, ComparedRun } from "../../results/compared_run.ts";
import type { Known } from "../../results/known.ts";
import { conditionChanges } from "../../results/comparable.ts";

/** Returns the run to compare a run with, of earlier ones from the newest on, or why there is none. */
export function chooseBefore(
  now: ComparedRun,
  earlier: readonly ComparedRun[],
): Known<ComparedRun> {
  if (now.impls.every(({ conditions }) => conditions.control === undefined)) {
    return { missing: "this run was not compared with the control" };
  }
  if (now.impls.every(({ conditions }) => conditions.control === "none")) {
    return { missing: "the figures of its scenario have no ratio to the control" };
  }
  const { scenario } = now.impls[0]!.conditions;
  earlier = earlier.filter(({ impls }) => impls[0]?.conditions.scenario === scenario);
  const chosen =
    earlier.find((run) => Math.max(1, now.impls.length / 2) <= countComparable(now, run)) ??
      earlier.find((run) => countComparable(now, run) > 0);
  return chosen === undefined ? { missing: whyNone(now, earlier) } : { value: chosen };
}

/** Returns in a clause why two results of an implementation are not comparable; undefined if they are. */
export function differenceOf(
  now: ComparedImpl,
  before: ComparedImpl,
): string | undefined {
  if (now.conditions.control === undefined) {
    return now.missing ?? "it was not compared with the control";
  }
  if (before.conditions.control === undefined) {
    return "in the earlier run it was not compared with the control";
  }
  const [change] = conditionChanges(before.conditions, now.conditions);
  return change && `the ${change.what} is ${change.now}, and was ${change.before}`;
}

function countComparable(now: ComparedRun, before: ComparedRun): number {
  return pairsOf(now, before).filter(([here, there]) => differenceOf(here, there) === undefined)
    .length;
}

function pairsOf(now: ComparedRun, before: ComparedRun): [ComparedImpl, ComparedImpl][] {
  return now.impls.flatMap((here): [ComparedImpl, ComparedImpl][] => {
    const there = before.impls.find(({ id }) => id === here.id);
    return there === undefined ? [] : [[here, there]];
  });
}

function whyNone(now: ComparedRun, earlier: readonly ComparedRun[]): string {
  if (earlier.length === 0) return "there is no earlier run";
  const profile = profileOf(now);
  // The most similar run has the most informative reason.
  const alike = earlier.filter((run) => profileOf(run) === profile);
  for (const run of [...alike, ...earlier]) {
    const [pair] = pairsOf(now, run);
    if (pair === undefined) continue;
    return `${pair[0].name} is also in run ${run.runId}, but ${differenceOf(...pair)}`;
  }
  return "no earlier run has any of its implementations";
}

function profileOf({ impls }: ComparedRun): string | undefined {
  return impls[0]?.conditions.profile;
}
