/**
 * Benchmark data: runs as github-action-benchmark (1.22) reads them. Takes a run and all that were published
 * before; gives, for either direction, its input and a baseline as external data. The action compares with one
 * entry only, and replaces what it cannot read by nothing: so the baseline is made from many, recomputed for
 * every run, and never saved by the action (`save-data-file: false`).
 */
import { join } from "@std/path";
import { z } from "zod";
import { writeAtomically } from "../../lib/write_atomically.ts";
import type { Direction } from "../figure.ts";
import {
  baselineOf as baselineOfOne,
  earlierFigures,
  type Followed,
  historyLength,
  type ImplInScenario,
} from "../figures.ts";
import { readFollowed } from "../followed.ts";
import type { RunIds } from "../run_ids.ts";

const text = z.string().min(1);

const benchmarkSchema = z.strictObject({
  name: text,
  // The action divides by it, and reads null and "" as 0.
  value: z.number().positive(),
  unit: text,
  range: z.string().regex(/^± \d.+$/, "expected what the action reads, like ± 0.02").optional(),
  extra: text.optional(),
});

/** The action's input, of the tools `customBiggerIsBetter` and `customSmallerIsBetter`; it fails on an empty list. */
export const benchmarksSchema = z.array(benchmarkSchema).refine(
  (benchmarks) => new Set(benchmarks.map(({ name }) => name)).size === benchmarks.length,
  { message: "names must be unique: the action compares with the first of a name" },
);

const personSchema = z.strictObject({
  name: text,
  username: text,
  email: z.string().optional(),
});

const entrySchema = z.strictObject({
  commit: z.strictObject({
    author: personSchema,
    committer: personSchema,
    distinct: z.unknown().optional(),
    id: text,
    message: text,
    timestamp: text,
    tree_id: z.unknown().optional(),
    url: z.url(),
  }),
  date: z.number().int().nonnegative(),
  tool: z.enum(["customBiggerIsBetter", "customSmallerIsBetter"]),
  benches: benchmarksSchema,
});

/** The action's external data: what `external-data-json-path` names, pure JSON. */
export const externalDataSchema = z.strictObject({
  lastUpdate: z.number().int().nonnegative(),
  repoUrl: z.string(),
  entries: z.record(text, z.array(entrySchema)),
});

export type ActionBenchmark = z.infer<typeof benchmarkSchema>;
export type ExternalData = z.infer<typeof externalDataSchema>;

/** The action's `tool`, for each direction: one step has one. */
export const tools = {
  bigger: "customBiggerIsBetter",
  smaller: "customSmallerIsBetter",
} as const satisfies Record<Direction, string>;

/** The action's `name`, for each direction: under it, the baseline is found. */
export const suiteNames: Record<Direction, string> = {
  bigger: "Bigger is better",
  smaller: "Smaller is better",
};

/** The action knows neither implementations nor scenarios: a name says both. */
function nameOf({ implId, scenario }: ImplInScenario, figure: string): string {
  return `${implId}, ${scenario}: ${figure}`;
}

/** Returns the benchmarks of runs in one direction, without those of 0; none is no input for the action. */
export function benchmarksOf(run: readonly Followed[], direction: Direction): ActionBenchmark[] {
  return benchmarksSchema.parse(
    run.flatMap((now) =>
      now.figures.filter((figure) => figure.direction === direction && figure.value > 0)
        .map(({ name, value, unit, interval }) => ({
          name: nameOf(now, name),
          value: round(value),
          unit,
          range: interval && `± ${((interval.high - interval.low) / 2).toFixed(4)}`,
          extra: `${now.cpuModel}, run ${now.runId}`,
        }))
    ),
  );
}

/** Rounds to five digits, far below the noise: the action prints values as they are. */
function round(value: number): number {
  return Number(value.toPrecision(5));
}

/**
 * Returns the baseline of runs in one direction: of each figure, that of the last 20 valid runs that are
 * comparable. A figure without an earlier value, or of 0, is omitted, and so is the entry without any figure.
 *
 * @throws {z.ZodError} when `repositoryUrl` is no address.
 */
export function baselineOf(
  run: readonly Followed[],
  history: readonly Followed[],
  { direction, repositoryUrl }: { direction: Direction; repositoryUrl: string },
): ExternalData {
  const last = history.filter((earlier) => run.every(({ runId }) => earlier.runId < runId))
    .toSorted((a, b) => a.runId < b.runId ? -1 : 1).at(-1);
  const benches = run.flatMap((now) => {
    const figures = earlierFigures(now, history);
    return now.figures.filter((figure) => figure.direction === direction)
      .flatMap(({ name, unit }) => {
        const earlier = figures.get(name);
        if (earlier === undefined) return [];
        const { value, interval, runs } = baselineOfOne(earlier);
        if (value === 0) return [];
        const kind = interval === undefined ? "median of" : "long-run ratio over";
        const extra = `${kind} ${runs} runs on ${now.cpuModel}`;
        return [{ name: nameOf(now, name), value: round(value), unit, extra }];
      });
  });
  if (last === undefined || benches.length === 0) {
    return { lastUpdate: 0, repoUrl: repositoryUrl, entries: {} };
  }
  const date = Date.parse(last.startedAt);
  const nobody = { name: "Backbench", username: "backbench" };
  return externalDataSchema.parse({
    lastUpdate: date,
    repoUrl: repositoryUrl,
    entries: {
      [suiteNames[direction]]: [{
        commit: {
          author: nobody,
          committer: nobody,
          // The action never compares with an entry of the measured commit: this is the id of no commit.
          id: `baseline of up to ${historyLength} runs until ${last.runId}`,
          message: "Baseline of earlier runs on the same processor, with the same control",
          timestamp: last.startedAt,
          url: repositoryUrl,
        },
        date,
        tool: tools[direction],
        benches,
      }],
    },
  });
}

/** What one step of the action is given. */
export interface BenchmarkFiles {
  direction: Direction;
  /** For `output-file-path`. */
  inputPath: string;
  /** For `external-data-json-path`. */
  baselinePath: string;
}

/** Options for {@linkcode writeBenchmarkData}. */
export interface BenchmarkDataOptions {
  publishedRuns: string;
  repositoryUrl: string;
  /** The folder to write into. */
  target: string;
}

/**
 * Writes `bigger.json`, `bigger-baseline.json` and the same for `smaller`, and returns what was written: a
 * direction without a figure is omitted, and its step must not run.
 *
 * @throws {BenchError} when none of the runs is published, or a published file is damaged.
 */
export async function writeBenchmarkData(
  runIds: RunIds,
  { publishedRuns, repositoryUrl, target }: BenchmarkDataOptions,
): Promise<BenchmarkFiles[]> {
  const { run, history } = await readFollowed(publishedRuns, runIds);
  const written: BenchmarkFiles[] = [];
  for (const direction of ["bigger", "smaller"] as const) {
    const benchmarks = benchmarksOf(run, direction);
    if (benchmarks.length === 0) continue;
    const inputPath = join(target, `${direction}.json`);
    const baselinePath = join(target, `${direction}-baseline.json`);
    await writeJson(inputPath, benchmarks);
    await writeJson(baselinePath, baselineOf(run, history, { direction, repositoryUrl }));
    written.push({ direction, inputPath, baselinePath });
  }
  return written;
}

async function writeJson(path: string, value: unknown): Promise<void> {
  await writeAtomically(path, JSON.stringify(value, null, 2) + "\n");
}
