import { bold } from "@std/fmt/colors";
import type { Command } from "commander";
import { type CommandContext, examples } from "./command.ts";
import { urlOf } from "../database/connection.ts";
import type { DatabaseAddress } from "../database/database.ts";
import { openDatabase } from "../database/open.ts";
import { contractEnvironment } from "../impl/start.ts";
import { randomHex } from "../lib/random.ts";
import { defaultPoolMax } from "../results/profiles.ts";
import { allData, allGrants } from "../scenario/list.ts";
import { seedGivenDatabase } from "../scenario/seed_given.ts";

/** Adds `db`. */
export function addDb(program: Command, context: CommandContext): void {
  program.command("db")
    .description("start the database with its data, and leave it running")
    .addHelpText("after", examples("db"))
    .action(() => openForExploring(context));
}

/** Adds `seed`. */
export function addSeed(program: Command, { report, signal }: CommandContext): void {
  program.command("seed")
    .description("recreate the scenarios' tables in the database that DATABASE_URL names")
    .addHelpText("after", examples("seed"))
    .action(() => seedGivenDatabase({ report, signal }));
}

/** An address at which nothing answers: port 9 is that of the discard protocol (RFC 863). */
const noUpstream = { url: "http://127.0.0.1:9" };

/** Says how to start a built implementation on a database by hand, with all that the contract gives to a server. */
export function howToTry(database: { address: DatabaseAddress }, secret: string): string {
  const given = contractEnvironment({ needs: ["database", "tokens", "upstream"] }, 8080, {
    database,
    poolMax: defaultPoolMax,
    secret,
    upstream: noUpstream,
  });
  const variables = Object.entries(given)
    .map(([name, value]) => `${name}='${value.replaceAll("'", "'\\''")}'`);
  return `To try an implementation by hand, in its folder, in another terminal that is for nothing else:
  export ${variables.join(" ")}
  ../../bench/deno.sh run -A ../../tokens.gen.ts --output /tmp/tokens # a request with a token for each user
  PATH="$PWD/node_modules/.bin:$PATH" <start of impl.toml> # instead of deno: ../../bench/deno.sh
No upstream runs.`;
}

/** Opens the database, prints its URL, and leaves it running until Ctrl-C. */
async function openForExploring(
  { report, signal, scratch }: CommandContext,
): Promise<void> {
  await using database = await openDatabase({
    report,
    signal,
    folder: scratch,
    sql: await allData(),
    grants: await allGrants(),
  });
  report.line(
    `${database.engine} ${database.version} (${database.provider}):\n` +
      `  ${bold(urlOf(database.address))}\nCtrl-C stops it. ${howToTry(database, randomHex(32))}`,
  );
  // Ctrl-C may have come while it was opened: then no event will.
  signal.throwIfAborted();
  await new Promise((resolve) => signal.addEventListener("abort", resolve));
  signal.throwIfAborted();
}
