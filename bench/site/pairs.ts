/**
 * All pairs of a run. In: the results of a run, and what is derived from them. Out: its comparison page: at each
 * level, every implementation in the order of its ratio to the control, every pair with the higher ratio first, and
 * why one is in no pair.
 */
import { comparedAt, type Qualifier, qualifierAt, ratioAt } from "../results/compared.ts";
import { type WarmGoodput, warmGoodputAt } from "../results/goodput.ts";
import { missingOf, valueOf } from "../results/known.ts";
import { isGeneratorBound } from "../results/outcome.ts";
import { type Marks, marksWith } from "./marks.ts";
import type { DerivedLevel, DerivedRun } from "./ranking.ts";
import { machineNames } from "./run_summary.ts";
import { pairOf, type RankedPair } from "../results/rank.ts";
import type { Result } from "../results/result_schema.ts";
import { shownLevel } from "../results/profiles.ts";
import { proseNames } from "../results/words.ts";
import { leadSentences, orderValue, type Standing, standingOf } from "../results/standing.ts";
import { type RatioInterval, verdictWords } from "../statistics/mod.ts";

/** The comparisons of one run. */
export interface DerivedCompare {
  /** Processor and how many; more than one where implementations were measured in jobs of their own. */
  machines: string[];
  /** Those at which something was compared with the control, in ascending order of connections, each class apart. */
  levels: CompareLevel[];
  /** Who leads at each level, in sentences without the last period; absent where nothing was compared. */
  finding?: string;
}

export interface CompareLevel {
  connections: number;
  /** The level that is shown first. */
  isFirst: boolean;
  class: Result["impl"]["class"];
  /** The fastest first; those that were not compared come last, in alphabetical order of ids. */
  impls: CompareImpl[];
  /** Those of the first {@linkcode pairedImpls}, in the order of `impls`: the first with each other, then the second, … */
  pairs: ComparePair[];
  /** How many pairs there are in all. */
  pairCount: number;
}

/** How many implementations a page has all pairs of. */
const pairedImpls = 10;

export interface CompareImpl extends Standing {
  id: string;
  name: string;
  /** The number of its mark. */
  order: number;
  /** Version of the control. */
  control?: string;
  /** Ratio to the control; its interval is for this ratio alone. */
  ratio?: RatioInterval;
  /** How to read the ratio; absent where the load generator limited neither of the two. */
  qualifier?: Qualifier;
  isGeneratorBound: boolean;
  /** Letters: two that share one are tied. */
  groups: string[];
  /** Its own, and the control's in the same rounds. */
  warmGoodput?: WarmGoodput;
  controlWarmGoodput?: WarmGoodput;
  /** Of its CPU time for each correct answer to the control's. */
  cpuPerAnswer?: Pick<RatioInterval, "estimate" | "low" | "high">;
  /** Why it is in no pair, in a clause; present exactly there. */
  missing?: string;
  /** Why it has no ratio, in a clause; present exactly there. One whose rounds count may be in pairs all the same. */
  ratioMissing?: string;
}

/** The ratio of a to b, and the verdict on a, which comes first in `impls`. */
export interface ComparePair extends RankedPair {
  /** `Go over Deno`. */
  label: string;
  /** The verdict on a, with the name of what hides a difference. */
  words: string;
}

/** Tells every two of a run apart, or why not; by default, marks are those of a first run. */
export function deriveCompare(
  results: Result[],
  run: DerivedRun,
  marks: Marks = marksWith(new Map(), results),
): DerivedCompare {
  const compared = run.levels.filter(({ connections }) => isCompared(results, connections));
  const first = shownLevel(compared.map(({ connections }) => connections));
  const levels = compared.flatMap((level) =>
    (["standard", "tuned"] as const).flatMap((implClass) => {
      const hasClass = results.some(({ impl }) => impl.class === implClass);
      const isFirst = level.connections === first;
      return hasClass ? [{ ...compareClass(results, level, { implClass, marks }), isFirst }] : [];
    })
  );
  return {
    machines: machineNames(results),
    levels,
    finding: leadSentences(levels.map((level) => ({ ...level, entries: level.impls }))),
  };
}

function isCompared(results: Result[], connections: number): boolean {
  return results.some(({ comparison }) =>
    comparison?.levels.some((level) => level.connections === connections)
  );
}

function compareClass(
  results: Result[],
  level: DerivedLevel,
  { implClass, marks }: { implClass: CompareLevel["class"]; marks: Marks },
): Omit<CompareLevel, "isFirst"> {
  const impls = results.filter(({ impl }) => impl.class === implClass)
    .map((result) => compareImpl(result, marks.get(result.impl.id)!, level))
    .sort((a, b) => orderValue(b) - orderValue(a) || (a.id < b.id ? -1 : 1));
  const ids = impls.map(({ id }) => id);
  const names = proseNames(results.map(({ impl }) => impl.name));
  return {
    connections: level.connections,
    class: implClass,
    impls: impls.map((impl) => ({ ...impl, ...standingOf(impl.id, level.pairs, ids) })),
    pairs: impls.slice(0, pairedImpls).flatMap((a, index) =>
      impls.slice(index + 1, pairedImpls).flatMap((b) => comparePair(a, b, level.pairs, names))
    ),
    pairCount: level.pairs.filter(({ a }) => ids.includes(a)).length,
  };
}

function compareImpl(
  result: Result,
  order: number,
  { connections, pairs, impls }: DerivedLevel,
): Omit<CompareImpl, keyof Standing> {
  const { impl: { id, name }, control } = result;
  const ratio = ratioAt(result, connections);
  const compared = valueOf(comparedAt(result, connections));
  const cpu = compared?.cpuPerAnswer;
  const isPaired = pairs.some(({ a, b }) => a === id || b === id);
  return {
    id,
    name,
    order,
    control: control?.version,
    ratio: valueOf(ratio),
    qualifier: qualifierAt(result, connections),
    isGeneratorBound: isGeneratorBound(result, connections),
    groups: impls.find((impl) => impl.id === id)?.groups ?? [],
    warmGoodput: valueOf(warmGoodputAt(result, connections)),
    controlWarmGoodput: valueOf(warmGoodputAt(result, connections, "reference")),
    cpuPerAnswer: cpu && { estimate: cpu.estimate, low: cpu.low, high: cpu.high },
    ratioMissing: missingOf(ratio),
    missing: isPaired
      ? undefined
      : missingOf(ratio) ?? "no other of its class has a ratio to the same version of the control",
  };
}

type Compared = Omit<CompareImpl, keyof Standing>;

function comparePair(
  a: Compared,
  b: Compared,
  pairs: RankedPair[],
  names: ReadonlyMap<string, string>,
): ComparePair[] {
  const read = pairOf(pairs, a.id, b.id);
  if (read === undefined) return [];
  const words = verdictWords(read, { a: a.name, b: b.name });
  const label = `${names.get(a.name)} over ${names.get(b.name)}`;
  return [{ ...read, label, words }];
}
