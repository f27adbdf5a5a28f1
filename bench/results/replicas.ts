/**
 * Replicas: one run measures an implementation on several machines at once, because what differs from machine to
 * machine is no part of an interval over the rounds of one. In: the results of a run. Out: for each implementation the
 * result that stands for it, and what became of the others.
 */
import { machineOf } from "./comparable.ts";
import { whyFailed } from "./outcome.ts";
import type { Result } from "./result_schema.ts";

/** The results of one implementation in a run: the one that stands for it, and the others. */
export interface Replicated {
  first: Result;
  others: Result[];
}

/**
 * Returns the results of a run by implementation. The first complete one on the kind of machine that most of the
 * complete ones have stands for it; of equally many, the kind of the lowest number; where none is complete, the first.
 * The figures have no say in that.
 */
export function replicatedOf(results: readonly Result[]): Replicated[] {
  return [...Map.groupBy(results, ({ impl }) => impl.id).values()].map((all) => {
    const sorted = all.toSorted((a, b) => numberOf(a) - numberOf(b));
    const complete = sorted.filter(({ status }) => status === "complete");
    const kinds = [...Map.groupBy(complete, ({ machine }) => machineOf(machine)).values()];
    const most = Math.max(...kinds.map((kind) => kind.length));
    const first = kinds.find((kind) => kind.length === most)?.[0] ?? sorted[0]!;
    return { first, others: sorted.filter((result) => result !== first) };
  });
}

/** Returns the result that stands for each implementation of a run. */
export function firstsOf(results: readonly Result[]): Result[] {
  return replicatedOf(results).map(({ first }) => first);
}

/** Returns the number of a replica, from 1. */
export function numberOf({ replica = 1 }: Pick<Result, "replica">): number {
  return replica;
}

/** One of several measurements of an implementation in a run. */
export interface ShownReplica {
  number: number;
  machine: string;
  /** Why it is not pooled with the one that stands for the implementation, as a clause; absent where it is. */
  missing?: string;
}

/** Returns what became of each replica of an implementation; none where there is one measurement. */
export function shownReplicas({ first, others }: Replicated): ShownReplica[] {
  if (others.length === 0 && first.replica === undefined) return [];
  const machine = machineOf(first.machine);
  return [first, ...others].sort((a, b) => numberOf(a) - numberOf(b)).map((result) => {
    const own = machineOf(result.machine);
    const missing = whyFailed(result) ??
      (own === machine ? undefined : "another kind of machine, a series of its own");
    return { number: numberOf(result), machine: own, missing };
  });
}
