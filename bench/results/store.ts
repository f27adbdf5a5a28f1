/**
 * Store: writes one file per implementation into the folder of the run, atomically, and reads them back strictly.
 */
import { join } from "@std/path";
import { z } from "zod";
import { BenchError, messageOf } from "../lib/error.ts";
import { burstFigures } from "./burst.ts";
import { numberOf } from "./replicas.ts";
import {
  type Result,
  resultSchema,
  runIdSchema,
  schemaVersion,
  startOfRun,
} from "./result_schema.ts";
import { writeAtomically } from "../lib/write_atomically.ts";

/** Returns the id of a run that starts now: UTC start and short commit. */
export function newRunId(startedAt: Date, commit: string): string {
  const stamp = startedAt.toISOString().replace(/\.\d+Z$/, "Z").replaceAll(/[-:]/g, "");
  return `${stamp}-${commit.slice(0, 7)}`;
}

/**
 * Returns the id of the run that a later attempt of a workflow makes: a minute later for each. A published run never
 * changes, so what is measured again belongs to another one.
 *
 * @param attempt From 1, as GitHub counts; the first attempt's id is `runId` itself.
 */
export function runIdOfAttempt(runId: string, attempt: number): string {
  const startedAt = startOfRun(runId);
  startedAt.setUTCMinutes(startedAt.getUTCMinutes() + attempt - 1);
  return newRunId(startedAt, runId.slice(-7));
}

/** What tells a result from the others of all runs. */
export type ResultName = Pick<Result, "runId" | "replica"> & { impl: Pick<Result["impl"], "id"> };

/** Returns the name of a result's file: `go.json`, and of its second replica `go.2.json`. No id has a dot. */
export function fileNameOf({ impl: { id }, replica }: Pick<ResultName, "impl" | "replica">) {
  return replica === undefined ? `${id}.json` : `${id}.${replica}.json`;
}

/** Returns the path of a result below the folder of all runs. */
export function resultPath(runsFolder: string, result: ResultName): string {
  return join(runsFolder, result.runId, fileNameOf(result));
}

/**
 * Writes one result, and returns its path.
 *
 * @throws {z.ZodError} when the result does not match the schema, which is a bug.
 * @throws {RunBroken} when the file cannot be written.
 */
export async function writeResult(runsFolder: string, result: Result): Promise<string> {
  const path = resultPath(runsFolder, result);
  // Without indentation: half as many bytes, and the site holds every result.
  const text = JSON.stringify(resultSchema.parse(result)) + "\n";
  await writeAtomically(path, text);
  return path;
}

/**
 * Reads a result.
 *
 * @throws {BenchError} when it cannot be read, or is damaged.
 */
export async function readResult(path: string): Promise<Result> {
  return withFigures(await readFileOf(resultSchema, path));
}

/**
 * Reads a result, comparison or noise file.
 *
 * @throws {BenchError} when it cannot be read, or as {@linkcode parseFile}.
 */
export async function readFileOf<T>(schema: z.ZodType<T>, path: string): Promise<T> {
  let text: string;
  try {
    text = await Deno.readTextFile(path);
  } catch (cause) {
    throw new BenchError(`Cannot read "${path}": ${messageOf(cause)}`, { cause });
  }
  try {
    return parseFile(schema, text, path);
  } catch (cause) {
    const help = "Move the file away. To restore a published one: git checkout -- <file>";
    throw new BenchError(messageOf(cause), { help, cause });
  }
}

/**
 * Parses the text of a result; `path` is for messages.
 *
 * @throws {BenchError} as {@linkcode parseFile}.
 */
export function parseResult(text: string, path: string): Result {
  return withFigures(parseFile(resultSchema, text, path));
}

/** Computes what bursts say over rounds from the rounds, so that results of any age have figures by one rule. */
function withFigures(result: Result): Result {
  if (result.bursts === undefined) return result;
  const steps = result.bursts.steps.map((step) =>
    step.figures === undefined ? step : { ...step, figures: burstFigures(step, step.rounds) }
  );
  return { ...result, bursts: { ...result.bursts, steps } };
}

/** How many of the things that are wrong with a file are told: there may be millions. */
const mostProblems = 20;

/**
 * Parses the text of a result, comparison or noise file; `path` is for messages.
 *
 * @throws {BenchError} with a line for each of the first {@linkcode mostProblems} things that are wrong.
 */
export function parseFile<T>(schema: z.ZodType<T>, text: string, path: string): T {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (cause) {
    throw new BenchError(`Cannot parse "${path}": ${messageOf(cause)}`, { cause });
  }
  const version = z.object({ schemaVersion: z.number() }).safeParse(data).data?.schemaVersion;
  if (version !== undefined && version !== schemaVersion) {
    throw new BenchError(
      `Cannot parse "${path}": schemaVersion is ${version}, expected ${schemaVersion}`,
    );
  }
  const parsed = schema.safeParse(data);
  if (parsed.success) return parsed.data;
  throw new BenchError(
    parsed.error.issues.slice(0, mostProblems).map(({ path: keys, message }) =>
      `Cannot parse "${path}": ${keys.length === 0 ? "" : `key "${keys.join(".")}": `}${message}`
    ).join("\n"),
  );
}

/**
 * Reads all results of a run, by implementation and replica.
 *
 * @throws {BenchError} when there is no such run, a file of it is damaged, or it holds several scenarios.
 */
export async function readRun(runsFolder: string, runId: string): Promise<Result[]> {
  const id = runIdSchema.safeParse(runId);
  if (!id.success) {
    throw new BenchError(`Cannot read run "${runId}": ${id.error.issues[0]?.message}`);
  }
  const folder = join(runsFolder, runId);
  const names = await listJsonFiles(folder);
  if (names.length === 0) {
    const ids = await listRunIds(runsFolder);
    const expected = ids.length === 0 ? "a run, there is none yet" : `one of ${ids.join(", ")}`;
    throw new BenchError(
      `Cannot read run "${runId}": no result in "${folder}", expected ${expected}`,
    );
  }
  const results: Result[] = [];
  for (const name of names) {
    const result = await readResult(join(folder, name));
    const expected = fileNameOf(result);
    if (expected !== name || result.runId !== runId) {
      throw new BenchError(
        `Cannot read "${join(folder, name)}": it holds "${
          expected.replace(/\.json$/, "")
        }" of run "${result.runId}", ` +
          `expected "${name.replace(/\.json$/, "")}" of run "${runId}"`,
      );
    }
    const { scenario } = results[0] ?? result;
    if (result.scenario !== scenario) {
      throw new BenchError(
        `Cannot read "${join(folder, name)}": its scenario is "${result.scenario}", ` +
          `expected "${scenario}" as of "${names[0]}": a run measures one`,
      );
    }
    results.push(result);
  }
  return results.sort((a, b) =>
    a.impl.id === b.impl.id ? numberOf(a) - numberOf(b) : a.impl.id < b.impl.id ? -1 : 1
  );
}

/** Returns the names of the JSON files in a folder, in alphabetical order; none where it is missing. */
export async function listJsonFiles(folder: string): Promise<string[]> {
  const names: string[] = [];
  try {
    for await (const { name, isFile } of Deno.readDir(folder)) {
      // Leftovers of an interrupted write begin with a dot.
      if (isFile && name.endsWith(".json") && !name.startsWith(".")) names.push(name);
    }
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  return names.sort();
}

/** Returns the ids of the runs in a folder, the oldest first; none if the folder is missing. */
export async function listRunIds(runsFolder: string): Promise<string[]> {
  const ids: string[] = [];
  try {
    for await (const entry of Deno.readDir(runsFolder)) {
      if (entry.isDirectory && runIdSchema.safeParse(entry.name).success) ids.push(entry.name);
    }
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  return ids.sort();
}
