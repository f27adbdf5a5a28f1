// deno-lint-ignore-file no-console -- the command line prints
/**
 * The command line: runs a recipe's command, and exits with 0 done, 1 something failed, 2 wrong usage, 130 after
 * Ctrl-C, after stopping everything that it started.
 */
import { getColorEnabled, red, setColorEnabled } from "@std/fmt/colors";
import { CommanderError } from "commander";
import type { CommandContext } from "./cli/command.ts";
import { foldersOf } from "./cli/folders.ts";
import { makeProgram } from "./cli/program.ts";
import { createTerminalReport } from "./cli/terminal.ts";
import { BenchError, failureOf, Kept, messageOf } from "./lib/error.ts";
import { makeScratch } from "./lib/scratch.ts";

const exitCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

type Settings = Partial<Pick<CommandContext, "folders" | "run">> & {
  commands?: Parameters<typeof makeProgram>[1];
};

/** Runs one command line, and returns its exit code; tests give folders, options and commands of their own. */
export async function main(
  args: string[],
  { folders = foldersOf(), run, commands }: Settings = {},
): Promise<number> {
  // The colour module respects NO_COLOR, but does not check for a terminal.
  const isSeen = Deno.stdout.isTerminal() && Deno.stderr.isTerminal();
  setColorEnabled(getColorEnabled() && isSeen);
  let exitCode = 0;
  const interruption = new AbortController();
  const handlers = (["SIGINT", "SIGTERM", "SIGHUP"] as const).map((signal) => {
    const handler = () => {
      exitCode = exitCodes[signal];
      interruption.abort(new BenchError(`Interrupted by ${signal}`));
    };
    Deno.addSignalListener(signal, handler);
    return () => Deno.removeSignalListener(signal, handler);
  });
  using report = createTerminalReport();
  const { signal } = interruption;
  const print = (text: string, isGood = true) => {
    report[Symbol.dispose]();
    console.log(text);
    if (!isGood) exitCode ||= 1;
  };
  try {
    await using scratch = await makeScratch();
    const context = { folders, report, signal, scratch: scratch.path, print, run };
    const program = makeProgram(context, commands);
    await program.parseAsync(args, { from: "user" });
    return exitCode;
  } catch (error) {
    report[Symbol.dispose]();
    // Commander has printed its message, or the help.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    const failure = failureOf(error);
    if (signal.aborted) console.error("Interrupted: everything that was started is stopped");
    else if (failure instanceof BenchError) console.error(red(failure.message));
    else throw failure;
    // What a program that Ctrl-C ended would need is no help.
    const helping = signal.aborted ? Kept : BenchError;
    if (failure instanceof helping && failure.help !== undefined) console.error(failure.help);
    return exitCode || 1;
  } finally {
    for (const remove of handlers) remove();
  }
}

if (import.meta.main) {
  try {
    Deno.exit(await main(Deno.args));
  } catch (error) {
    // A bug, with its stack.
    console.error(error);
    console.error(`Cannot go on: ${messageOf(error)}. This is a bug: please report it.`);
    Deno.exit(1);
  }
}
