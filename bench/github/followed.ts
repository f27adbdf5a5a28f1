import { BenchError } from "../lib/error.ts";
import { listRunIds, readRun } from "../results/store.ts";
import { followAll, type Followed } from "./figures.ts";
import type { RunIds } from "./run_ids.ts";

/** The followed figures of some runs, and of all published before them. */
export interface FollowedRuns {
  run: Followed[];
  history: Followed[];
}

/**
 * Reads the followed figures of published runs, one run at a time: a thousand runs of ten implementations are over a
 * gigabyte of JSON on each machine, and a few megabytes of figures. Scenarios without a published run are left out.
 *
 * @throws {BenchError} when none of the runs is published, or a published file is damaged.
 */
export async function readFollowed(publishedRuns: string, runIds: RunIds): Promise<FollowedRuns> {
  const published = await listRunIds(publishedRuns);
  const ids = Object.values(runIds).filter((id) => published.includes(id)).sort();
  const [first] = ids;
  if (first === undefined) {
    const names = Object.values(runIds).map((id) => `"${id}"`).join(" or ");
    throw new BenchError(`Cannot read run ${names}: no such folder in "${publishedRuns}"`);
  }
  const read = async (id: string) =>
    followAll(await readRun(publishedRuns, id)).map(([judged, ...others]): Followed[] => [
      { ...judged!, others },
      ...others,
    ]);
  const history: Followed[] = [];
  // A run's id begins with its start.
  for (const id of published.filter((id) => id < first)) history.push(...(await read(id)).flat());
  const run = (await Promise.all(ids.map(read))).flat().map(([judged]) => judged!);
  return { run, history };
}
