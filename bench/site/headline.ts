/**
 * The headline: at one level of a run, who is faster than whom, who is tied, and by how much. In: a run from the API.
 * Out: what the home page and the feed show of it, as sentences and as numbers. If nothing was compared, single loads
 * stand in, and say so.
 */
import type { ApiImpl, ApiLevel, ApiRun } from "./api/schema.ts";
import { machineOf } from "./run_summary.ts";
import { comparedLevel } from "../results/plan.ts";
import {
  groupSentences,
  orderValue,
  type Ranked,
  standingOf,
  standingWords,
} from "../results/standing.ts";
import { intervalText, proseNames, ratioText } from "../results/words.ts";
import { inverse, verdict } from "../statistics/mod.ts";

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
  /** How much faster the first is than the first that it is sure to be faster than, in a sentence. */
  lead?: string;
  /** The highest first; without a figure in the end. */
  entries: HeadlineEntry[];
}

export interface HeadlineEntry extends Ranked, Pick<ApiImpl, "command"> {
  /** Place in `impls`. */
  order: number;
  /** Of one load; absent where the run has several kinds of processor. */
  goodputPerSecond?: number;
  /** Its standing; empty where it is in no pair. */
  words: string;
  /** Why there is no figure. */
  missing?: string;
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
    return [{
      class: name,
      sentences: groupSentences(entries),
      lead: leadOf(entries, run, connections),
      entries: entries.map((entry) => ({ ...entry, words: standingWords(entry, entries) })),
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

function entryOf(
  impl: ApiImpl,
  run: ApiRun,
  connections: number,
): Omit<HeadlineEntry, "words"> {
  const { id, name, command } = impl;
  const level = levelOf(impl, connections);
  const pairs = (run.pairs ?? []).filter((pair) => pair.connections === connections);
  const order = run.impls.map((impl) => ({ id: impl.id, ...measuredOf(impl, connections) }))
    .sort((a, b) => orderValue(b) - orderValue(a)).map(({ id }) => id);
  return {
    ...{ id, name, command, order: run.impls.indexOf(impl) },
    ...measuredOf(impl, connections),
    // Rates of different processors do not compare: not in one table either.
    goodputPerSecond: machinesOf(run).length === 1 ? level?.goodputPerSecond : undefined,
    ...standingOf(id, pairs, order),
    missing: level === undefined
      ? "not measured at this level"
      : level.missing ?? (level.ratio === undefined ? level.ratioMissing : undefined),
  };
}

function measuredOf(impl: ApiImpl, connections: number) {
  const { ratio, isGeneratorBound = false, tieGroups: groups = [] } = levelOf(impl, connections) ??
    {};
  return { ratio, isGeneratorBound, groups };
}

function machinesOf({ impls }: ApiRun): string[] {
  return [...new Set(impls.map(({ machine }) => machineOf(machine)))];
}

function valueOf(
  entry: Omit<HeadlineEntry, "words">,
  isCompared: boolean,
): number {
  return isCompared ? orderValue(entry) : entry.goodputPerSecond ?? 0;
}

/** Goodput over goodput; over machines that differ, only the ratios to the control. */
function leadOf(
  entries: Omit<HeadlineEntry, "words">[],
  run: ApiRun,
  connections: number,
): string | undefined {
  const [first] = entries;
  const over = entries.find(({ id }) => id === first?.fasterThan[0]);
  if (first === undefined || over === undefined) return undefined;
  const pair = run.pairs?.find(({ connections: at, a, b }) =>
    at === connections && [a, b].includes(first.id) && [a, b].includes(over.id)
  );
  if (pair === undefined) return undefined;
  const ratio = pair.a === first.id ? pair.ratio : inverse(pair.ratio);
  const times = `${first.isGeneratorBound ? "at least " : ""}${ratioText(ratio.estimate)} times`;
  const names = proseNames(entries.map(({ name }) => name));
  const [winner, loser] = [first, over].map(({ name }) => names.get(name));
  return (machinesOf(run).length > 1
    ? `${winner}’s ratio to the control is ${times} that of ${loser}`
    : `${winner} answered ${times} as many requests as ${loser}`) +
    ` (${intervalText(ratio)}).`;
}
