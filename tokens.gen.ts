// deno-lint-ignore-file no-console -- it is a command line
/**
 * Writes one signed token for each user of the database: a file of request header lines, for a load
 * generator that sends a random one of them with each request. It tells its usage with `--help`.
 */
import { createSecretKey } from "node:crypto";
import { Command, CommanderError, InvalidArgumentError } from "commander";
// @ts-types="npm:@types/jsonwebtoken@9.0.10"
import jwt from "jsonwebtoken";
import type { Connection } from "mysql2/promise";
import { connectToGiven, parseDatabaseUrl } from "./bench/database/given.ts";
import { BenchError, messageOf } from "./bench/lib/error.ts";
import { userBatches } from "./bench/scenario/jwt_mysql/user_rows.ts";

/** Options for {@linkcode writeTokens}. */
export interface WriteTokensOptions {
  /** The key of HS256, as text. */
  secret: string;
  /** The file to write: it is there whole or not at all. */
  output: string;
  expiresInSeconds: number;
  signal: AbortSignal;
}

/**
 * Writes a line `Authorization: Bearer <token>` for each email in the table `users`, signed with HS256, with
 * the claims `email`, `iat` and `exp`, and returns how many lines there are.
 *
 * @throws {BenchError} when the table has no rows, or the file cannot be written.
 */
export async function writeTokens(
  connection: Connection,
  { secret, output, expiresInSeconds, signal }: WriteTokensOptions,
): Promise<number> {
  const iat = Math.floor(Date.now() / 1000);
  const exp = iat + expiresInSeconds;
  // From text, jsonwebtoken makes such a key anew for each token, which takes longer than to sign.
  const key = createSecretKey(new TextEncoder().encode(secret));
  const temporary = `${output}.${crypto.randomUUID()}.tmp`;
  try {
    // A token is as good as a password while its secret is in use.
    using file = await Deno.open(temporary, { write: true, createNew: true, mode: 0o600 });
    const writer = file.writable.getWriter();
    let count = 0;
    for await (const users of userBatches(connection, ["email"])) {
      signal.throwIfAborted();
      const lines = users.map(([email]) =>
        `Authorization: Bearer ${jwt.sign({ email, iat, exp }, key, { algorithm: "HS256" })}\n`
      );
      await writer.write(new TextEncoder().encode(lines.join("")));
      count += lines.length;
    }
    await writer.close();
    if (count === 0) throw new BenchError('table "users" has no rows, expected users');
    await Deno.rename(temporary, output);
    return count;
  } catch (cause) {
    await Deno.remove(temporary).catch(() => {});
    signal.throwIfAborted();
    throw new BenchError(`Cannot write "${output}": ${messageOf(cause)}`, { cause });
  }
}

async function main(args: string[]): Promise<void> {
  const program = new Command("tokens.gen.ts")
    .description("Writes one HS256 token for each user, a request header line each")
    .requiredOption("--output <file>", "where to write the lines")
    .option("--expires-in <seconds>", "how long the tokens are valid", parseSeconds, 86_400)
    .addHelpText(
      "after",
      "\nEnvironment:\n" +
        "  DATABASE_URL  the database with the table `users`: mysql://user:password@host:3306/name\n" +
        "  JWT_SECRET    the key that signs the tokens",
    )
    .exitOverride();
  program.parse(args, { from: "user" });
  const { output, expiresIn } = program.opts<{ output: string; expiresIn: number }>();
  const url = requireVariable("DATABASE_URL");
  const secret = requireVariable("JWT_SECRET");

  const { signal } = new AbortController();
  await using connection = await connectToGiven(parseDatabaseUrl(url));
  const count = await writeTokens(connection, {
    secret,
    output,
    expiresInSeconds: expiresIn,
    signal,
  });
  console.error(`Wrote ${count} lines to ${output}`);
}

function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (Number.isSafeInteger(seconds) && seconds > 0) return seconds;
  throw new InvalidArgumentError(`It is "${text}", expected a whole number of seconds from 1.`);
}

function requireVariable(name: string): string {
  const value = Deno.env.get(name);
  if (value) return value;
  throw new BenchError(`Cannot read "${name}": it is not set, expected it in the environment`, {
    help: "deno run -A tokens.gen.ts --help",
  });
}

if (import.meta.main) {
  try {
    await main(Deno.args);
  } catch (error) {
    // Commander has printed its message, or the help.
    if (error instanceof CommanderError) Deno.exit(error.exitCode === 0 ? 0 : 2);
    if (!(error instanceof BenchError)) throw error;
    console.error(error.message);
    if (error.help !== undefined) console.error(error.help);
    Deno.exit(1);
  }
}
