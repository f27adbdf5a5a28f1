/**
 * How did goodput rise after a fresh process began to answer? In: all results of a run. Out: for each
 * implementation and level, the curve and the figures that are read off it: `warm-ups/<run-id>.json`. Only one
 * page in many shows it, so it is a file of its own.
 */
import { outcomeOf } from "../results/outcome.ts";
import type { Level, Result } from "../results/result_schema.ts";
import { seriesIntervalSeconds, type WarmUpFigures } from "../statistics/mod.ts";

/** Goodput over the time of one load. */
export interface WarmUpCurve extends WarmUpFigures {
  connections: number;
  /** What each point is the mean of. */
  intervalSeconds: number;
  /** Seconds from the first measured request to the middle of the interval, and goodput per second. */
  points: [seconds: number, perSecond: number][];
}

/** At most so many points tell how a load went. */
const mostPoints = 120;

/** Returns the curves of every implementation that has a valid level, by its id; levels ascend. */
export function deriveWarmUps(results: Result[]): Record<string, WarmUpCurve[]> {
  return Object.fromEntries(
    results.map(({ impl, levels }) => [impl.id, levels.flatMap(curveOf)] as const)
      .filter(([, curves]) => curves.length > 0)
      .map(([id, curves]) => [id, curves.sort((a, b) => a.connections - b.connections)]),
  );
}

function curveOf(level: Level): WarmUpCurve[] {
  const outcome = outcomeOf(level);
  if ("missing" in outcome) return [];
  const { figures, observation: { series: { correct }, durationSeconds } } = outcome.value;
  // The last interval ends with the load, and is shorter than it says.
  const whole = correct.slice(0, Math.floor(durationSeconds / seriesIntervalSeconds));
  if (whole.length < 2) return [];
  const size = Math.ceil(whole.length / mostPoints);
  const { firstSecondPerSecond, steadyPerSecond, secondsToSteady, requestsToSteady } = figures;
  return [{
    connections: level.connections,
    intervalSeconds: size * seriesIntervalSeconds,
    points: pointsOf(whole, size),
    firstSecondPerSecond,
    steadyPerSecond,
    secondsToSteady,
    requestsToSteady,
  }];
}

/** Returns a point for every so many intervals; what is left over at the end is too short for one. */
function pointsOf(correct: number[], size: number): WarmUpCurve["points"] {
  const width = size * seriesIntervalSeconds;
  return Array.from({ length: Math.floor(correct.length / size) }, (_, index) => {
    const counts = correct.slice(index * size, (index + 1) * size);
    return [(index + 0.5) * width, counts.reduce((total, count) => total + count, 0) / width];
  });
}
