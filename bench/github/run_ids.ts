/**
 * Run ids: a run measures one scenario, so a workflow makes one run per scenario. Jobs pass the ids on as JSON.
 */
import { z } from "zod";
import { BenchError, messageOf } from "../lib/error.ts";
import { runIdSchema } from "../results/result_schema.ts";
import { newRunId } from "../results/store.ts";
import { scenarioIds } from "../scenario/ids.ts";

/** The id of the run of each scenario. */
export type RunIds = Readonly<Record<string, string>>;

const runIdsSchema = z.record(
  z.string().refine((id) => scenarioIds.includes(id), `expected one of ${scenarioIds.join(", ")}`),
  runIdSchema,
).refine(
  (ids) => new Set(Object.values(ids)).size === Object.keys(ids).length,
  "expected another id for each scenario",
);

/** Creates the ids of runs that start now, a second apart, because ids have no scenario. */
export function newRunIds(startedAt: Date, commit: string): RunIds {
  return Object.fromEntries(
    scenarioIds.map((scenario, index) => [
      scenario,
      newRunId(new Date(startedAt.getTime() + 1_000 * index), commit),
    ]),
  );
}

/** @throws {BenchError} when a text is not what a job made of {@linkcode newRunIds}. */
export function parseRunIds(json: string): RunIds {
  try {
    return runIdsSchema.parse(JSON.parse(json));
  } catch (cause) {
    const problem = cause instanceof z.ZodError ? z.prettifyError(cause) : messageOf(cause);
    throw new BenchError(
      `Cannot read the ids of runs: they are ${JSON.stringify(json)}, expected JSON like ` +
        '{"jwt-mysql":"20261121T014500Z-1a2b3c4"}',
      { help: problem, cause },
    );
  }
}
