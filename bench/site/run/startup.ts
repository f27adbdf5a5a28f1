/** Startup: from spawning a cold process to its first correct answer, over all starts of an implementation. */
import { millisecondsText } from "./words.ts";
import type { Startup } from "../../results/protocols_schema.ts";
import { median } from "../../statistics/mod.ts";

/** Startup as pages show it. */
export interface ShownStartup {
  runs: number;
  /** In the order of the starts. */
  seconds: number[];
  medianSeconds: number;
  leastSeconds: number;
  mostSeconds: number;
  controlMedianSeconds?: number;
  medianMemoryBytes?: number;
  artefactBytes?: number;
}

/** Returns what pages show of the starts. */
export function showStartup({ runs, subject, control, artefactBytes }: Startup): ShownStartup {
  const { seconds, memoryBytes } = subject;
  return {
    runs,
    seconds,
    medianSeconds: median(seconds),
    leastSeconds: Math.min(...seconds),
    mostSeconds: Math.max(...seconds),
    controlMedianSeconds: medianOf(control.seconds),
    medianMemoryBytes: medianOf(memoryBytes),
    artefactBytes,
  };
}

function medianOf(values: number[]): number | undefined {
  return values.length === 0 ? undefined : median(values);
}

/** Returns who starts the fastest and the slowest, without the period; undefined without starts. */
export function startupFinding(
  results: { impl: { name: string }; startup?: ShownStartup }[],
): string | undefined {
  const medians = results.flatMap(({ impl: { name }, startup }) =>
    startup === undefined ? [] : [{ name, seconds: startup.medianSeconds }]
  ).sort((a, b) => a.seconds - b.seconds);
  const [first] = medians;
  const last = medians.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const sentence = `${first.name} answered ${
    millisecondsText(first.seconds)
  } ms after its start (median)`;
  return first === last
    ? sentence
    : `${sentence}, ${last.name} after ${millisecondsText(last.seconds)} ms`;
}
