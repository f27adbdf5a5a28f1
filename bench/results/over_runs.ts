/**
 * Which ratio may be cited? From two comparable runs on, the long-run ratio over them, whose interval has the variation
 * between runs in it; of a single run, its ratio, whose interval is over the run's rounds and called that. In: what runs
 * found, the newest first. Ratios of several processors are put together only with how far they carry in the interval.
 */
import { formatInteger } from "../lib/format_integer.ts";
import { comparableKeyOf, type Conditions, machineOf } from "./comparable.ts";
import type { ComparedImpl, ComparedRun, ImplLevel } from "./compared_run.ts";
import type { Known } from "./known.ts";
import { ownParts, versionChanges } from "./versions.ts";
import {
  type BetweenProcessors,
  betweenProcessors,
  type LongRunRatio,
  longRunRatio,
  type RatioInterval,
  ratioToEarlierRuns,
  type RunRatio,
  twoSampleRatioInterval,
  widened,
} from "../statistics/mod.ts";

/** A ratio with the interval that may be cited. */
export interface CitedRatio
  extends Pick<RatioInterval, "estimate" | "low" | "high" | "confidence"> {
  /** How many runs the interval is over; 1 for the interval of a single run. */
  runs: number;
  /** How many machines measured in them; absent where it was one in each run. */
  machines?: number;
}

/** What one implementation came to in a run, on one machine. */
export interface RunOfImpl {
  runId: string;
  startedAt: string;
  impl: ComparedImpl;
}

/**
 * An implementation in a run and those before it that are comparable and have the same sources and versions of its parts, the
 * newest first: with others, it is another program, and the mean of both is the ratio of neither.
 */
export type Series = readonly RunOfImpl[];

/** The most runs that a long-run ratio is over, so that those of long ago do not count. */
export const mostRuns = 20;

/** Options for ratios of pairs. */
export interface PairOptions {
  /** The default is 95 %. */
  confidence?: number;
  /** How far ratios carry between processors, for pairs that were measured on two. */
  between?: BetweenProcessors;
}

/**
 * Returns the runs of an implementation that go with its newest; takes the newest run first. With `conditions`, the
 * newest is the first that is comparable under them.
 */
export function seriesOf(
  id: string,
  runs: readonly ComparedRun[],
  conditions?: Conditions,
): Series {
  const series: RunOfImpl[] = [];
  let key = conditions && comparableKeyOf(conditions);
  let count = 0;
  for (const { runId, startedAt, impls } of runs) {
    const before = series.length;
    const first = impls.find((impl) => impl.id === id);
    for (const impl of first === undefined ? [] : replicasOf([first])) {
      const [newest] = series;
      if (newest === undefined && conditions === undefined) key = comparableKeyOf(impl.conditions);
      else if (key === undefined || comparableKeyOf(impl.conditions) !== key) continue;
      if (newest === undefined || isSameProgram(newest.impl, impl)) {
        series.push({ runId, startedAt, impl });
      } else if (impl === first) return series;
    }
    if (series.length > before && ++count === mostRuns) break;
  }
  return series;
}

/** Returns implementations with their replicas, each after its first. */
function replicasOf(impls: readonly ComparedImpl[]): ComparedImpl[] {
  return impls.flatMap((impl) => [impl, ...impl.replicas ?? []]);
}

/** Returns what an implementation came to at a level of a run. */
export function levelIn({ levels, missing, name }: ComparedImpl, connections: number): ImplLevel {
  return levels.find((level) => level.connections === connections) ?? {
    connections,
    logRatios: [],
    isGeneratorBound: false,
    missing: missing === undefined
      ? `${name} was not compared at ${formatInteger(connections)} connections`
      : `${name} ${missing}`,
  };
}

/** Returns the ratio to the control that may be cited of an implementation. */
export function ratioOverRuns(series: Series, connections: number): Known<CitedRatio> {
  const [newest] = series;
  if (newest === undefined) return { missing: "it was not measured" };
  const { ratio, missing } = levelIn(newest.impl, connections);
  if (ratio === undefined) return { missing: missing! };
  return { value: cite(ratiosIn(series, connections)) };
}

/**
 * Returns the long-run ratio to the control over the comparable measurements of an implementation; undefined with fewer
 * than two.
 */
export function longRunOf(series: Series, connections: number): LongRunRatio | undefined {
  return longRunRatio(ratiosIn(series, connections).map(({ ratio }) => ratio));
}

/**
 * Returns the ratio of a's warm goodput to b's that may be cited, over the runs that both are in. Replicas of a run are
 * paired in their order: which machine measures which is chance.
 */
export function pairOverRuns(
  a: Series,
  b: Series,
  connections: number,
  { confidence = 0.95, between }: PairOptions = {},
): Known<CitedRatio> {
  const [ofA, ofB] = [a[0]?.impl, b[0]?.impl];
  if (ofA === undefined || ofB === undefined) return { missing: "one of them was not measured" };
  const missing = whyNoPair(ofA, ofB, connections);
  if (missing !== undefined) return { missing };
  const free = [...b];
  const found = a.flatMap(({ runId, impl }): Found[] => {
    const place = free.findIndex((other) =>
      other.runId === runId && isSameProcessor(impl, other.impl)
    );
    const [other] = place < 0 ? [] : free.splice(place, 1);
    const ratio = other && pairIn(impl, other.impl, connections, confidence);
    return ratio === undefined ? [] : [{ runId, ratio: { ratio, processor: processorOf(impl) } }];
  });
  if (found.length > 0) return { value: cite(found, confidence) };
  const ratio = pairIn(ofA, ofB, connections, confidence);
  if (ratio === undefined) return { missing: "an interval needs three rounds of each" };
  if (isSameProcessor(ofA, ofB)) return { value: { ...cited(ratio), runs: 1 } };
  return between === undefined
    ? { missing: unknownCarry(ofA, ofB) }
    : { value: { ...widened(cited(ratio), between, confidence), runs: 1 } };
}

/**
 * Returns how an implementation's ratio in its newest run, of all its machines, compares with the long-run ratio of two or
 * more measurements before it.
 */
export function changeOverRuns(
  series: Series,
  connections: number,
  confidence = 0.95,
): CitedRatio | undefined {
  const found = ratiosIn(series, connections);
  const isNow = ({ runId }: Found) => runId === found[0]?.runId;
  const [now, earlier] = [found.filter(isNow), found.filter((it) => !isNow(it))];
  const ratios = [now, earlier].map((list) => list.map(({ ratio }) => ratio));
  const change = ratioToEarlierRuns(ratios[0]!, ratios[1]!, confidence);
  return change && { ...change, ...countsOf(earlier), confidence };
}

/**
 * Returns how far ratios to the control carry between processors at a level, from all runs of the first one's scenario,
 * profile and control; undefined where no implementation was measured on two.
 */
export function carryIn(
  runs: readonly ComparedRun[],
  connections: number,
): BetweenProcessors | undefined {
  const first = runs[0]?.impls.find(({ conditions }) => conditions.control !== undefined);
  if (first === undefined) return undefined;
  const { scenario, profile, control } = first.conditions;
  const impls = runs.flatMap(({ impls }) => replicasOf(impls)).filter(({ conditions }) =>
    conditions.scenario === scenario && conditions.profile === profile &&
    conditions.control === control
  );
  const byId = Map.groupBy(impls, ({ id }) => id);
  return betweenProcessors(
    [...byId.values()].map((ofOne) => ofOne.flatMap((impl) => ratioIn(impl, connections))),
  );
}

/** Where one result names its sources and the other does not, nothing tells that they are the same. */
function isSameProgram({ versions: a }: ComparedImpl, { versions: b }: ComparedImpl): boolean {
  return versionChanges(a, b, ownParts).length === 0 &&
    (a.sources === undefined) === (b.sources === undefined);
}

/** Tells whether two were measured on one kind of machine. */
function isSameProcessor(a: ComparedImpl, b: ComparedImpl): boolean {
  return processorOf(a) === processorOf(b);
}

/** Says why two ratios of different processors are not compared, in a clause. */
function unknownCarry(a: ComparedImpl, b: ComparedImpl): string {
  return `${a.name} was measured on ${processorOf(a)}, ${b.name} on ${processorOf(b)}, and no ` +
    "implementation was measured on both, so nothing tells how far ratios carry between them";
}

function whyNoPair(a: ComparedImpl, b: ComparedImpl, connections: number): string | undefined {
  for (const impl of [a, b]) {
    const { logRatios, missing } = levelIn(impl, connections);
    if (logRatios.length === 0) return missing ?? `${impl.name} was not compared`;
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

/** What a run found on one machine. */
interface Found {
  runId: string;
  ratio: RunRatio;
}

function cite(found: readonly Found[], confidence = 0.95): CitedRatio {
  const over = longRunRatio(found.map(({ ratio }) => ratio), undefined, confidence);
  if (over === undefined) return { ...cited(found[0]!.ratio.ratio), runs: 1 };
  const { estimate, low, high } = over;
  return { estimate, low, high, confidence, ...countsOf(found) };
}

/** Counts runs, and machines where that is not the same. */
function countsOf(found: readonly Found[]): Pick<CitedRatio, "runs" | "machines"> {
  const runs = new Set(found.map(({ runId }) => runId)).size;
  return runs === found.length ? { runs } : { runs, machines: found.length };
}

function cited({ estimate, low, high, confidence }: Omit<RatioInterval, "method">) {
  return { estimate, low, high, confidence };
}

function ratiosIn(series: Series, connections: number): Found[] {
  return series.flatMap(({ runId, impl }) =>
    ratioIn(impl, connections).map((ratio) => ({ runId, ratio }))
  );
}

function ratioIn(impl: ComparedImpl, connections: number): RunRatio[] {
  const { ratio } = levelIn(impl, connections);
  return ratio === undefined ? [] : [{ ratio, processor: processorOf(impl) }];
}

function processorOf({ conditions }: ComparedImpl): string {
  return machineOf(conditions);
}
