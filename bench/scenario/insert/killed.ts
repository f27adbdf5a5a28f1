/**
 * Killed: is every row there that was answered with 201, whatever happens to the server then? Takes a running server;
 * sends visits without a pause, kills it, and looks for their rows.
 */
import { delay } from "@std/async";
import type { Connection } from "mysql2/promise";
import type { DatabaseAddress } from "../../database/database.ts";
import { overConnections } from "../../lib/http_client.ts";
import type { Problem } from "../../results/result_schema.ts";
import { allEnded, TargetGone } from "../checks.ts";
import type { Target } from "../scenario.ts";
import { createClient, judgeAdded } from "./client.ts";
import { highestId, readRows } from "./table.ts";
import type { Visit, VisitRow } from "./visits.ts";

const connections = 32;
/** How long a server that has just started may take for its first answer. */
const firstAnswerMs = 10_000;
/** From the first answer on; enough for hundreds. */
const loadMs = 700;

/** See `verifyKilled` of a scenario. */
export async function verifyKilled(
  target: Target,
  { connection, account, newVisit, signal }: {
    connection: Connection;
    account: DatabaseAddress;
    newVisit: () => Visit;
    signal: AbortSignal;
  },
): Promise<Problem[]> {
  const check = "rows after a kill";
  const before = await highestId(connection);
  const answered: VisitRow[] = [];
  await overConnections(connections, async (agent) => {
    const client = createClient(target.url, { signal, agent });
    const add = async () => {
      const visit = newVisit();
      const { row } = judgeAdded(check, visit, await client.add(visit));
      if (row !== undefined) answered.push(row);
      return row !== undefined;
    };
    let running = connections;
    const lanes = Array.from({ length: connections }, async () => {
      try {
        while (await add());
      } catch (error) {
        if (!(error instanceof TargetGone)) throw error;
      } finally {
        running--;
      }
    });
    const kill = async () => {
      const deadline = performance.now() + firstAnswerMs;
      while (answered.length === 0 && running > 0 && performance.now() < deadline) {
        await delay(10, { signal });
      }
      await delay(loadMs, { signal });
      await target.process.stop({ signal: "SIGKILL" });
    };
    await allEnded([kill(), ...lanes]);
  });
  const ids = new Set((await readRows(connection, account, before)).map(({ id }) => id));
  const lost = answered.filter(({ id }) => !ids.has(id));
  const sent = `visits over ${connections} connections, and SIGKILL`;
  if (answered.length === 0) {
    return [{ check, sent, came: "no visit was answered with 201 before", expected: "some" }];
  }
  if (lost.length === 0) return [];
  const came =
    `${lost.length} of ${answered.length} rows that were answered with 201 are not there, ` +
    `row ${lost[0]!.id} for one`;
  return [{ check, sent, came, expected: "all of them" }];
}
