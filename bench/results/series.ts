/**
 * Series: which runs of an implementation go together, and what each found. In: what runs found, the newest first. Out:
 * the comparable ones of one program, and their ratios to the control.
 */
import { comparableKeyOf, type Conditions, machineOf } from "./comparable.ts";
import type { ComparedImpl, ComparedRun, ImplLevel } from "./compared_run.ts";
import type { Qualifier } from "./compared.ts";
import { formatInteger } from "../lib/format_integer.ts";
import { valueOf } from "./known.ts";
import { meanOfMachines, type RunRatio } from "../statistics/mod.ts";
import { ownParts, versionChanges } from "./versions.ts";

/**
 * An implementation in a run and those before it that are comparable and have the same sources and versions of its parts, the
 * newest first: with others, it is another program, and the mean of both is the ratio of neither.
 */
export type Series = readonly ComparedImpl[];

/** The most runs that a long-run ratio is over, so that those of long ago do not count. */
export const mostRuns = 20;

/**
 * Returns the runs of an implementation that go with its newest; takes the newest run first. With `conditions`, the
 * newest is the first that is comparable under them.
 */
export function seriesOf(
  id: string,
  runs: readonly ComparedRun[],
  conditions?: Conditions,
): Series {
  const series: ComparedImpl[] = [];
  let key = conditions && comparableKeyOf(conditions);
  let count = 0;
  for (const { impls } of runs) {
    const before = series.length;
    const first = impls.find((impl) => impl.id === id);
    for (const impl of first === undefined ? [] : replicasOf([first])) {
      const [newest] = series;
      if (newest === undefined && conditions === undefined) key = comparableKeyOf(impl.conditions);
      else if (key === undefined || comparableKeyOf(impl.conditions) !== key) continue;
      if (newest === undefined || isSameProgram(newest, impl)) series.push(impl);
      else if (impl === first) return series;
    }
    if (series.length > before && ++count === mostRuns) break;
  }
  return series;
}

/** Returns implementations with their replicas, each after its first. */
export function replicasOf(impls: readonly ComparedImpl[]): ComparedImpl[] {
  return impls.flatMap((impl) => [impl, ...impl.replicas ?? []]);
}

/** Returns what an implementation came to at a level of a run. */
export function levelIn({ levels, missing, name }: ComparedImpl, connections: number): ImplLevel {
  return levels.find((level) => level.connections === connections) ?? {
    connections,
    logRatios: [],
    isGeneratorBound: false,
    ratio: {
      missing: missing === undefined
        ? `${name} was not compared at ${formatInteger(connections)} connections`
        : `${name} ${missing}`,
    },
  };
}

/**
 * Returns the runs of the program that an implementation is in the newest of these, on whatever processor, the newest first.
 * Like {@linkcode seriesOf}, it ends where the program changes.
 */
export function programRuns(id: string, runs: readonly ComparedRun[]): Series {
  const found: ComparedImpl[] = [];
  for (const { impls } of runs) {
    const first = impls.find((impl) => impl.id === id);
    if (first === undefined) continue;
    const program = found[0] ?? first;
    if (!isSameProgram(program, first)) break;
    found.push(...replicasOf([first]).filter((impl) => isSameProgram(program, impl)));
  }
  return found;
}

/** Where one result names its sources and the other does not, nothing tells that they are the same. */
function isSameProgram({ versions: a }: ComparedImpl, { versions: b }: ComparedImpl): boolean {
  return versionChanges(a, b, ownParts).length === 0 &&
    (a.sources === undefined) === (b.sources === undefined);
}

/** Returns the runs that both are in; replicas in their order, each with one of the other's on the same kind of machine. */
export function sharedRuns(a: Series, b: Series): [ComparedImpl, ComparedImpl][] {
  const free = [...b];
  return a.flatMap((one): [ComparedImpl, ComparedImpl][] => {
    const place = free.findIndex((impl) => impl.runId === one.runId && isSameProcessor(one, impl));
    const [other] = place < 0 ? [] : free.splice(place, 1);
    return other === undefined ? [] : [[one, other]];
  });
}

/** Tells whether two were measured on one kind of machine. */
export function isSameProcessor(a: ComparedImpl, b: ComparedImpl): boolean {
  return processorOf(a) === processorOf(b);
}

/** Returns on what kind of machine an implementation was measured. */
export function processorOf({ conditions }: ComparedImpl): string {
  return machineOf(conditions);
}

/** What a run found on one machine. */
export interface Found {
  runId: string;
  ratio: RunRatio;
}

/** Returns what each of two or more runs found; nothing of a single run. */
export function runRatios(found: readonly Found[]): RunRatio[] {
  const byRun = ratiosByRun(found);
  return byRun.length < 2 ? [] : byRun.map(meanOfMachines);
}

/** Returns what each run found on each of its processors. */
export function ratiosByProcessor(found: readonly Found[]): RunRatio[] {
  return [...Map.groupBy(found, ({ ratio }) => ratio.processor).values()]
    .flatMap((ofOne) => ratiosByRun(ofOne).map(meanOfMachines));
}

/** Returns what the machines of each run found. */
export function ratiosByRun(found: readonly Found[]): RunRatio[][] {
  return [...Map.groupBy(found, ({ runId }) => runId).values()]
    .map((ofRun) => ofRun.map(({ ratio }) => ratio));
}

/** Returns what a series found at a level, the newest first. */
export function ratiosIn(series: Series, connections: number): Found[] {
  return series.flatMap((impl) =>
    ratioIn(impl, connections).map((ratio) => ({ runId: impl.runId, ratio }))
  );
}

/** Returns the ratio to the control of an implementation at a level; none where there is none. */
export function ratioIn(impl: ComparedImpl, connections: number): RunRatio[] {
  const ratio = valueOf(levelIn(impl, connections).ratio);
  return ratio === undefined ? [] : [{ ratio, processor: processorOf(impl) }];
}

/** Tells whether the load generator bounds an implementation at a level of any of its runs. */
export function isBoundIn(series: Series, connections: number): boolean {
  return series.some((impl) => levelIn(impl, connections).isGeneratorBound);
}

/** Returns how to read a ratio over a series, by each of its runs: none, one, or both, which no ratio over them can be. */
export function qualifiersIn(series: Series, connections: number): NonNullable<Qualifier>[] {
  const all = series.flatMap((impl) => levelIn(impl, connections).qualifier ?? []);
  return [...new Set(all)];
}

/** Returns the runs with only those that have the first one's scenario, profile and control, on whatever processor. */
export function alikeIn(runs: readonly ComparedRun[]): ComparedRun[] {
  const first = runs[0]?.impls.find(({ conditions }) => conditions.control !== undefined);
  if (first === undefined) return [];
  const { scenario, profile, control } = first.conditions;
  return runs.flatMap((run) => {
    const impls = run.impls.filter(({ conditions }) =>
      conditions.scenario === scenario && conditions.profile === profile &&
      conditions.control === control
    );
    return impls.length === 0 ? [] : [{ ...run, impls }];
  });
}
