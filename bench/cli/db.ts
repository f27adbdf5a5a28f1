import { bold } from "@std/fmt/colors";
import type { CommandContext } from "./bench.ts";
import { openDatabase } from "../database/open.ts";
import { seed } from "../scenario/jwt_mysql/seed.ts";

/** Opens the database, says how to reach it, and leaves it there until Ctrl-C. */
export async function openForExploring(
  { report, signal, scratch }: CommandContext,
): Promise<void> {
  await using database = await openDatabase({ report, signal, folder: scratch });
  const { rows } = await seed(database, { signal });
  report.line(
    `${database.engine} ${database.version} (${database.provider}) with ${rows} users:\n` +
      `  ${bold(database.url)}\nCtrl-C stops it.`,
  );
  await new Promise((resolve) => signal.addEventListener("abort", resolve));
  signal.throwIfAborted();
}
