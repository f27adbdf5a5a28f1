import type { CommandContext } from "./command_bench.ts";
import { openDatabase } from "./database.ts";
import { BenchError } from "./error.ts";
import { loadSeed, seed } from "./seed.ts";

/**
 * Drops the table of users in the database that DATABASE_URL names, and makes it anew.
 *
 * @throws {BenchError} without DATABASE_URL: a private server has its users already.
 */
export async function seedGivenDatabase(
  { report, signal, scratch }: CommandContext,
): Promise<void> {
  if (!Deno.env.get("DATABASE_URL")) {
    throw new BenchError(
      "Cannot seed: DATABASE_URL is not set, expected mysql://user:password@host/name",
      {
        help: "Without it, a private server is used, which has its users already.",
      },
    );
  }
  await using database = await openDatabase({ report, signal, folder: scratch });
  await using connection = await database.connect();
  await loadSeed(connection, { signal });
  const { rows } = await seed(database, { signal });
  report.line(`The table users has ${rows} rows now`);
}
