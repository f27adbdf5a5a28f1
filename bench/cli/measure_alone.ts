/** One command measures in a checkout at a time: others would build into the same folders, and use the same processors. */
import { join } from "@std/path";
import { holdLock } from "../lib/lock.ts";
import type { CommandContext } from "./command.ts";

/** Waits until no other command measures in this checkout, which is said, and keeps others waiting until it is disposed of. */
export async function measureAlone(
  { folders, report, signal }: Pick<CommandContext, "folders" | "report" | "signal">,
): Promise<AsyncDisposable> {
  return await holdLock(join(folders.root, ".bench", "measuring.lock"), {
    signal,
    onWait: () =>
      report.line("Waiting for another command that measures or verifies in this checkout"),
  });
}
