import type { Result } from "../schema.ts";
import { listRunIds, readRun } from "../write.ts";

/**
 * Reads all results of the runs that were published before a run.
 *
 * @throws {BenchError} when a published file is damaged.
 */
export async function readHistory(publishedRuns: string, runId: string): Promise<Result[]> {
  const history: Result[] = [];
  for (const id of await listRunIds(publishedRuns)) {
    // A run's id begins with its start.
    if (id < runId) history.push(...await readRun(publishedRuns, id));
  }
  return history;
}
