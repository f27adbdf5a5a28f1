import { listRunIds, readRun } from "../results/store.ts";
import { follow, type Followed } from "./figures.ts";

/**
 * Reads what is followed of all results of the runs that were published before a run, one run at a time: a
 * thousand runs of ten implementations are a gigabyte and more of JSON, and a few megabytes of figures.
 *
 * @throws {BenchError} when a published file is damaged.
 */
export async function readHistory(publishedRuns: string, runId: string): Promise<Followed[]> {
  const history: Followed[] = [];
  for (const id of await listRunIds(publishedRuns)) {
    // A run's id begins with its start.
    if (id < runId) history.push(...(await readRun(publishedRuns, id)).map(follow));
  }
  return history;
}
