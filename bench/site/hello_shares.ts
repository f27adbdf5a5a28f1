/**
 * What jobs leave of hello's throughput, for the pages of implementations and scenarios. Takes the current runs; returns
 * `data/hello_shares.json`.
 */
import { comparedLevels } from "../results/compared.ts";
import { machineOf } from "../results/comparable.ts";
import type { Result } from "../results/result_schema.ts";
import { type ShareOfHello, shareOfHello } from "../results/share_of_hello.ts";

/** One implementation in one scenario, and in `hello`, on the same kind of machine. */
export interface HelloShares {
  id: string;
  name: string;
  scenario: string;
  machine: string;
  /** The id of its run. */
  run: string;
  levels: HelloShareAt[];
}

/** At a level: the share, or why there is none. */
export type HelloShareAt = { connections: number } & (ShareOfHello | { missing: string });

/** Returns the shares of each implementation that one kind of machine measured in both, in the order of names. */
export function deriveHelloShares(results: readonly Result[]): HelloShares[] {
  const ofHello = results.filter(({ scenario }) => scenario === "hello");
  const seen = new Set<string>();
  return results.toSorted((a, b) => a.impl.name < b.impl.name ? -1 : 1).flatMap((job) => {
    const { impl: { id, name }, scenario, runId: run } = job;
    const machine = machineOf(job.machine);
    const hello = ofHello.find((it) => it.impl.id === id && machineOf(it.machine) === machine);
    const key = `${id} ${scenario} ${machine}`;
    if (scenario === "hello" || hello === undefined || seen.has(key)) return [];
    seen.add(key);
    const atHello = new Set(comparedLevels(hello));
    const levels = comparedLevels(job).filter((connections) => atHello.has(connections))
      .map((connections): HelloShareAt => {
        const around = results.filter(({ runId }) => runId === run || runId === hello.runId);
        const share = shareOfHello(job, hello, connections, around);
        return { connections, ..."missing" in share ? share : share.value };
      });
    return levels.length === 0 ? [] : [{ id, name, scenario, machine, run, levels }];
  });
}
