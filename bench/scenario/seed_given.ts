import { connectToGiven, holdServer, parseDatabaseUrl } from "../database/given.ts";
import { recreateTables } from "../database/given_data.ts";
import { BenchError } from "../lib/error.ts";
import type { Report } from "../lib/report.ts";
import { allData } from "./list.ts";

/**
 * Recreates the data of every scenario in the database that DATABASE_URL names.
 *
 * @throws {BenchError} when DATABASE_URL is not set, cannot be used, or another command uses its server.
 */
export async function seedGivenDatabase(
  { report, signal, env = Deno.env.toObject() }: {
    report: Report;
    signal: AbortSignal;
    env?: Record<string, string>;
  },
): Promise<void> {
  const url = env.DATABASE_URL;
  if (!url) {
    throw new BenchError('Cannot seed "DATABASE_URL": it is not set, expected mysql://…', {
      help: "A private server is seeded by itself; this is for a server of your own",
    });
  }
  const address = parseDatabaseUrl(url);
  await using connection = await connectToGiven(address);
  await using _held = await holdServer(address);
  await recreateTables(connection, address.name, { sql: await allData(), signal });
  report.line(`Recreated the tables of the scenarios in database "${address.name}"`);
}
