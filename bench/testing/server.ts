import { urlOf } from "../database/connection.ts";
import type { Database, DatabaseAddress } from "../database/database.ts";
import { openDatabase } from "../database/open.ts";
import { silent } from "../lib/report.ts";
import { allData, allGrants } from "../scenario/list.ts";

/**
 * Starts a private database server with the data of every scenario, whatever `DATABASE_URL` names. Its `url` is that of
 * a user who may do everything, as a person would name one in `DATABASE_URL`.
 */
export async function openServer(): Promise<Database & { readonly url: string }> {
  const folder = await Deno.makeTempDir({ prefix: "backbench-test-" });
  const { DATABASE_URL: _, BACKBENCH_DATABASE: __, ...env } = Deno.env.toObject();
  const { signal } = new AbortController();
  const [sql, grants] = [await allData(), await allGrants()];
  const database = await openDatabase({ report: silent, signal, sql, grants, folder, env });
  const dispose = database[Symbol.asyncDispose];
  return Object.assign(database, {
    url: urlOf(await createGiven(database)),
    [Symbol.asyncDispose]: async () => {
      await dispose();
      await Deno.remove(folder, { recursive: true });
    },
  });
}

async function createGiven(database: Database): Promise<DatabaseAddress> {
  const given = { ...database.address, user: "given", password: crypto.randomUUID() };
  await using connection = await database.connect();
  await connection.query("CREATE USER ? IDENTIFIED BY ?", [given.user, given.password]);
  await connection.query("GRANT ALL ON *.* TO ? WITH GRANT OPTION", [given.user]);
  return given;
}

/** The environment in which a database comes from the packages: without the server and the mysqld of whoever runs the tests. */
export function packagesOnly(): Record<string, string> {
  const { DATABASE_URL: _, BACKBENCH_DATABASE: __, ...env } = Deno.env.toObject();
  return { ...env, PATH: "/usr/bin:/bin" };
}
