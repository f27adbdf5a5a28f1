/**
 * With what do requests prove who they are? Makes the run's own secret, and signs a token with it for each
 * user of the database: the file that the load generator reads.
 */
import { encodeHex } from "@std/encoding";
import { join } from "@std/path";
import { writeTokens } from "../../../tokens.gen.ts";
import type { Database } from "../../database/database.ts";

/** The tokens of one run. */
export interface Tokens {
  /** Of {@linkcode makeSecret}; implementations take the text, not the bytes it stands for. */
  secret: string;
  /** A file with one line `Authorization: Bearer <token>` for each user. */
  headerLinesPath: string;
  count: number;
}

/** Longer than any run: a token that expires under load is sent by the side client only. */
const expiresInSeconds = 24 * 60 * 60;

/** Makes a secret that was never used before: 64 hexadecimal digits. */
export function makeSecret(): string {
  return encodeHex(crypto.getRandomValues(new Uint8Array(32)));
}

/** Writes the tokens of a run into `folder`. */
export async function makeTokens(
  database: Pick<Database, "connect">,
  { folder, signal }: { folder: string; signal: AbortSignal },
): Promise<Tokens> {
  const secret = makeSecret();
  const headerLinesPath = join(folder, "tokens.txt");
  await using connection = await database.connect();
  const count = await writeTokens(connection, {
    secret,
    output: headerLinesPath,
    expiresInSeconds,
    signal,
  });
  return { secret, headerLinesPath, count };
}
