/**
 * A private server from any mysqld: a copy of a seeded data folder, which is created once per version, seed data and
 * settings and kept in the cache, on a free port of 127.0.0.1. The copy is discarded at the end, so the server is
 * killed, not shut down.
 */
import { join } from "@std/path";
import { cacheFolder, keepFolder } from "../lib/cache.ts";
import { digest } from "../lib/digest.ts";
import { runOrThrow } from "../lib/process.ts";
import { connectTo, orRunBroken, readServer } from "./connection.ts";
import { requireCounting } from "./counters.ts";
import { type Database, type OpenDatabaseOptions, sideNames } from "./database.ts";
import { startOptions } from "./settings.ts";
import { runSql } from "./sql.ts";
import { initialise, type MysqldProgram, setUp, startServer } from "./start_server.ts";

/** Starts a private server with its data. */
export async function openPrivate(
  provider: "mysqld" | "packages",
  program: MysqldProgram,
  options: Required<OpenDatabaseOptions>,
): Promise<Database> {
  const { signal } = options;
  const template = await seededTemplate(program, options);
  await using stack = new AsyncDisposableStack();
  const folder = await Deno.makeTempDir({ dir: options.folder, prefix: "mysql-" });
  stack.defer(() => Deno.remove(folder, { recursive: true }));
  await copyFolder(template, join(folder, "data"), { logPath: join(folder, "copy.log"), signal });
  const server = await startServer(program, folder, options);
  stack.defer(server.kill);
  // A Ctrl-C kills the server at once; whoever uses the database then finds it gone.
  const abort = () => void server.kill();
  signal.addEventListener("abort", abort);
  stack.defer(() => signal.removeEventListener("abort", abort));
  await setUp(server.admin);
  await using connection = await connectTo(server.admin);
  const facts = await readServer(connection);
  const { accounts } = server;
  const counting = await requireCounting(connection, accounts.subject);
  const opened = stack.move();
  return {
    provider,
    accounts,
    accountsAreOurs: true,
    counting,
    address: accounts.subject,
    ...facts,
    get pid() {
      return server.pid();
    },
    connect: () => orRunBroken(() => connectTo(server.admin)),
    outage: { stop: server.kill, start: server.restart },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** Returns the folder of the template; makes it the first time. */
async function seededTemplate(
  program: MysqldProgram,
  { report, signal, env, sql }: Required<OpenDatabaseOptions>,
): Promise<string> {
  // The accounts of a template stay in its copies, which create theirs anew: hence the names.
  const hash = await digest([program.version, startOptions, sql, sideNames]);
  const name = `mysql-data-${program.version}-${hash.slice(0, 12)}`;
  return await keepFolder(cacheFolder(env), name, async (staging) => {
    report.line(`Preparing MySQL ${program.version} with its data, once`);
    await initialise(program, staging, signal);
    const server = await startServer(program, staging, { signal, grants: [] });
    try {
      await using connection = await connectTo(server.admin);
      await runSql(connection, sql, { signal });
    } catch (error) {
      await server.kill();
      throw error;
    }
    await server.shutDown();
    return join(staging, "data");
  }, { report, signal });
}

async function copyFolder(
  from: string,
  to: string,
  options: { logPath: string; signal: AbortSignal },
): Promise<void> {
  // Shares the blocks where the file system can; the cp of macOS has no such option. With the dot, a template that is a
  // link to a folder is copied, too, and not the link: a server would write into the template.
  const reflink = Deno.build.os === "linux" ? ["--reflink=auto"] : [];
  const command = ["cp", "-a", ...reflink, `${from}/.`, to];
  await runOrThrow(`Cannot copy "${from}"`, command, options);
}
