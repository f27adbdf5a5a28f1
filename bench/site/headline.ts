/**
 * The answer in ten seconds: at one level of a run, who is faster than whom, who is tied, by how much and how
 * sure. In: a run as it is published. Out: what the home page and the feed say of it, in words without numbers and
 * in numbers without words. Where nothing was compared, one load of each stands in, and says so.
 */
import type { ApiImpl, ApiLevel, ApiRun } from "./api/schema.ts";
import { groupSentences, type Standing, standingWords } from "./headline_words.ts";
import { machineOf } from "./run_summary.ts";
import { comparedLevel } from "../results/plan.ts";
import { inverse, type RatioInterval, verdict } from "../statistics/mod.ts";

export interface Headline extends
  Pick<
    ApiRun,
    "id" | "startedAt" | "scenario" | "profile" | "commit" | "marks"
  > {
  /** Processors, and how many; several where implementations were measured on different ones. */
  machines: string[];
  /** Ids of all implementations, in alphabetical order: a place in it is the shape of a mark. */
  impls: string[];
  /** Ids of those that failed, wherever that was. */
  failed: string[];
  connections: number;
  /** How many have a ratio to the control, and of how many its whole interval is above 1. */
  ratios: { count: number; aboveControl: number };
  /** Those that have an implementation, standard first. */
  classes: HeadlineClass[];
}

export interface HeadlineClass {
  class: ApiImpl["class"];
  /** One for each group of implementations that are tied, the fastest first; none without ratios. */
  sentences: string[];
  /** How much faster the first is than the first that it is sure to be faster than. */
  lead?: { id: string; over: string; ratio: RatioInterval; isGeneratorBound: boolean };
  /** The highest first; without a figure in the end. */
  entries: HeadlineEntry[];
}

export interface HeadlineEntry extends Pick<ApiImpl, "id" | "name" | "command">, Standing {
  /** Place in `impls`. */
  order: number;
  ratio?: RatioInterval;
  /** Of one load; absent where the run has several kinds of processor. */
  goodputPerSecond?: number;
  isGeneratorBound: boolean;
  /** Letters: two that share one are tied. */
  groups: string[];
  /** Its standing; empty where it is in no pair. */
  words: string;
  /** Why there is no figure. */
  problem?: string;
}

/** Returns the headline of a run. */
export function headlineOf(run: ApiRun): Headline {
  const { id, startedAt, scenario, profile, commit, marks } = run;
  const machines = machinesOf(run);
  const connections = headlineLevel(run);
  const impls = run.impls.map(({ id }) => id);
  const ratios = run.impls.flatMap((impl) => levelOf(impl, connections)?.ratio ?? []);
  const classes = (["standard", "tuned"] as const).flatMap((name) => {
    const ofClass = run.impls.filter((impl) => impl.class === name);
    if (ofClass.length === 0) return [];
    const entries = ofClass.map((impl) => entryOf(impl, run, connections)).sort(
      (a, b) => valueOf(b, ratios.length > 0) - valueOf(a, ratios.length > 0),
    );
    const lead = leadOf(entries, run, connections);
    return [{
      class: name,
      sentences: groupSentences(entries),
      ...(lead === undefined ? {} : { lead }),
      entries,
    }];
  });
  return {
    ...{ id, startedAt, scenario, profile, machines, commit, marks },
    failed: run.impls.filter(({ status }) => status === "failed").map(({ id }) => id),
    ratios: {
      count: ratios.length,
      aboveControl: ratios.filter((ratio) => verdict(ratio) === "faster").length,
    },
    ...{ impls, connections, classes },
  };
}

/** The level at which two are compared elsewhere, too; where it has no ratio, the lowest that has; else the lowest. */
function headlineLevel({ impls }: ApiRun): number {
  const levels = impls.flatMap((impl) => impl.levels);
  const [first = comparedLevel] = [
    levels.filter(({ ratio }) => ratio !== undefined),
    levels.filter(({ goodputPerSecond }) => goodputPerSecond !== undefined),
    levels,
  ].filter((some) => some.length > 0).map((some) => {
    const connections = some.map((level) => level.connections);
    return connections.includes(comparedLevel) ? comparedLevel : Math.min(...connections);
  });
  return first;
}

function levelOf(impl: ApiImpl, connections: number): ApiLevel | undefined {
  return impl.levels.find((level) => level.connections === connections);
}

function entryOf(impl: ApiImpl, run: ApiRun, connections: number): HeadlineEntry {
  const { id, name, command } = impl;
  const level = levelOf(impl, connections);
  const standing = standingOf(id, run, connections);
  const others = run.impls.filter((other) => other.class === impl.class && other !== impl);
  const compared =
    others.filter((other) => levelOf(other, connections)?.ratio !== undefined).length;
  // Rates of different processors do not compare: not in one table either.
  const goodputPerSecond = machinesOf(run).length === 1 ? level?.goodputPerSecond : undefined;
  const problem = problemOf(level);
  return {
    ...{ id, name, command, order: run.impls.indexOf(impl) },
    ...(level?.ratio === undefined ? {} : { ratio: level.ratio }),
    ...(goodputPerSecond === undefined ? {} : { goodputPerSecond }),
    isGeneratorBound: level?.isGeneratorBound ?? false,
    groups: level?.tieGroups ?? [],
    ...standing,
    words: standingWords(standing, { all: others.length, compared }),
    ...(problem === undefined ? {} : { problem }),
  };
}

function machinesOf({ impls }: ApiRun): string[] {
  return [...new Set(impls.map(({ machine }) => machineOf(machine)))];
}

function problemOf(level: ApiLevel | undefined): string | undefined {
  if (level === undefined) return "not measured at this level";
  return level.invalid?.join("; ") ?? (level.ratio === undefined ? level.notCompared : undefined);
}

/** Returns whom an implementation is tied with, faster and slower than, the highest ratio first. */
function standingOf(
  id: string,
  { pairs = [], impls }: ApiRun,
  connections: number,
): Standing {
  const against = pairs.filter((pair) => pair.connections === connections)
    .flatMap(({ a, b, verdict }) => {
      if (a === id) return [{ other: b, verdict }];
      return b === id ? [{ other: a, verdict: opposite[verdict] }] : [];
    });
  const ratioOf = (wanted: string) => {
    const impl = impls.find(({ id }) => id === wanted);
    return (impl && levelOf(impl, connections)?.ratio?.estimate) ?? 0;
  };
  const ids = (wanted: keyof typeof opposite) =>
    against.filter(({ verdict }) => verdict === wanted).map(({ other }) => other)
      .sort((a, b) => ratioOf(b) - ratioOf(a));
  return { tiedWith: ids("tied"), fasterThan: ids("faster"), slowerThan: ids("slower") };
}

const opposite = { faster: "slower", slower: "faster", tied: "tied" } as const;

function valueOf({ ratio, goodputPerSecond }: HeadlineEntry, isCompared: boolean): number {
  return (isCompared ? ratio?.estimate : goodputPerSecond) ?? 0;
}

function leadOf(
  entries: HeadlineEntry[],
  { pairs = [] }: ApiRun,
  connections: number,
): HeadlineClass["lead"] {
  const [first] = entries;
  const [over] = first?.fasterThan ?? [];
  if (first === undefined || over === undefined) return undefined;
  const pair = pairs.find((pair) =>
    pair.connections === connections && [pair.a, pair.b].includes(first.id) &&
    [pair.a, pair.b].includes(over)
  );
  if (pair === undefined) return undefined;
  return {
    id: first.id,
    over,
    ratio: pair.a === first.id ? pair.ratio : inverse(pair.ratio),
    isGeneratorBound: first.isGeneratorBound,
  };
}
