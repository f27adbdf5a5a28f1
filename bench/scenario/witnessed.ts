/** Witnessed: gathers what a scenario finds as it judges the answers of a load one after the other. */
import type { Problem } from "../results/result_schema.ts";
import type { Answers, Witnessed } from "./scenario.ts";

/** Receives the verdict on each answer. */
export interface Witness {
  /** An answer that is right. */
  right(index: number): void;
  /** A right answer that refuses a request. */
  rightlyRefused(index: number): void;
  /** A wrong answer; `describe` is called for the first of its kind. */
  wrong(kind: string, describe: () => Omit<Problem, "check">): void;
  /** An answer with another status than the right one. */
  wrongStatus(sent: string, status: number, expected: number): void;
  /** The request must have caused a statement. */
  statement(): void;
  /** Returns what was gathered. */
  finish(): Witnessed;
}

/** Returns a witness that has seen nothing yet. */
export function createWitness({ line }: Pick<Answers, "line">): Witness {
  const isRight = new Uint8Array(line.length);
  const wrong: Record<string, number> = {};
  const problems: Problem[] = [];
  let statements = 0;
  let refused = 0;
  const addWrong: Witness["wrong"] = (kind, describe) => {
    if (wrong[kind] === undefined) problems.push({ check: kind, ...describe() });
    wrong[kind] = (wrong[kind] ?? 0) + 1;
  };
  return {
    right(index) {
      isRight[index] = 1;
    },
    rightlyRefused(index) {
      isRight[index] = 1;
      refused++;
    },
    wrong: addWrong,
    wrongStatus(sent, status, expected) {
      addWrong(`status-${status}`, () => ({
        sent,
        came: `status is ${status}`,
        expected: `status ${expected}`,
      }));
    },
    statement() {
      statements++;
    },
    finish: () => ({ isRight, wrong, problems, statements, refused }),
  };
}
