/**
 * The control by itself: how far its own rate spreads within a run, where nothing about it changes, and what that says of
 * other figures. In: the results of a run. Out: `data/control.json`, a sentence for pages of runs, and CPU times. Each
 * implementation is compared with fresh processes of the control, so a run has as many rates of it as implementations.
 */
import type { Result } from "../results/result_schema.ts";
import type { CurrentRun } from "./current_run.ts";
import { machineNames } from "./run_summary.ts";
import type { Known } from "../results/known.ts";
import { comparedAt, comparedLevels } from "../results/compared.ts";
import { median, ratioInterval } from "../statistics/mod.ts";
import { type ComparedSide, counted, goodputOf } from "../results/comparison_schema.ts";
import { proseNames } from "../results/words.ts";
import { threeDigits } from "./three_digits.ts";

/** The control's rates in a run. */
export interface ControlOfRun {
  scenario: string;
  runId: string;
  commit: string;
  version: string;
  machine: string;
  /** In ascending order of connections. */
  levels: ControlLevel[];
}

/** Correct answers per second of warm processes of the control, beside one implementation after the other. */
export interface ControlLevel {
  connections: number;
  /** How many rates. */
  rates: number;
  lowest: number;
  median: number;
  highest: number;
  /** The highest over the lowest. */
  spread: number;
}

/** Returns the rates of the control in each run; a run with several machines or versions of it has none. */
export function deriveControl(current: readonly CurrentRun[]): ControlOfRun[] {
  return current.flatMap(({ api, results }) => {
    const [version] = versionsOf(results);
    if (version === undefined || !areAlike(results)) return [];
    const { scenario, id: runId, commit } = api;
    return [{
      scenario,
      runId,
      commit,
      version,
      machine: machineNames(results)[0]!,
      levels: levelsOf(results),
    }];
  });
}

/** Whether rates and times of the control compare: of one kind of machine, and of one version. */
function areAlike(results: readonly Result[]): boolean {
  return machineNames(results).length === 1 && versionsOf(results).length === 1;
}

function versionsOf(results: readonly Result[]): string[] {
  return [...new Set(results.flatMap(({ control }) => control?.version ?? []))];
}

/** A figure of the control beside an implementation, with the interval over the rounds that count. */
interface ControlFigure {
  name: string;
  estimate: number;
  low: number;
  high: number;
}

/**
 * Returns a figure of the control at a level, goodput by default, the lowest first; whether the implementation's comparison
 * is valid does not matter.
 */
function controlAt(
  results: readonly Result[],
  connections: number,
  { figureOf = goodputOf, confidence }: {
    figureOf?: (side: ComparedSide) => number | undefined;
    /** Of each interval; 95 % by default. */
    confidence?: number;
  } = {},
): ControlFigure[] {
  return results.flatMap(({ impl: { name }, comparison }) => {
    const level = comparison?.levels.find((level) => level.connections === connections);
    const figures = counted(level?.rounds ?? []).flatMap(({ reference }) =>
      figureOf(reference) ?? []
    );
    const interval = ratioInterval(figures.map(Math.log), confidence);
    return interval === undefined ? [] : [{ name, ...interval }];
  }).sort((a, b) => a.estimate - b.estimate);
}

function connectionsOf(results: readonly Result[]): number[] {
  return [...new Set(results.flatMap(comparedLevels))].sort((a, b) => a - b);
}

function levelsOf(results: readonly Result[]): ControlLevel[] {
  return connectionsOf(results).flatMap((connections) => {
    const rates = controlAt(results, connections).map(({ estimate }) => estimate);
    if (rates.length < 2) return [];
    const [lowest, highest] = [rates[0]!, rates.at(-1)!];
    return [{
      connections,
      rates: rates.length,
      lowest,
      median: median(rates),
      highest,
      spread: highest / lowest,
    }];
  });
}

/** From how much on a spread is named: less hardly matters beside the intervals of ratios. */
const notableSpread = 1.1;

/**
 * Says how much the speed of a run's machine changed from one implementation to another, without capital and period, at
 * the level where it did most; undefined where the control's rates hardly differ or their intervals overlap, and
 * where they do not compare.
 */
export function speedText(results: readonly Result[]): string | undefined {
  if (!areAlike(results)) return undefined;
  const levels = connectionsOf(results);
  // Bonferroni: of many rates, the lowest and the highest are apart by chance far more often than any two.
  const confidence = 1 - 0.05 / (results.length * levels.length);
  const [widest] = levels.flatMap((connections) => {
    const rates = controlAt(results, connections, { confidence });
    const [lowest, highest] = [rates[0], rates.at(-1)];
    if (lowest === undefined || highest === undefined || highest.low <= lowest.high) return [];
    return [{ connections, lowest, highest, spread: highest.estimate / lowest.estimate }];
  }).filter(({ spread }) => spread >= notableSpread).sort((a, b) => b.spread - a.spread);
  if (widest === undefined) return undefined;
  const names = proseNames(results.map(({ impl }) => impl.name));
  const [lowest, highest] = [widest.lowest, widest.highest].map(({ name, estimate }) =>
    `${threeDigits(estimate)} requests/s beside ${names.get(name)}`
  );
  return `the control’s speed changed: in the comparisons at ${widest.connections} connections, the control answered ${lowest} and ${highest}`;
}

/**
 * Returns what gives the warm CPU seconds per answer of each result, as if the machine had been equally fast for all: the
 * same work takes longer while something else uses the processor. Each is the ratio to the control's time in the same
 * rounds, multiplied by the control's median time over all results; the interval is that of the ratio.
 */
export function cpuAtEvenSpeed(
  results: readonly Result[],
  connections: number,
): (result: Result) => Known<{ estimate: number; low: number; high: number }> {
  const controls = controlAt(results, connections, {
    figureOf: (side) => side.cpuSecondsPerAnswer,
  }).map(({ estimate }) => estimate);
  if (controls.length === 0 || !areAlike(results)) return () => ({ missing: notCompared });
  const seconds = median(controls);
  return (result) => {
    const compared = comparedAt(result, connections);
    if ("missing" in compared) return compared;
    const ratio = compared.value.cpuPerAnswer;
    if (ratio === undefined) return { missing: notCompared };
    const [estimate, low, high] = [ratio.estimate, ratio.low, ratio.high]
      .map((factor) => seconds * factor) as [number, number, number];
    return { value: { estimate, low, high } };
  };
}

const notCompared = "its CPU time was not compared with the control’s";
