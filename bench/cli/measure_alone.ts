/**
 * What holds before a command measures: it is the only one in its checkout, because others would build into the same
 * folders and use the same processors; and it may use all processors, or says that it may not.
 */
import { join } from "@std/path";
import { holdLock } from "../lib/lock.ts";
import { processorCount } from "../machine/proc.ts";
import type { CommandContext } from "./command.ts";

/** Waits until no other command measures in this checkout, which is said, and keeps others waiting until it is disposed of. */
export async function measureAlone(
  { folders, report, signal }: Pick<CommandContext, "folders" | "report" | "signal">,
): Promise<AsyncDisposable> {
  const lock = await holdLock(join(folders.root, ".bench", "measuring.lock"), {
    signal,
    onWait: () =>
      report.line("Waiting for another command that measures or verifies in this checkout"),
  });
  const warning = limitWarning(navigator.hardwareConcurrency, processorCount());
  if (warning !== undefined) report.line(warning);
  return lock;
}

/** Warns where this command may not use all processors of the machine; undefined where it may. */
export function limitWarning(usable: number, present: number): string | undefined {
  if (usable >= present) return undefined;
  return `Only ${usable} of ${present} processors may be used here: the kernel counts how busy all are, so bottlenecks, ` +
    "background load and steal time are told wrongly. Measure without a limit (taskset, cgroups, a container's --cpus).";
}
