/**
 * Startup: from spawning a cold process to its first correct answer, as a ratio to the control's, which started in turn,
 * and over all starts of an implementation.
 */
import type { Startup } from "../../results/protocols_schema.ts";
import { startsOf } from "../../results/startup.ts";
import { intervalText, proseNames, ratioTexts } from "../../results/words.ts";
import { median, type RatioInterval, verdict } from "../../statistics/mod.ts";

/** Startup as pages show it. */
export interface ShownStartup {
  /** How often each side was started. */
  runs: number;
  /** To the control's; absent with too few blocks of starts. */
  ratio?: RatioInterval;
  /** In the order of the starts. */
  seconds: number[];
  medianSeconds: number;
  leastSeconds: number;
  mostSeconds: number;
  controlMedianSeconds: number;
  medianMemoryBytes: number;
  artefactBytes?: number;
}

/** A link to an interpreter of the machine, whose size some published results take for the artefact's. */
const linkedInterpreter = /^\.venv\/bin\//;

/** Returns what pages show of the starts; `program` is the first word of the command that starts the server. */
export function showStartup(startup: Startup, program = ""): ShownStartup {
  const { seconds, memoryBytes } = startsOf(startup, "subject");
  return {
    runs: seconds.length,
    ratio: startup.ratio,
    seconds,
    medianSeconds: median(seconds),
    leastSeconds: Math.min(...seconds),
    mostSeconds: Math.max(...seconds),
    controlMedianSeconds: median(startsOf(startup, "control").seconds),
    medianMemoryBytes: median(memoryBytes),
    artefactBytes: linkedInterpreter.test(program) ? undefined : startup.artefactBytes,
  };
}

/** Returns the lowest and the highest ratio to the control, without the period; undefined without starts. */
export function startupFinding(
  results: { impl: { name: string }; startup?: ShownStartup }[],
): string | undefined {
  if (results.every(({ startup }) => startup === undefined)) return undefined;
  const called = proseNames(results.map(({ impl }) => impl.name));
  const ratios = results.flatMap(({ impl, startup }) =>
    startup?.ratio === undefined ? [] : [{ name: called.get(impl.name)!, ratio: startup.ratio }]
  ).sort((a, b) => a.ratio.estimate - b.ratio.estimate);
  const [first] = ratios;
  const last = ratios.at(-1);
  if (first === undefined || last === undefined) {
    return "Startup: an interval needs three blocks of starts";
  }
  const words = (ratio: RatioInterval) =>
    verdict(ratio) === "tied"
      ? `about as long as the control: no difference could be measured (${intervalText(ratio)})`
      : `${ratioTexts(ratio).estimate} times as long as the control (${intervalText(ratio)})`;
  const sentence = `To its first answer, ${first.name} took ${words(first.ratio)}`;
  return first === last ? sentence : `${sentence}; ${last.name} ${words(last.ratio)}`;
}
