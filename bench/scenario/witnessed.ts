/** Witnessed: gathers what a scenario finds as it judges the answers of a load one after the other. */
import { formatInteger } from "../lib/format_integer.ts";
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
  return {
    right(index) {
      isRight[index] = 1;
    },
    rightlyRefused(index) {
      isRight[index] = 1;
      refused++;
    },
    wrong(kind, describe) {
      if (wrong[kind] === undefined) problems.push({ check: kind, ...describe() });
      wrong[kind] = (wrong[kind] ?? 0) + 1;
    },
    statement() {
      statements++;
    },
    finish: () => ({ isRight, wrong, problems, statements, refused }),
  };
}

/** Describes a body that is known by its digest only. */
export function describeDigest({ crc32, bytes }: { crc32: number; bytes: number }): string {
  return `${formatInteger(bytes)} bytes with CRC-32 ${crc32.toString(16).padStart(8, "0")}`;
}
