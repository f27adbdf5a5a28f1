// deno-lint-ignore-file no-console -- it is a command line
/**
 * Writes one signed token for each user of the database: a file of requests, a JSON object per line, for a load
 * generator that sends one after the other. It tells its usage with `--help`.
 */
import { Command, CommanderError, InvalidArgumentError } from "commander";
import type { Connection } from "mysql2/promise";
import { connectToGiven, parseDatabaseUrl } from "./bench/database/given.ts";
import { BenchError } from "./bench/lib/error.ts";
import { formatInteger } from "./bench/lib/format_integer.ts";
import { makeToken, nowSeconds } from "./bench/scenario/jwt_mysql/forged_tokens.ts";
import { requestLine } from "./bench/scenario/jwt_mysql/request_file.ts";
import { writeLines } from "./bench/scenario/write_lines.ts";
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
 * Writes a request for each email in the table `users`, with a token that is signed with HS256 and has the claims
 * `email`, `iat` and `exp`, and returns how many there are.
 *
 * @throws {BenchError} when the table has no rows, or the file cannot be written.
 */
export async function writeTokens(
  connection: Connection,
  { secret, output, expiresInSeconds, signal }: WriteTokensOptions,
): Promise<number> {
  const iat = nowSeconds();
  const exp = iat + expiresInSeconds;
  async function* requests() {
    let count = 0;
    for await (const users of userBatches(connection)) {
      for (const [email] of users) yield requestLine(makeToken({ email, iat, exp }, { secret }));
      count += users.length;
    }
    if (count === 0) {
      throw new BenchError('table "users" has no rows, expected users', {
        help: "Fill it: just seed",
      });
    }
  }
  return await writeLines(output, requests(), signal);
}

async function main(args: string[]): Promise<void> {
  const program = new Command("tokens.gen.ts")
    .description("Writes a request with an HS256 token for each user, a line of JSON each")
    .requiredOption("--output <file>", "where to write the requests")
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
  console.error(`Wrote ${formatInteger(count)} requests to ${output}`);
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
    help: "bench/deno.sh run -A tokens.gen.ts --help",
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
