/** What the side client asked and found during the loads, and which levels were measured again. */
import { lastRepetition } from "../../results/outcome.ts";
import type { Problem, Result } from "../../results/result_schema.ts";

/** How often each thing was asked, and what was wrong with the answers. */
export interface Asked {
  /** In ascending order. */
  connections: number[];
  /** A count for each level; null where the level has none. */
  checks: { check: string; counts: (number | null)[] }[];
  problems: Problem[];
}

/** Returns what the side client asked during the loads that count; undefined where it asked nothing. */
export function askedOf(result: Result): Asked | undefined {
  const levels = inOrder(result).map((level) => ({
    connections: level.connections,
    seen: lastRepetition(level).observation?.sideClient,
  }));
  const checks = new Set(levels.flatMap(({ seen }) => Object.keys(seen?.checks ?? {})));
  if (checks.size === 0) return undefined;
  return {
    connections: levels.map(({ connections }) => connections),
    checks: [...checks].sort().map((check) => ({
      check,
      counts: levels.map(({ seen }) => seen?.checks[check] ?? null),
    })),
    problems: levels.flatMap(({ seen }) => seen?.problems ?? []),
  };
}

/** Returns what the side client found wrong in each load, those that were repeated among them. */
export function problemsOf(
  result: Result,
): { connections: number; index: number; problems: Problem[] }[] {
  return inOrder(result).flatMap(({ connections, repetitions }) =>
    repetitions.flatMap(({ observation }, index) => {
      const problems = observation?.sideClient?.problems ?? [];
      return problems.length === 0 ? [] : [{ connections, index, problems }];
    })
  );
}

/** Returns which levels were loaded again, and why. */
export function retriesOf(result: Result): { connections: number; reason: string }[] {
  return inOrder(result).flatMap(({ connections, repetitions }) =>
    repetitions.slice(0, -1).flatMap(({ validity }) =>
      validity.valid
        ? []
        : validity.reasons.map(({ message }) => ({ connections, reason: message }))
    )
  );
}

function inOrder({ levels }: Result) {
  return levels.toSorted((a, b) => a.connections - b.connections);
}
