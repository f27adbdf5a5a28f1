import type { Command } from "commander";
import type { Report } from "../lib/report.ts";
import type { RunOptions } from "../measure/run.ts";
import type { Folders } from "./folders.ts";

/** The context of a command: its folders and how it reports. */
export interface CommandContext {
  folders: Folders;
  report: Report;
  signal: AbortSignal;
  /** Scratch, gone when the command ends. */
  scratch: string;
  /** Prints a result to stdout; the program exits with 1 unless it is good. */
  print(text: string, isGood?: boolean): void;
  /** Options of tests, passed on to the run. */
  run?: Pick<RunOptions, "onStage" | "startTimeoutMs" | "mostRepeats">;
}

/** What a command prints, and whether the program exits with 0. */
export interface CommandResult {
  text: string;
  isGood: boolean;
}

/** Adds one command to the program, or a few that belong together. */
export type AddCommand = (program: Command, context: CommandContext) => void;

const exitCodes =
  "Exit codes: 0 done; 1 something failed or is invalid; 2 wrong usage; 130 after Ctrl-C.";

/** Returns the exit codes and the examples at the end of a command's help. */
export function examples(...commands: string[]): string {
  const heading = commands.length === 1 ? "Example:" : "Examples:";
  const lines = commands.map((command) => `  just ${command}`);
  return ["", exitCodes, "", heading, ...lines].join("\n");
}
