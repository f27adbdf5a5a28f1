/**
 * Cold start: goodput over time of a fresh process, in the cold load. In: all results of a run. Out: the curve and its
 * figures for each implementation and level: `assets/warm-ups/<run-id>.json`, a separate file, because few pages show it.
 */
import { digitsText } from "../../site/assets/step_text.js";
import { sum } from "../lib/sum.ts";
import { capitalise, list } from "../results/words.ts";
import { coldStartAt } from "../results/goodput.ts";
import { valueOf } from "../results/known.ts";
import { outcomeOf } from "../results/outcome.ts";
import type { Level, Result } from "../results/result_schema.ts";
import { seriesIntervalSeconds, type WarmUpFigures } from "../statistics/mod.ts";

/** Goodput over the time of one load. */
export interface WarmUpCurve extends WarmUpFigures {
  connections: number;
  /** The share of warm goodput may be 100 %: what the curve does is then no warming up. */
  isAsFastAsWarm: boolean;
  /** What each point is the mean of. */
  intervalSeconds: number;
  /** Seconds from the first measured request to the middle of the interval, and goodput per second. */
  points: [seconds: number, perSecond: number][];
}

/** The curves of one implementation, and what they show. */
export interface WarmUps {
  /** How long it took to become steady, in a sentence without its period. */
  finding: string;
  /** What points are the mean of: `0.25` or `0.25 to 0.5` seconds. */
  intervals: string;
  /** Levels ascend. */
  curves: WarmUpCurve[];
}

/** Maximum number of points of a curve. */
const mostPoints = 120;

/** Returns the curves of every implementation that has a valid level, by its id. */
export function deriveWarmUps(results: Result[]): Record<string, WarmUps> {
  return Object.fromEntries(
    results.map((result) =>
      [result.impl.id, result.levels.flatMap((level) => curveOf(result, level))] as const
    )
      .filter(([, curves]) => curves.length > 0)
      .map(([id, curves]) => [id, warmUpsOf(curves)]),
  );
}

function warmUpsOf(curves: WarmUpCurve[]): WarmUps {
  return {
    finding: findingOf(curves),
    intervals: rangeText(curves.map(({ intervalSeconds }) => intervalSeconds)),
    curves: curves.toSorted((a, b) => a.connections - b.connections),
  };
}

/** Names no time until steady where a warm load may be as slow: noise has such times, too. */
function findingOf(curves: WarmUpCurve[]): string {
  const asFast = curves.filter(({ isAsFastAsWarm }) => isAsFastAsWarm);
  const slower = curves.filter(({ isAsFastAsWarm }) => !isAsFastAsWarm);
  const steady = slower.filter(({ secondsToSteady }) => secondsToSteady !== undefined);
  const never = slower.filter(({ secondsToSteady }) => secondsToSteady === undefined);
  const times = steady.flatMap(({ secondsToSteady }) => secondsToSteady ?? []);
  const since = Math.max(...times) === 0
    ? "steady from the first second"
    : `steady after ${rangeText(times)} s`;
  const said: [text: string, curves: WarmUpCurve[]][] = [
    [since, steady],
    ["no steady state", never],
    ["no cost of the cold start was measured", asFast],
  ];
  const parts = said.flatMap(([text, those]) =>
    those.length === 0 ? [] : [`${text} at ${levelsOf(those)}`]
  );
  return capitalise(parts.join("; "));
}

function levelsOf(curves: WarmUpCurve[]): string {
  return `${list(curves.map(({ connections }) => connections).sort((a, b) => a - b))} connections`;
}

function rangeText(values: number[]): string {
  const [low, high] = [Math.min(...values), Math.max(...values)].map((value) => digitsText(value));
  return low === high ? low! : `${low} to ${high}`;
}

function curveOf(result: Result, level: Level): WarmUpCurve[] {
  const outcome = outcomeOf(level);
  if ("missing" in outcome) return [];
  const { figures, observation: { series: { correct }, durationSeconds } } = outcome.value;
  // The last interval ends with the load, and is shorter than it says.
  const whole = correct.slice(0, Math.floor(durationSeconds / seriesIntervalSeconds));
  if (whole.length < 2) return [];
  const size = Math.ceil(whole.length / mostPoints);
  const { firstSecondPerSecond, steadyPerSecond, secondsToSteady, requestsToSteady } = figures;
  const coldStart = valueOf(coldStartAt(result, level.connections));
  return [{
    connections: level.connections,
    isAsFastAsWarm: coldStart !== undefined && coldStart.high >= 1,
    intervalSeconds: size * seriesIntervalSeconds,
    points: pointsOf(whole, size),
    firstSecondPerSecond,
    steadyPerSecond,
    secondsToSteady,
    requestsToSteady,
  }];
}

/** Returns a point for every n intervals; the rest at the end is too short for one. */
function pointsOf(correct: number[], size: number): WarmUpCurve["points"] {
  const width = size * seriesIntervalSeconds;
  return Array.from({ length: Math.floor(correct.length / size) }, (_, index) => {
    const counts = correct.slice(index * size, (index + 1) * size);
    return [(index + 0.5) * width, sum(counts) / width];
  });
}
