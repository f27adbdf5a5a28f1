/**
 * By how much does one answer more requests than another, over runs? In: the runs of both, the newest first. Out: the ratio of
 * their warm goodputs that may be cited, or why there is none, and how far the ratios of pairs differ between runs.
 */
import type { ComparedImpl } from "./compared_run.ts";
import { type Known, missingOf, valueOf } from "./known.ts";
import { cite, cited, type CitedRatio, countsOf, leastOnTwo } from "./over_runs.ts";
import {
  type Found,
  isSameProcessor,
  levelIn,
  processorOf,
  qualifiersIn,
  ratiosByRun,
  ratiosIn,
  runRatios,
  type Series,
  sharedRuns,
} from "./series.ts";
import {
  acrossRuns,
  type BetweenProcessors,
  meanOfMachines,
  pooledRunVariance,
  type RatioInterval,
  twoSampleRatioInterval,
  type Variance,
  widened,
} from "../statistics/mod.ts";

/** Options for ratios of pairs. */
export interface PairOptions {
  /** A share; 0.95 by default. */
  confidence?: number;
  /** How much ratios differ between processors, for pairs that were measured on two. */
  between?: BetweenProcessors;
  /** How far runs differ, over all pairs that are ranked together: see {@linkcode pairVarianceOf}. */
  pooled?: Variance;
}

/** Returns how far runs differ, of the ratios of all pairs of implementations; undefined where nothing tells. */
export function pairVarianceOf(all: readonly Series[], connections: number): Variance | undefined {
  const pairs = all.flatMap((a, index) => all.slice(index + 1).map((b) => [a, b] as const));
  const ratios = pairs.map(([a, b]) =>
    runRatios(
      sharedRuns(a, b).flatMap(([impl, other]): Found[] => {
        const [one, two] = [impl, other].map((it) => valueOf(levelIn(it, connections).ratio));
        if (one === undefined || two === undefined) return [];
        // Only how far runs differ is asked, which the quotient of both ratios to the control tells as well.
        const ratio = { ...one, estimate: one.estimate / two.estimate };
        return [{ runId: impl.runId, ratio: { ratio, processor: processorOf(impl) } }];
      }),
    )
  );
  return pooledRunVariance(ratios, "of all pairs");
}

/**
 * Returns the ratio of a's warm goodput to b's that may be cited, over the runs that both are in: from two on, nothing need be
 * supposed about the control. Of fewer, it is over the runs of each where {@linkcode overRunsOfEach} knows it; otherwise of the
 * run that both are in, or of the newest of each, if the control was not limited there. Replicas of a run are paired in their
 * order: which machine measures which is chance.
 */
export function pairOverRuns(
  a: Series,
  b: Series,
  connections: number,
  { confidence = 0.95, between, pooled }: PairOptions = {},
): Known<CitedRatio> {
  const [[ofA], [ofB]] = [a, b];
  if (ofA === undefined || ofB === undefined) return { missing: "one of them was not measured" };
  const missing = whyNoPair(ofA, ofB, connections);
  if (missing !== undefined) return { missing };
  const found = sharedRuns(a, b).flatMap(([impl, other]): Found[] => {
    const ratio = pairIn(impl, other, connections, confidence);
    if (ratio === undefined) return [];
    return [{ runId: impl.runId, ratio: { ratio, processor: processorOf(impl) } }];
  });
  const { runs: shared } = countsOf(found);
  const ratio = pairIn(ofA, ofB, connections, confidence);
  // Within a run, this limits both ratios alike.
  const limited = [a, b].find((series) => qualifiersIn(series, connections).includes("at most"));
  const isOfEach = shared < 2 && ratio !== undefined && limited === undefined;
  const ofEach = isOfEach && pooled !== undefined && isSameProcessor(ofA, ofB)
    ? overRunsOfEach(a, b, connections, { pooled, confidence, shared })
    : undefined;
  if (ofEach !== undefined) return { value: ofEach };
  if (shared > 0) return { value: cite(found, { confidence, pooled }) };
  if (limited !== undefined) {
    const { name } = limited[0]!;
    return {
      missing: `the load generator limited the control beside ${name}, and no run has both`,
    };
  }
  if (ratio === undefined) return { missing: "an interval needs three rounds of each" };
  if (isSameProcessor(ofA, ofB)) return { value: { ...cited(ratio), runs: 1 } };
  return between === undefined
    ? { missing: whyNotBetween(ofA, ofB) }
    : { value: { ...widened(cited(ratio), between, confidence), runs: 1 } };
}

/** Returns the ratio of two over the runs of each; undefined where they have but one run, or one has none. */
function overRunsOfEach(
  a: Series,
  b: Series,
  connections: number,
  { confidence, ...options }: { pooled: Variance; confidence: number; shared: number },
): CitedRatio | undefined {
  const [ofA, ofB] = [a, b].map((series) =>
    ratiosByRun(ratiosIn(series, connections)).map(meanOfMachines)
  );
  const [m, n] = [ofA!.length, ofB!.length];
  if (Math.min(m, n) === 0 || m + n - options.shared < 2) return undefined;
  const ratio = acrossRuns(ofA!, ofB!, { ...options, confidence });
  return { ...ratio, confidence, runs: Math.max(2, Math.min(m, n)) };
}

/** Says why two ratios of different processors are not compared, in a clause. */
function whyNotBetween(a: ComparedImpl, b: ComparedImpl): string {
  return `${a.name} was measured on ${processorOf(a)}, ${b.name} on ${
    processorOf(b)
  }, and fewer than ` +
    `${leastOnTwo} implementations on both, so nothing tells how much ratios differ between them`;
}

function whyNoPair(a: ComparedImpl, b: ComparedImpl, connections: number): string | undefined {
  for (const impl of [a, b]) {
    const { logRatios, ratio } = levelIn(impl, connections);
    if (logRatios.length > 0) continue;
    const missing = missingOf(ratio);
    // Of two, the reason has to say which.
    return missing?.startsWith(impl.name)
      ? missing
      : `${impl.name}: ${missing ?? "it was not compared"}`;
  }
  if (a.conditions.idle !== b.conditions.idle) {
    return `${a.name} was measured on ${processorOf(a)}; ${b.name} on ${processorOf(b)}; ` +
      "how much polling changes ratios is not known";
  }
  return a.conditions.control === b.conditions.control
    ? undefined
    : `${a.name} was compared with version ${a.conditions.control} of the control, ` +
      `${b.name} with version ${b.conditions.control}`;
}

function pairIn(
  a: ComparedImpl,
  b: ComparedImpl,
  connections: number,
  confidence: number,
): RatioInterval | undefined {
  const [ofA, ofB] = [a, b].map((impl) => levelIn(impl, connections).logRatios);
  return twoSampleRatioInterval(ofA!, ofB!, confidence);
}
