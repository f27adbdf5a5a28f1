/**
 * Artifacts: which files from jobs are results of this run? Each is validated as untrusted data, because the job that
 * wrote it also ran an implementation's code.
 */
import { basename, join, relative } from "@std/path";
import { BenchError, messageOf } from "../lib/error.ts";
import { measuresSame } from "../results/plan.ts";
import { repeatCommand } from "../results/repeat_command.ts";
import { numberOf } from "../results/replicas.ts";
import { type Plan, type Result, startOfRun } from "../results/result_schema.ts";
import { fileNameOf, parseResult, runIdOfAttempt } from "../results/store.ts";
import type { RunIds } from "./run_ids.ts";

/** A full result has up to 500,000 bytes; one with the counts of an article, more. */
const largestBytes = 2 * 1024 ** 2;

/** A job leaves one result; what more there is in its artifact is not measured by the harness. */
const mostFiles = 20;
const deepest = 5;

const longestLine = 1_000;

/** By how much clocks of two machines may differ. */
const clockToleranceMs = 3_600_000;

/**
 * The artifact with the list of what is measured: it always exists, and has no result. It ensures that a result is
 * never the only artifact downloaded, because a single one gets no folder of its name.
 */
const listArtifact = "list";

/**
 * Which artifacts are looked for: `result-hello-deno.2` has the result of `deno` in the run of `hello` from the second
 * machine. No id has a dot, so that no name is of two.
 */
export interface ArtifactsWanted {
  runIds: RunIds;
  /** How many attempts the workflow's run has had, from 1: results of each are looked for. */
  attempts: number;
  /** How names begin: `result`, or `rerun` and the run of the second measurement. */
  kind: string;
  /** The commit of all that the workflow's run measures. */
  commit: string;
  /** What it measures, by scenario; of a scenario that has no plan here, any will do. */
  plans?: Readonly<Record<string, Plan>>;
}

/** A valid result, and the bytes that it was read from. */
export interface ArtifactResult {
  result: Result;
  text: string;
}

/** The valid results, by run and implementation, and what is wrong with the others. */
export interface Artifacts {
  results: ArtifactResult[];
  /** A line for each file or artifact that is left out. */
  damaged: string[];
}

/**
 * Reads every result in a folder of artifacts, each in a folder of its name; damaged ones are reported and skipped.
 * Without such a folder, there are no artifacts.
 */
export async function readArtifacts(folder: string, wanted: ArtifactsWanted): Promise<Artifacts> {
  const good: (ArtifactResult & { name: string })[] = [];
  const damaged: string[] = [];
  for (const artifact of await namesIn(folder)) {
    if (artifact === listArtifact) continue;
    const files = await filesBelow(join(folder, artifact));
    if (files.length === 0) {
      damaged.push(`Cannot use "${artifact}": it holds no file, expected a result`);
    }
    if (files.length > mostFiles) {
      damaged.push(`Cannot use "${artifact}": it holds more than ${mostFiles} files, expected one`);
      continue;
    }
    for (const path of files) {
      const name = relative(folder, path);
      try {
        const text = await readBounded(path, name);
        const result = parseResult(text, name);
        requireUsable(result, { ...wanted, artifact, name });
        good.push({ result, name, text });
      } catch (error) {
        // Whatever a file does to us, the others are read.
        damaged.push(
          error instanceof BenchError
            ? error.message
            : `Cannot use "${name}": ${messageOf(error)}, expected a result`,
        );
      }
    }
  }
  const results: ArtifactResult[] = [];
  const keyOf = ({ result }: ArtifactResult) => `${result.runId}/${fileNameOf(result)}`;
  for (const files of Map.groupBy(good, keyOf).values()) {
    const { result, text } = files[0]!;
    if (files.every((file) => file.text === text)) results.push({ result, text });
    // A job can leave any number of files, and nothing tells which one is the measurement.
    else {
      const names = files.map(({ name }) => `"${name}"`).join(" and ");
      damaged.push(`Cannot use "${result.impl.id}": ${names} differ, expected one result`);
    }
  }
  return { results, damaged: damaged.map(toLine) };
}

/** Messages quote untrusted text, and a job's log interprets lines that begin with "::". */
export function toLine(message: string): string {
  const line = message.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ");
  return line.length > longestLine ? `${line.slice(0, longestLine)}…` : line;
}

/** Returns the names in a folder, sorted; none where there is no such folder. */
export async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await Array.fromAsync(Deno.readDir(folder), ({ name }) => name)).sort();
  } catch (cause) {
    if (cause instanceof Deno.errors.NotFound) return [];
    throw new BenchError(`Cannot read "${folder}": ${messageOf(cause)}`, { cause });
  }
}

/**
 * Returns what is no folder below a path, or the path itself where it is none: no more than tells that there are too
 * many, and a folder instead of what is in it where it is too deep. Follows no link.
 */
async function filesBelow(path: string, depth = 0): Promise<string[]> {
  if (depth > deepest || !(await Deno.lstat(path)).isDirectory) return [path];
  const files: string[] = [];
  for (const name of await namesIn(path)) {
    if (files.length > mostFiles) break;
    files.push(...await filesBelow(join(path, name), depth + 1));
  }
  return files;
}

async function readBounded(path: string, name: string): Promise<string> {
  const { isFile, size } = await Deno.lstat(path);
  if (!isFile) throw new BenchError(`Cannot use "${name}": it is not a file, expected a result`);
  if (size > largestBytes) {
    throw new BenchError(
      `Cannot use "${name}": it has ${size} bytes, expected ${largestBytes} at most`,
    );
  }
  return await Deno.readTextFile(path);
}

/** @throws {BenchError} when the result is not a usable one of this run. */
function requireUsable(
  result: Result,
  { runIds, attempts, kind, commit, plans, artifact, name }:
    & ArtifactsWanted
    & { artifact: string; name: string },
): void {
  const { runId, scenario, impl, plan, status, provenance, startedAt } = result;
  const first = runIds[scenario];
  const expectedPlan = plans?.[scenario];
  const expectedRuns = first === undefined
    ? []
    : Array.from({ length: attempts }, (_, index) => runIdOfAttempt(first, index + 1));
  const expectedArtifact = `${kind}-${scenario}-${impl.id}.${numberOf(result)}`;
  const what = `it is the result of "${impl.id}"`;
  const command = repeatCommand(impl.id, scenario, plan);
  const problem = !expectedRuns.includes(runId)
    ? `it is of run "${runId}", expected ${
      expectedRuns.map((id) => `"${id}"`).join(" or ") || `none of "${scenario}"`
    }`
    // The workflow names the artifact; its content could have been written by an implementation's code.
    : artifact !== expectedArtifact
    ? `${what} in "${scenario}", expected one in an artifact "${expectedArtifact}"`
    : basename(name) !== fileNameOf(result)
    ? `${what}, expected a file "${fileNameOf(result)}"`
    : status === "incomplete"
    ? "it is incomplete: its job ended before the measurement did, expected complete or failed"
    // For tests: figures of so few requests would stay in every history.
    : plan.profile === "smoke"
    ? "it was measured with the profile smoke, expected one that is published"
    // One result may not decide for the others of its run whether they are ranked.
    : plan.reproduces !== undefined
    ? "it has the settings of an article, expected the profile's"
    : expectedPlan !== undefined && plan.profile !== expectedPlan.profile
    ? `it was measured with the profile ${plan.profile}, expected ${expectedPlan.profile}`
    // Pages take what is common to a run's results from one of them.
    : expectedPlan !== undefined && !measuresSame(plan, expectedPlan)
    ? `its plan differs from that of the profile ${plan.profile} in "${scenario}"`
    : provenance.dirty
    ? "it was measured with uncommitted changes, expected none"
    : provenance.implCommit !== undefined
    ? "it was measured as the base of a change, expected the sources of the run's commit"
    : provenance.commit !== commit
    ? `it was measured at commit ${provenance.commit}, expected the run's own, ${commit}`
    // Pages print it for readers to run.
    : provenance.command !== command
    ? `its command is "${provenance.command}", expected "${command}"`
    : !isDuringRun(startedAt, runId)
    ? `it began at ${startedAt}, expected a time between the start of its run and now`
    : undefined;
  if (problem !== undefined) throw new BenchError(`Cannot use "${name}": ${problem}`);
}

/** Tells whether a time is after the start of a run, and not to come. */
function isDuringRun(startedAt: string, runId: string): boolean {
  const startMs = Date.parse(startedAt);
  return startMs >= startOfRun(runId).getTime() - clockToleranceMs &&
    startMs <= Date.now() + clockToleranceMs;
}
