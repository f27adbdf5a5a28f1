import type { Command } from "commander";
import { fetchDatabase, openDatabase, requireChosenDatabase } from "../database/open.ts";
import { together } from "../lib/together.ts";
import { ensureHelpers } from "../measure/protocols.ts";
import { allData, allGrants } from "../scenario/list.ts";
import { ensureHugo, ensureLoneHelpers, ensureOha } from "../tools/tools.ts";
import { type CommandContext, examples } from "./command.ts";

/** Adds `setup`. */
export function addSetup(program: Command, { report, signal, scratch }: CommandContext): void {
  program.command("setup")
    .description("fetch and build the tools that are missing")
    .addHelpText("after", examples("setup"))
    .action(async () => {
      await requireChosenDatabase();
      await together(signal, [
        // One after the other, because each build uses every processor.
        async (signal) => {
          await ensureOha({ report, signal });
          await ensureHelpers({ report, signal });
          await ensureLoneHelpers({ report, signal });
        },
        (signal) => fetchDatabase({ report, signal }),
        (signal) => ensureHugo({ report, signal }),
      ]);
      await using database = await openDatabase({
        report,
        signal,
        folder: scratch,
        sql: await allData(),
        grants: await allGrants(),
      });
      report.line(`All tools are ready, and ${database.engine} ${database.version}`);
    });
}
