/** What the loads themselves witnessed: right and wrong answers. */
import { sum } from "../../lib/sum.ts";
import { lastRepetition } from "../../results/outcome.ts";
import type { Problem, Result } from "../../results/result_schema.ts";

/** How the answers of one level's load were judged. */
export interface JudgedLevel {
  connections: number;
  answers: number;
  refused: number;
  wrong: number;
}

/** The loads that count, each answer judged. */
export interface Witnessed {
  /** In ascending order of connections. */
  levels: JudgedLevel[];
  problems: Problem[];
}

/** Returns what the loads that count witnessed; undefined where none finished. */
export function witnessedOf(result: Result): Witnessed | undefined {
  const judged = inOrder(result).flatMap((level) => {
    const { observation } = lastRepetition(level);
    return observation === undefined ? [] : [{ ...level, observation }];
  });
  if (judged.length === 0) return undefined;
  return {
    levels: judged.map(({ connections, observation: { correct, refused, wrong } }) => {
      const count = sum(Object.values(wrong));
      return { connections, answers: correct + count, refused, wrong: count };
    }),
    problems: judged.flatMap(({ observation }) => observation.problems),
  };
}

/** Returns what was wrong in each load, those that were repeated among them. */
export function problemsOf(
  result: Result,
): { connections: number; index: number; problems: Problem[] }[] {
  return inOrder(result).flatMap(({ connections, repetitions }) =>
    repetitions.flatMap(({ observation }, index) => {
      const problems = observation?.problems ?? [];
      return problems.length === 0 ? [] : [{ connections, index, problems }];
    })
  );
}

function inOrder({ levels }: Result) {
  return levels.toSorted((a, b) => a.connections - b.connections);
}
