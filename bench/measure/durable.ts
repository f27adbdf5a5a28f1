/**
 * Durable: one more load of a scenario that writes, while every commit waits until it is on disk. All others run with a
 * setting by which commits wait for the operating system alone, because the disk is not what is measured. Takes a
 * verified implementation; returns the load, which is in no ranking, or why there is none. It is as cold as a level, with
 * fewer requests: beside the level, the difference is that of the disk and of the cold start together.
 */
import type { Connection } from "mysql2/promise";
import { z } from "zod";
import { overConnection } from "../database/connection.ts";
import type { Database } from "../database/database.ts";
import { queryRows } from "../database/query_rows.ts";
import { messageOf } from "../lib/error.ts";
import type { Durable } from "../results/result_schema.ts";
import { measureLevel } from "./levels.ts";
import type { Contestant, Session } from "./session.ts";

/** 1: the log is written and flushed at each commit. */
const variable = "innodb_flush_log_at_trx_commit";

/** Adds the load to the result, where the plan asks for it; the scenario has a database then. */
export async function addDurable(contestant: Contestant, session: Session): Promise<void> {
  const { result } = contestant;
  const { plan } = session.facts;
  if (plan.durable === undefined || result.durable !== undefined) return;
  const database = session.scenario.database?.server;
  if (database === undefined) {
    throw new TypeError(`"${session.scenario.id}" has commits and no database`);
  }
  const { connections, requests } = plan.durable;
  session.report.line(`${contestant.impl.id}: every commit waits for the disk (${variable} = 1)`);
  result.durable = await withDurableCommits(database, async () => ({
    load: await measureLevel(
      // Progress is that of this load alone.
      { ...contestant, result: { ...result, levels: [] } },
      connections,
      {
        ...session,
        facts: { ...session.facts, plan: { ...plan, levels: [connections], requests } },
      },
    ),
  }));
}

/** Does work while every commit waits for the disk; says why it cannot, where the server refuses that. */
export async function withDurableCommits(
  database: Pick<Database, "connect">,
  work: () => Promise<Durable>,
): Promise<Durable> {
  return await overConnection(database, async (connection) => {
    const before = await read(connection);
    const refusal = await connection.query(`SET GLOBAL ${variable} = 1`).then(
      () => undefined,
      (error) => {
        if (error.fatal) throw error;
        return messageOf(error);
      },
    );
    if (refusal !== undefined) return { missing: `${variable} cannot be set: ${refusal}` };
    try {
      return await work();
    } finally {
      // Where this fails, the run ends: every later load would be another measurement.
      await connection.query(`SET GLOBAL ${variable} = ${before}`);
    }
  });
}

async function read(connection: Connection): Promise<number> {
  const row = z.tuple([z.number()]);
  return (await queryRows(connection, row, `SELECT @@GLOBAL.${variable}`))[0]![0];
}
