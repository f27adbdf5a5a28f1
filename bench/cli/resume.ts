/** Resume: reads an interrupted run, and checks that it may be continued. */
import { partsDone } from "../results/parts_done.ts";
import { isDeepStrictEqual } from "node:util";
import { join } from "@std/path";
import { exists } from "../lib/cache.ts";
import { BenchError } from "../lib/error.ts";
import { machineDifferences } from "../machine/describe.ts";
import type { RunFacts } from "../measure/begin_result.ts";
import type { Result } from "../results/result_schema.ts";
import { numberOf } from "../results/replicas.ts";
import { listRunIds, readRun, resultPath } from "../results/store.ts";
import type { Folders } from "./folders.ts";

/**
 * Reads the results of a run to resume: those of one replica.
 *
 * @throws {BenchError} when several replicas are there and none is named, or the run is published, or was measured on
 * another machine or at another commit, because its numbers and new ones are not comparable.
 */
export async function readResumable(
  runId: string,
  { replica, folders, machine, checkout }: {
    /** Which of the run's replicas; may be absent where there is one. */
    replica?: number;
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
  const results = all.filter((result) => numberOf(result) === chosen);
  for (const result of results) {
    const differences = machineDifferences(result.machine, machine);
    if (!isDeepStrictEqual(result.plan, results[0]!.plan)) {
      throw new BenchError(
        `Cannot resume "${runId}": "${result.impl.id}" has another plan than ` +
          `"${results[0]!.impl.id}", expected one plan for all`,
        { help: "Measure again without --resume." },
      );
    }
    if (result.provenance.commit !== checkout.commit) {
      differences.push(`commit is ${checkout.commit}, was ${result.provenance.commit}`);
    }
    if (result.provenance.implCommit !== undefined) {
      differences.push("its sources are those of a base");
    }
    if (result.provenance.dirty !== checkout.dirty) {
      differences.push(
        checkout.dirty
          ? "there are uncommitted changes now, there were none"
          : "there are no uncommitted changes now, there were some",
      );
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

/**
 * Checks that a run may get another result: `--run-id` names one of jobs that measure the same.
 *
 * @throws {BenchError} when it is published, or has results of another scenario, profile or commit.
 */
export async function requireJoinable(
  { runId, scenario, plan: { profile }, checkout: { commit } }: Pick<
    RunFacts,
    "runId" | "scenario" | "plan" | "checkout"
  >,
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
    if (is === expected) continue;
    throw new BenchError(
      `${cannot}: it has "${impl.id}" of ${is}, expected ${expected}`,
      { help },
    );
  }
}

/** Describes what an interrupted run has kept, where, and how to continue; undefined if it has none yet. */
export async function describeKept(runsFolder: string, runId: string): Promise<string | undefined> {
  const results = await readRun(runsFolder, runId).catch(() => []);
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
  return [...kept, `Continue with \`just bench --resume ${runId}\``].join("\n");
}
