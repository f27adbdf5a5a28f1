/**
 * Signs a token for each user of the database, in a file for the load generator.
 */
import { join } from "@std/path";
import { writeTokens } from "../../../tokens.gen.ts";
import type { Database } from "../../database/database.ts";

/** The tokens of one run. */
export interface Tokens {
  /** A file with one line `Authorization: Bearer <token>` per user. */
  headerLinesPath: string;
  count: number;
}

/** Longer than any run: only the side client sends tokens that expire under load. */
const expiresInSeconds = 24 * 60 * 60;

/** Writes the tokens of a run into `folder`. */
export async function makeTokens(
  database: Pick<Database, "connect">,
  { secret, folder, signal }: { secret: string; folder: string; signal: AbortSignal },
): Promise<Tokens> {
  const headerLinesPath = join(folder, "tokens.txt");
  await using connection = await database.connect();
  const count = await writeTokens(connection, {
    secret,
    output: headerLinesPath,
    expiresInSeconds,
    signal,
  });
  return { headerLinesPath, count };
}
