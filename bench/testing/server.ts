import type { Database } from "../database/database.ts";
import { openDatabase } from "../database/open.ts";
import { silent } from "../lib/report.ts";
import { allData } from "../scenario/list.ts";

/** Starts a private database server with the data of every scenario, whatever `DATABASE_URL` names. */
export async function openServer(): Promise<Database> {
  const folder = await Deno.makeTempDir({ prefix: "backbench-test-" });
  const { DATABASE_URL: _, ...env } = Deno.env.toObject();
  const { signal } = new AbortController();
  const sql = await allData();
  const database = await openDatabase({ report: silent, signal, sql, folder, env });
  const dispose = database[Symbol.asyncDispose];
  return Object.assign(database, {
    [Symbol.asyncDispose]: async () => {
      await dispose();
      await Deno.remove(folder, { recursive: true });
    },
  });
}
