import { join } from "@std/path";
import type { DatabaseAddress } from "../database/database.ts";
import { mysqldOnPath } from "../database/mysqld.ts";
import { findPackages, keepPackages, unpackedProgram } from "../database/packages.ts";
import { initialise, startServer } from "../database/start_server.ts";
import { silent } from "../lib/report.ts";

/** A server whose database is empty. */
export interface EmptyServer extends AsyncDisposable {
  /** Of a user who may do everything. */
  address: DatabaseAddress;
}

/**
 * Starts a server as people have it beside a job of theirs, in a service container: its database is empty, it has TLS and
 * the variables' defaults, and its data go with it. From the distribution's packages; where there are none, from the
 * mysqld on PATH.
 */
export async function openEmptyServer(folder: string, signal: AbortSignal): Promise<EmptyServer> {
  const env = Deno.env.toObject();
  const program = (await findPackages(env, signal)).available
    ? await unpackedProgram(await keepPackages({ report: silent, signal, env }), signal)
    : await mysqldOnPath(env, signal);
  await initialise(program, folder, signal);
  const options = ["--loose-mysqlx=OFF"];
  const server = await startServer(program, folder, { signal, grants: [], options });
  return {
    address: server.admin,
    [Symbol.asyncDispose]: async () => {
      await server.kill();
      await Deno.remove(join(folder, "data"), { recursive: true });
    },
  };
}
