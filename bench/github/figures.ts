/**
 * Figures: what of a result is followed from run to run? Gives each as one number with a name that is the same
 * in every run; what is absent, invalid, or bound by the load generator is left out.
 */
import { comparedAt, isGeneratorBound } from "../derive_ratio.ts";
import { eraOf } from "../era.ts";
import { lastRepetition, type Level, type Result } from "../schema.ts";
import type { Ladder, Startup } from "../schema_protocols.ts";
import { median } from "../statistics.ts";

export type Direction = "bigger" | "smaller";

/** One number of one result. */
export interface Figure {
  /** Tells it from every other figure of a run. */
  name: string;
  /** The direction that is better. */
  direction: Direction;
  /** Positive. */
  value: number;
  unit: string;
  /** Half of the interval's width, in the same unit; absent where there is no interval. */
  halfWidth?: number;
}

/** How many earlier values a figure is held against. */
export const historyLength = 20;

/** Returns the figures of a result; none of one that is not complete. */
export function figuresOf(result: Result): Figure[] {
  const { status, impl, levels, comparison, ladder, startup } = result;
  if (status !== "complete") return [];
  return [
    ...(comparison?.levels ?? []).flatMap(({ connections }) => ratioAt(result, connections)),
    ...(ladder === undefined ? [] : ladderFigures(ladder)),
    ...levels.filter(({ connections }) => !isGeneratorBound(result, connections))
      .flatMap(levelFigures),
    ...(startup === undefined ? [] : startupFigures(startup)),
  ]
    // What was too short to be counted is 0, and no ratio to it says anything.
    .filter(({ value }) => value > 0)
    .map((figure) => ({ ...figure, name: `${impl.id}: ${figure.name}` }));
}

function ratioAt(result: Result, connections: number): Figure[] {
  const compared = comparedAt(result, connections);
  if ("missing" in compared || isGeneratorBound(result, connections)) return [];
  const { goodput } = compared.value;
  if (goodput === undefined) return [];
  return [{
    name: `goodput at ${connections} connections`,
    direction: "bigger",
    value: goodput.estimate,
    unit: "times the control",
    halfWidth: (goodput.high - goodput.low) / 2,
  }];
}

function ladderFigures({ capacityPerSecond, rungs }: Ladder): Figure[] {
  const capacity: Figure[] = capacityPerSecond === undefined ? [] : [{
    name: "capacity within the goal",
    direction: "bigger",
    value: capacityPerSecond,
    unit: "requests/s",
  }];
  // Beyond what it holds, latency grows for as long as the load lasts.
  const latencies = rungs.flatMap(({ ratePerSecond, holds, latencySeconds }): Figure[] =>
    !holds || latencySeconds === undefined ? [] : [{
      name: `p99 at ${ratePerSecond} requests/s`,
      direction: "smaller",
      value: latencySeconds.p99 * 1e3,
      unit: "ms",
    }]
  );
  return [...capacity, ...latencies];
}

function levelFigures(level: Level): Figure[] {
  const { validity, observation } = lastRepetition(level);
  const subject = observation?.resources?.subject;
  if (!validity.valid || subject === undefined) return [];
  const at = `at ${level.connections} connections`;
  return [
    ...(subject.cpuSecondsPerAnswer === undefined ? [] : [{
      name: `CPU time for an answer ${at}`,
      direction: "smaller" as const,
      value: subject.cpuSecondsPerAnswer * 1e6,
      unit: "us",
    }]),
    {
      name: `peak memory ${at}`,
      direction: "smaller",
      value: subject.peakMemoryBytes / 1024 ** 2,
      unit: "MiB",
    },
  ];
}

function startupFigures({ subject }: Startup): Figure[] {
  return subject.seconds.length === 0 ? [] : [{
    name: "startup",
    direction: "smaller",
    value: median(subject.seconds) * 1e3,
    unit: "ms",
  }];
}

/**
 * Returns, for each figure of a result that was measured before, its values in the last earlier runs of the
 * same era that have it: 20 at most, the oldest first.
 */
export function earlierValues(result: Result, history: Result[]): Map<string, number[]> {
  const era = eraOf(result);
  const values = new Map<string, number[]>();
  if (era === undefined) return values;
  const names = new Set(figuresOf(result).map(({ name }) => name));
  const earlier = history
    // A run's id begins with its start.
    .filter(({ runId, impl }) => runId < result.runId && impl.id === result.impl.id)
    .filter((other) => eraOf(other) === era)
    .sort((a, b) => a.runId < b.runId ? -1 : 1);
  for (const { name, value } of earlier.flatMap(figuresOf)) {
    if (names.has(name)) values.set(name, [...values.get(name) ?? [], value].slice(-historyLength));
  }
  return values;
}
