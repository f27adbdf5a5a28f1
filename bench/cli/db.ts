import { bold } from "@std/fmt/colors";
import type { Command } from "commander";
import { type CommandContext, examples } from "./command.ts";
import { urlOf } from "../database/connection.ts";
import { openDatabase } from "../database/open.ts";
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

const howToUse = `To try an implementation by hand, in impls/<id>:
  export DATABASE_URL=<the URL above> JWT_SECRET=x
  HOST=127.0.0.1 PORT=8080 DB_POOL_MAX=16 <its start>
  ../../bench/deno.sh run -A ../../tokens.gen.ts --output /tmp/tokens # a request with a token for each user`;

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
      `  ${bold(urlOf(database.address))}\nCtrl-C stops it. ${howToUse}`,
  );
  // Ctrl-C may have come while it was opened: then no event will.
  signal.throwIfAborted();
  await new Promise((resolve) => signal.addEventListener("abort", resolve));
  signal.throwIfAborted();
}
