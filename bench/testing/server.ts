import type { Database } from "../database/database.ts";
import { openDatabase } from "../database/open.ts";
import { silent } from "../lib/report.ts";
import { allData, allGrants } from "../scenario/list.ts";

/** Starts a private database server with the data of every scenario, whatever `DATABASE_URL` names. */
export async function openServer(): Promise<Database> {
  const folder = await Deno.makeTempDir({ prefix: "backbench-test-" });
  const { DATABASE_URL: _, ...env } = Deno.env.toObject();
  const { signal } = new AbortController();
  const [sql, grants] = [await allData(), await allGrants()];
  const database = await openDatabase({ report: silent, signal, sql, grants, folder, env });
  const dispose = database[Symbol.asyncDispose];
  return Object.assign(database, {
    [Symbol.asyncDispose]: async () => {
      await dispose();
      await Deno.remove(folder, { recursive: true });
    },
  });
}
