/** Rounds of a comparison as tests of its conclusions need them. */
import { factsOf } from "../measure/load.ts";
import type { ComparedRound, ComparedSide } from "../results/comparison_schema.ts";
import type { LoadFacts } from "../results/load_schema.ts";
import { exampleObservation } from "./example_result.ts";

const machine = exampleObservation().resources!.machine;

/** Returns a side with so many right answers in one second; `load` changes its facts. */
export function comparedSide(correct: number, load: Partial<LoadFacts> = {}): ComparedSide {
  const facts = { ...factsOf(exampleObservation()), attempted: correct, correct, ...load };
  return {
    correct,
    failed: facts.attempted - facts.correct,
    seconds: 1,
    perSlice: [correct],
    cpuSecondsPerAnswer: 1 / correct,
    load: facts,
  };
}

/** Returns a round of each pair. */
export function roundsOf(
  pairs: [subject: ComparedSide, reference: ComparedSide][],
): ComparedRound[] {
  return pairs.map(([subject, reference]) => ({
    startedAt: "2026-01-01T00:00:00.000Z",
    order: "srrs",
    ...{ subject, reference, machine },
  }));
}

/** Returns three rounds, in the second of which the reference is another. */
export function roundsWith(reference: ComparedSide): ComparedRound[] {
  return roundsOf([
    [comparedSide(2_000), comparedSide(1_000)],
    [comparedSide(2_000), reference],
    [comparedSide(2_000), comparedSide(1_000)],
  ]);
}
