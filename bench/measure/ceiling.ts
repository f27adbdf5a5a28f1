/**
 * Ceiling: how fast is the load generator on this machine at this level? Takes the running null server; returns its
 * goodput, which no implementation can exceed.
 */
import { RunBroken } from "../lib/error.ts";
import { logTail } from "../lib/process.ts";
import type { Ceiling } from "../results/protocols_schema.ts";
import type { Target } from "../scenario/scenario.ts";
import { nullConditions } from "./conditions.ts";
import { beginLoad } from "./load.ts";
import type { LoadSession } from "./session.ts";

/**
 * Measures one level, with the requests of the level that the ceiling is for.
 *
 * @throws {RunBroken} when a request is not answered with status 200, because the null server is part of the harness.
 */
export async function measureCeiling(
  nullServer: Target,
  { session, connections, seconds }: {
    session: LoadSession;
    connections: number;
    seconds: number;
  },
): Promise<Ceiling> {
  await using conditions = await nullConditions(session);
  await using load = await beginLoad(nullServer, {
    ...{ session, conditions, connections },
    amount: { seconds },
  });
  const { observation: { attempted, correct, durationSeconds, resources } } = await load.finish();
  if (correct < attempted || correct < connections) {
    throw new RunBroken(
      `Cannot measure the ceiling at ${connections} connections: ` +
        `${attempted - correct} requests failed beside ${correct} answers, expected answers only`,
      { help: await logTail(nullServer.process.logPath) },
    );
  }
  return {
    connections,
    requests: correct,
    goodputPerSecond: correct / durationSeconds,
    generatorCpuSecondsPerAnswer: resources?.generator.cpuSecondsPerAnswer,
  };
}
