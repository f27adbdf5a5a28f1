/**
 * An archive of made-up runs, to learn how the site grows: results with every part, whose figures drift a little
 * from run to run; now and then the machine changes, an implementation fails, or a level is invalid.
 */
import { join } from "@std/path";
import { scenarioIds } from "../../scenario/ids.ts";
import { defaultLevels } from "../../results/profiles.ts";
import { createRandom } from "../../lib/random.ts";
import type { Level, Repetition, Result } from "../../results/result_schema.ts";
import type { ComparedLevel } from "../../results/comparison_schema.ts";
import { exampleComparedLevel, exampleRun } from "../example_run.ts";
import { newRunId } from "../../results/store.ts";

/** How large an archive is. */
export interface ArchiveSize {
  runs: number;
  impls: number;
  /** How many scenarios take turns. */
  scenarios: number;
}

const dayMs = 24 * 60 * 60 * 1000;
const seriesLength = 200;

/** Writes the runs into a folder, a day apart, as published runs are. */
export async function writeArchive(
  folder: string,
  { runs, impls, scenarios }: ArchiveSize,
): Promise<void> {
  const random = createRandom(1);
  const models = Array.from({ length: impls }, (_, index) => modelResult(index));
  for (let run = 0; run < runs; run++) {
    const startedAt = new Date(Date.UTC(2027, 0, 1) + run * dayMs);
    const scenario = scenarioIds[run % Math.min(scenarios, scenarioIds.length)]!;
    const commit = run.toString(16).padStart(40, "0");
    const runId = newRunId(startedAt, commit.slice(-7));
    await Deno.mkdir(join(folder, runId), { recursive: true });
    for (const [index, model] of models.entries()) {
      const drift = 1 + 0.04 * (random() - 0.5);
      const result = (run + index) % 97 === 0
        ? failed(model)
        : (run + index) % 53 === 0
        ? withInvalidLevel(withDrift(model, drift))
        : withDrift(model, drift);
      const text = JSON.stringify({
        ...result,
        runId,
        scenario,
        startedAt: startedAt.toISOString(),
        provenance: { ...result.provenance, commit },
        machine: { ...result.machine, cpuModel: `Example CPU ${1 + Math.floor(run / 300)}` },
      });
      await Deno.writeTextFile(join(folder, runId, `${model.impl.id}.json`), text);
    }
  }
}

function modelResult(index: number): Result {
  const examples = exampleRun("20270101T000000Z-0000000");
  const example = examples[index % examples.length]!;
  const id = `${example.impl.id}-${index}`;
  const [level] = example.levels;
  const levels = defaultLevels.map((connections): Level => ({
    ...level!,
    connections,
    repetitions: level!.repetitions.map(withLongSeries),
  }));
  const compared = defaultLevels.map((connections, position): ComparedLevel =>
    exampleComparedLevel({ ratio: 0.4 + 0.15 * index, seed: 10 * index + position, connections })
  );
  return {
    ...example,
    impl: { ...example.impl, id, name: `${example.impl.name} ${index}` },
    plan: { ...example.plan, profile: "full", levels: [...defaultLevels] },
    ceilings: defaultLevels.map((connections) => ({ ...example.ceilings![0]!, connections })),
    levels,
    comparison: { ...example.comparison!, levels: compared },
  };
}

function withLongSeries(repetition: Repetition): Repetition {
  const { observation } = repetition;
  if (observation === undefined) return repetition;
  const series = {
    intervalSeconds: 0.25,
    correct: Array.from({ length: seriesLength }, (_, index) => 900 + (index * 37) % 200),
    failed: new Array<number>(seriesLength).fill(0),
  };
  return { ...repetition, observation: { ...observation, series } };
}

function withDrift(result: Result, drift: number): Result {
  return {
    ...result,
    comparison: {
      ...result.comparison!,
      levels: result.comparison!.levels.map((level) => ({
        ...level,
        goodput: {
          ...level.goodput!,
          estimate: level.goodput!.estimate * drift,
          low: level.goodput!.low * drift,
          high: level.goodput!.high * drift,
        },
        rounds: level.rounds.map((round) => ({
          ...round,
          subject: { ...round.subject, correct: Math.round(round.subject.correct * drift) },
        })),
      })),
    },
  };
}

function withInvalidLevel(result: Result): Result {
  const [level, ...others] = result.levels;
  const repetitions = level!.repetitions.map(({ figures: _, ...repetition }): Repetition => ({
    ...repetition,
    validity: {
      valid: false,
      reasons: [{ code: "swapping", message: "the machine swapped 4,096 bytes, expected none" }],
    },
  }));
  const { frame: _, ...unframed } = level!;
  return { ...result, levels: [{ ...unframed, repetitions }, ...others] };
}

function failed(model: Result): Result {
  const { comparison: _, rateSweep: __, startup: ___, ceilings: ____, ...rest } = model;
  return {
    ...rest,
    status: "failed",
    failure: {
      stage: "build",
      message: "exit code is 1, expected 0",
      detail: "error: no such file",
    },
    levels: [],
  };
}
