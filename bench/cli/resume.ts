/** Resume: reads an interrupted run or noise measurement, or a run that the machine disturbed, and checks that it may be continued. */
import { partsDone } from "../results/parts_done.ts";
import { isDeepStrictEqual } from "node:util";
import { join } from "@std/path";
import { exists } from "../lib/exists.ts";
import { BenchError, failureOf, Kept, messageOf, RunBroken } from "../lib/error.ts";
import { machineDifferences } from "../machine/describe.ts";
import { readKernelSettings } from "../machine/dropped_connections.ts";
import type { RunFacts } from "../measure/begin_result.ts";
import { type NoiseFile, noiseFileSchema } from "../results/files_schema.ts";
import { type ProfileName, profileOfNoise } from "../results/profiles.ts";
import { numberOf } from "../results/replicas.ts";
import type { Result } from "../results/result_schema.ts";
import { listJsonFiles, listRunIds, readFileOf, readRun, resultPath } from "../results/store.ts";
import type { Folders } from "./folders.ts";

/**
 * Reads the results of a run to resume: those of one replica, or of some of its implementations.
 *
 * @throws {BenchError} when several replicas are there and none is named, or the run lacks one of these implementations, or
 * several plans, or is published, or was measured on another machine, under other settings of the kernel or at another
 * commit, because its numbers and new ones are not comparable.
 */
export async function readResumable(
  runId: string,
  { replica, implIds, folders, machine, checkout }: {
    /** Which of the run's replicas; may be absent where there is one. */
    replica?: number;
    /** All of them where absent. */
    implIds?: readonly string[];
    folders: Folders;
    machine: RunFacts["machine"];
    checkout: RunFacts["checkout"];
  },
): Promise<Result[]> {
  if (await exists(join(folders.publishedRuns, runId))) {
    throw new BenchError(`Cannot resume "${runId}": it is published, expected an unpublished run`, {
      help: "Published runs never change. Measure again without --resume.",
    });
  }
  const all = await readRun(folders.localRuns, runId);
  const replicas = [...new Set(all.map(numberOf))].sort((a, b) => a - b);
  const chosen = replica ?? replicas[0]!;
  if ((replica === undefined && replicas.length > 1) || !replicas.includes(chosen)) {
    const is = replicas.length > 1 ? "replicas" : "replica";
    throw new BenchError(
      `Cannot resume "${runId}": it has results of ${is} ${replicas.join(" and ")}, ` +
        `expected ${replica === undefined ? "one" : `replica ${replica}`}`,
      { help: `Name one: \`just bench --resume ${runId} --replica ${replicas.at(-1)}\`` },
    );
  }
  const ofReplica = all.filter((result) => numberOf(result) === chosen);
  const missing = implIds?.find((id) => ofReplica.every(({ impl }) => impl.id !== id));
  if (missing !== undefined) {
    const there = ofReplica.map(({ impl }) => impl.id).join(", ");
    throw new BenchError(
      `Cannot resume "${runId}": it has no result of "${missing}", expected one of ${there}`,
      { help: "Add an implementation to a run with --run-id." },
    );
  }
  const results = ofReplica.filter(({ impl }) => implIds?.includes(impl.id) ?? true);
  for (const result of results) {
    if (!isDeepStrictEqual(result.plan, results[0]!.plan)) {
      const [first, other] = [results[0]!, result].map(({ impl }) => impl.id);
      throw new BenchError(
        `Cannot resume "${runId}": "${other}" has another plan than "${first}", expected one plan`,
        {
          help: `Name one: \`just ${resumeCommand(runId, { replica, implId: other })}\``,
        },
      );
    }
    const differences = differencesOf(
      { ...result.provenance, machine: result.machine },
      { ...checkout, machine },
    );
    const settings = readKernelSettings();
    for (const [name, was] of Object.entries(result.bursts?.kernelSettings ?? {})) {
      const is = settings?.[name] ?? "unknown";
      if (is !== was) differences.push(`${name} is ${is}, was ${was}`);
    }
    if (result.provenance.implCommit !== undefined) {
      differences.push("its sources are those of a base");
    }
    if (differences.length > 0) {
      throw new BenchError(
        `Cannot resume "${runId}": ${differences.join("; ")}, expected the same machine and commit`,
        { help: "Measure again without --resume." },
      );
    }
  }
  return results;
}

interface Origin extends Pick<RunFacts["checkout"], "commit" | "dirty"> {
  machine: RunFacts["machine"];
}

/** Says in what a measurement differs from one that would be made now: then their numbers are not comparable. */
function differencesOf(was: Origin, now: Origin): string[] {
  const differences = machineDifferences(was.machine, now.machine);
  if (was.commit !== now.commit) {
    differences.push(`commit is ${now.commit}, was ${was.commit}`);
  }
  if (was.dirty !== now.dirty) {
    differences.push(
      now.dirty
        ? "there are uncommitted changes now, there were none"
        : "there are no uncommitted changes now, there were some",
    );
  }
  return differences;
}

/**
 * Reads a noise measurement to resume; returns it with its profile and the number of its comparisons.
 *
 * @throws {BenchError} when it is published or missing, has all its comparisons, or was measured on another machine, at
 * another commit or with another plan.
 */
export async function readResumableNoise(
  id: string,
  { folders, machine, checkout }: {
    folders: Pick<Folders, "localNoise" | "publishedNoise">;
    machine: RunFacts["machine"];
    checkout: RunFacts["checkout"];
  },
): Promise<{ file: NoiseFile; profile: ProfileName; plannedComparisons: number }> {
  const cannot = `Cannot resume "${id}"`;
  if (await exists(join(folders.publishedNoise, `${id}.json`))) {
    throw new BenchError(`${cannot}: it is published, expected an unpublished measurement`, {
      help: "Published measurements never change. Measure again without --resume.",
    });
  }
  const names = await listJsonFiles(folders.localNoise);
  if (!names.includes(`${id}.json`)) {
    const there = names.map((name) => name.replace(/\.json$/, "")).join(", ");
    const expected = there === ""
      ? "a measurement, there is none yet"
      : `one of those there: ${there}`;
    throw new BenchError(
      `${cannot}: "${folders.localNoise}" has no such measurement, expected ${expected}`,
    );
  }
  const file = await readFileOf(noiseFileSchema, join(folders.localNoise, `${id}.json`));
  const { plan, comparisons: { length: done } } = file;
  const { plannedComparisons = done } = file;
  const differences = differencesOf(file, { ...checkout, machine });
  const profile = profileOfNoise(plan);
  if (profile === undefined || differences.length > 0) {
    const what = differences.length > 0
      ? differences.join("; ")
      : "its plan is that of no present profile";
    throw new BenchError(`${cannot}: ${what}, expected the same machine, commit and plan`, {
      help: "Measure again without --resume.",
    });
  }
  if (done >= plannedComparisons) {
    throw new BenchError(`${cannot}: it has all of its ${done} comparisons`, {
      help:
        `Publish it with \`just publish ${id}\`. For more, measure anew: going on after seeing the ` +
        "figures (optional stopping) would bias them.",
    });
  }
  return { file, profile, plannedComparisons };
}

/**
 * Checks that a run may get results of these implementations: `--run-id` names one of jobs that measure the same.
 *
 * @throws {BenchError} when it is published, has results of another scenario, profile or commit, or has one of these
 * already, which would be lost.
 */
export async function requireJoinable(
  { runId, replica = 1, scenario, plan: { profile }, checkout: { commit } }: Pick<
    RunFacts,
    "runId" | "replica" | "scenario" | "plan" | "checkout"
  >,
  implIds: readonly string[],
  { publishedRuns, localRuns }: Folders,
): Promise<void> {
  const cannot = `Cannot add to run "${runId}"`;
  const help = "Measure again without --run-id.";
  if (await exists(join(publishedRuns, runId))) {
    throw new BenchError(`${cannot}: it is published, expected an unpublished run`, { help });
  }
  if (!(await listRunIds(localRuns)).includes(runId)) return;
  for (const { impl, ...other } of await readRun(localRuns, runId)) {
    const describe = (scenario: string, profile: string, commit: string) =>
      `${scenario}, profile ${profile}, at commit ${commit.slice(0, 7)}`;
    const is = describe(other.scenario, other.plan.profile, other.provenance.commit);
    const expected = describe(scenario, profile, commit);
    if (is !== expected) {
      throw new BenchError(
        `${cannot}: it has "${impl.id}" of ${is}, expected ${expected}`,
        { help },
      );
    }
    if (numberOf(other) === replica && implIds.includes(impl.id)) {
      const of = replica === 1 ? "" : ` of replica ${replica}`;
      throw new BenchError(
        `${cannot}: it has a result of "${impl.id}"${of}, expected none`,
        {
          help: other.status === "incomplete" && other.provenance.implCommit === undefined
            ? `Continue it with \`just ${
              resumeCommand(runId, { replica, implId: impl.id })
            }\`, or measure again without --run-id.`
            : isUnbuilt(other)
            ? `Nothing of it was measured. To try it again in this run, remove ${
              resultPath(localRuns, { ...other, impl })
            }.`
            : help,
        },
      );
    }
  }
}

/** Tells whether a result failed before its implementation was built. */
function isUnbuilt({ failure }: Pick<Result, "failure">): boolean {
  return failure?.stage === "discover" || failure?.stage === "build";
}

/** Returns the command that continues a run, or one implementation of it, or measures again what the machine disturbed. */
export function resumeCommand(
  runId: string,
  { replica = 1, implId }: { replica?: number; implId?: string } = {},
): string {
  const which = implId === undefined ? "" : `${implId} `;
  return `bench ${which}--resume ${runId}${replica === 1 ? "" : ` --replica ${replica}`}`;
}

/**
 * Describes what an interrupted run has kept of a replica, where, and how to continue; undefined if it has none yet. With
 * sources of a base, it cannot be continued.
 */
export async function describeKept(
  runsFolder: string,
  { runId, replica = 1, implCommit, implIds }:
    & Pick<RunFacts, "runId" | "replica" | "implCommit">
    & {
      /** Those that were measured just now, where the run has others of other jobs. */
      implIds?: readonly string[];
    },
): Promise<string | undefined> {
  const all = await readRun(runsFolder, runId).catch(() => []);
  const results = all.filter((result) =>
    numberOf(result) === replica && (implIds?.includes(result.impl.id) ?? true)
  );
  const kept = results.flatMap((result) => {
    const { name, done, planned } = partsDone(result);
    if (done === 0) return [];
    return [
      `Kept: ${done} of ${planned} ${name} of ${result.impl.id}, in ${
        resultPath(runsFolder, result)
      }`,
    ];
  });
  if (kept.length === 0) return undefined;
  const help = implCommit === undefined
    ? [`Continue with \`just ${resumeCommand(runId, { replica, implId: implIds?.join(",") })}\``]
    : [];
  return [...kept, ...help].join("\n");
}

/**
 * Returns the error of a measurement with what is kept of it, where it was interrupted or the harness has failed; any other
 * as it is.
 *
 * @param isKnown Tells of which failures something is kept, other than interruptions.
 */
export async function withKept(
  error: unknown,
  signal: AbortSignal,
  describe: () => string | undefined | Promise<string | undefined>,
  isKnown: (failure: BenchError) => boolean = (failure) => failure instanceof RunBroken,
): Promise<unknown> {
  const failure = failureOf(error);
  const broken = !signal.aborted && failure instanceof BenchError && isKnown(failure)
    ? failure
    : undefined;
  if (!signal.aborted && broken === undefined) return error;
  const help = [broken?.help, await describe()].filter((text) => text !== undefined).join("\n");
  return new Kept(messageOf(broken ?? error), { help: help || undefined, cause: error });
}
