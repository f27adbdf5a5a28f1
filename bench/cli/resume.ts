/** Resume: what an interrupted run has already, and whether it may be added to. */
import { join } from "@std/path";
import { exists } from "../lib/cache.ts";
import { BenchError } from "../lib/error.ts";
import { machineDifferences } from "../machine/describe.ts";
import type { RunFacts } from "../measure/begin_result.ts";
import type { Result } from "../results/result_schema.ts";
import { readRun, resultPath } from "../results/store.ts";
import type { Folders } from "./folders.ts";

/**
 * Reads the run to resume.
 *
 * @throws {BenchError} when it is published, or was measured on another machine or at another commit: its
 * numbers and the new ones could not stand in one table.
 */
export async function readResumable(
  runId: string,
  { folders, machine, checkout }: {
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
  const results = await readRun(folders.localRuns, runId);
  for (const result of results) {
    const differences = machineDifferences(result.machine, machine);
    if (result.provenance.commit !== checkout.commit) {
      differences.push(`commit is ${checkout.commit}, was ${result.provenance.commit}`);
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

/** Says what an interrupted run has kept, where, and how to go on; nothing where it has no level yet. */
export async function describeKept(runsFolder: string, runId: string): Promise<string | undefined> {
  const results = await readRun(runsFolder, runId).catch(() => []);
  const kept = results.filter(({ levels }) => levels.length > 0).map(({ impl, levels, plan }) =>
    `Kept: ${levels.length} of ${plan.levels.length} levels of ${impl.id}, in ${
      resultPath(runsFolder, runId, impl.id)
    }`
  );
  if (kept.length === 0) return undefined;
  return [...kept, `Continue with \`just bench --resume ${runId}\``].join("\n");
}
