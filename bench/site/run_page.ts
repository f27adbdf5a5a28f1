/**
 * What the page of a run needs of its results: everything but the raw series, histograms and rounds, which are
 * most of a file and are published beside it. Hugo reads it once for each page, so a site of a thousand runs
 * never holds them all at once.
 */
import type { Level, Observation, Result } from "../results/result_schema.ts";
import type { ComparedLevel, Comparison } from "../results/comparison_schema.ts";
import type { Ladder, Rung } from "../results/protocols_schema.ts";

/** A result without what only a statistician reads. */
export interface SlimResult extends Omit<Result, "levels" | "comparison" | "ladder"> {
  levels: SlimLevel[];
  comparison?: Omit<Comparison, "levels"> & { levels: Omit<ComparedLevel, "rounds">[] };
  ladder?: Omit<Ladder, "rungs"> & { rungs: Omit<Rung, "latency">[] };
}

interface SlimLevel extends Omit<Level, "repetitions"> {
  repetitions: SlimRepetition[];
}

type SlimRepetition = Omit<Level["repetitions"][number], "observation"> & {
  observation?: Omit<Observation, "series" | "latency">;
};

/** Returns a result without its series, histograms and rounds. */
export function slimResult({ levels, comparison, ladder, ...rest }: Result): SlimResult {
  return {
    ...rest,
    levels: levels.map(({ repetitions, ...level }) => ({
      ...level,
      repetitions: repetitions.map(slimRepetition),
    })),
    ...(comparison === undefined ? {} : {
      comparison: {
        ...comparison,
        levels: comparison.levels.map(({ rounds: _, ...level }) => level),
      },
    }),
    ...(ladder === undefined ? {} : {
      ladder: { ...ladder, rungs: ladder.rungs.map(({ latency: _, ...rung }) => rung) },
    }),
  };
}

function slimRepetition(
  { observation, ...repetition }: Level["repetitions"][number],
): SlimRepetition {
  if (observation === undefined) return repetition;
  const { series: _, latency: __, ...seen } = observation;
  return { ...repetition, observation: seen };
}
