/**
 * How does what a run found compare with earlier runs? In: ratios with their intervals over rounds, of each machine of
 * each run. Out: new over earlier, with the interval within which it lies if nothing changed.
 */
import {
  byProcessor,
  logRatioOf,
  marginOf,
  type RunRatio,
  statedVariance,
  sumOfSquares,
  type Variance,
} from "./run_variance.ts";
import type { LongRunRatio } from "./runs.ts";
import { sum } from "../lib/sum.ts";

/** What the machines of one run found. */
export type RunMachines = readonly RunRatio[];

/** What one machine found, with the number of its run, and its coefficient in the difference. */
interface Term extends RunRatio {
  run: number;
  coefficient: number;
}

/**
 * Returns what new runs found over the long-run ratio of earlier ones on the same processors: above 1 where they found more.
 * Undefined where no processor has two earlier runs, or none of the new ones.
 *
 * On one processor, it is the mean of the new machines over that of the earlier ones. Of several, each machine is compared
 * with the mean of its own: strata, each with as much weight as it has of the new machines; those on a processor without
 * an earlier one do not count.
 *
 * The interval is a prediction interval (Hahn and Meeker, "Statistical Intervals" (1991), chapter 4), in a nested
 * analysis of variance: a run deviates, with all of its machines, and each of its machines besides (Searle, Casella and
 * McCulloch, "Variance Components" (1992), chapter 3, the estimators of unbalanced data; degrees of freedom after
 * Satterthwaite). Runs are taken to differ by no less than their machines do, because two runs often agree by chance. With
 * one machine in each run, it is Student's t with n - 1 degrees of freedom and the variance of one run times 1 + 1 / n.
 * It is never narrower than the runs' own intervals make it.
 *
 * In simulations, intervals for 95 % held in 93 % to 100 % of the cases, whether runs differ or only their machines
 * (`coverage_over_runs_test.ts`).
 */
export function ratioToEarlierRuns(
  now: readonly RunMachines[],
  earlier: readonly RunMachines[],
  confidence = 0.95,
): Pick<LongRunRatio, "estimate" | "low" | "high" | "runs"> | undefined {
  const [ofNow, ofEarlier] = [numbered(now, 0), numbered(earlier, now.length)];
  const strata = byProcessor(ofEarlier).map((before) => ({
    before,
    own: ofNow.filter(({ processor }) => processor === before[0]!.processor),
  })).filter(({ own }) => own.length > 0);
  const [owns, all] = [strata.flatMap(({ own }) => own), strata.flatMap(({ before }) => before)];
  const terms: Term[] = strata.flatMap(({ own, before }) => [
    ...own.map((it) => ({ ...it, coefficient: 1 / owns.length })),
    ...before.map((it) => ({ ...it, coefficient: -own.length / owns.length / before.length })),
  ]);
  const observed = varianceOf(terms, strata.map(({ before }) => before));
  if (observed === undefined) return undefined;
  const value = sum(terms.map((term) => term.coefficient * logRatioOf(term)));
  const [own, stated] = [statedVariance(owns), statedVariance(all)];
  const squares = sum(
    terms.filter(({ coefficient }) => coefficient < 0).map((it) => it.coefficient ** 2),
  );
  const margin = Math.max(
    marginOf(observed, confidence),
    marginOf([
      { ...own, variance: own.variance / owns.length },
      { ...stated, variance: stated.variance * squares },
    ], confidence),
  );
  const [low, estimate, high] = [value - margin, value, value + margin].map(Math.exp);
  const runs = new Set(all.map(({ run }) => run)).size;
  return { estimate: estimate!, low: low!, high: high!, runs };
}

function numbered(runs: readonly RunMachines[], first: number): Omit<Term, "coefficient">[] {
  return runs.flatMap((machines, index) => machines.map((it) => ({ ...it, run: first + index })));
}

/** Returns the parts of a difference's variance, from the earlier runs of each stratum; undefined where none has two. */
function varianceOf(
  terms: readonly Term[],
  strata: readonly (readonly Omit<Term, "coefficient">[])[],
): Variance[] | undefined {
  const cells = strata.map((all) => {
    const runs = [...Map.groupBy(all, ({ run }) => run).values()];
    return runs.map((machines) => machines.map(logRatioOf));
  });
  const counts = cells.map((runs) => runs.map(({ length }) => length));
  const freedomOfRuns = sum(cells.map((runs) => runs.length - 1));
  if (freedomOfRuns === 0) return undefined;
  const freedomOfMachines = sum(counts.flat().map((count) => count - 1));
  const withinRuns = sum(cells.flat().map(sumOfSquares));
  const ofRuns = (sum(cells.map((runs) => sumOfSquares(runs.flat()))) - withinRuns) / freedomOfRuns;
  const ofMachines = freedomOfMachines === 0 ? 0 : withinRuns / freedomOfMachines;
  const inRun = sum(
    counts.map((ofStratum) => sum(ofStratum) - sum(ofStratum.map((n) => n ** 2)) / sum(ofStratum)),
  ) / freedomOfRuns;
  const ofTerms = sum(
    [...Map.groupBy(terms, ({ run }) => run).values()].map((ofRun) =>
      sum(ofRun.map(({ coefficient }) => coefficient)) ** 2
    ),
  );
  const squares = sum(terms.map(({ coefficient }) => coefficient ** 2));
  const between = {
    variance: Math.max(ofRuns, ofMachines) * ofTerms / inRun,
    degreesOfFreedom: freedomOfRuns,
  };
  // Where no run has two machines on one processor, nothing tells them apart from runs.
  return freedomOfMachines === 0 ? [between] : [between, {
    variance: ofMachines * (squares - ofTerms / inRun),
    degreesOfFreedom: freedomOfMachines,
  }];
}
