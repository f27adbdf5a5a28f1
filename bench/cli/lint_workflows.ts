import type { Command } from "commander";
import { type CommandContext, type CommandResult, examples } from "./command.ts";
import { ensureActionlint, ensureZizmor } from "../tools/tools.ts";
import { outputOf } from "../lib/output_of.ts";

/** Adds `lint-workflows`. */
export function addLintWorkflows(program: Command, context: CommandContext): void {
  program.command("lint-workflows")
    .description("check .github for mistakes and weaknesses")
    .addHelpText("after", examples("lint-workflows"))
    .action(async () => {
      const { text, isGood } = await lintWorkflows(context);
      context.print(text, isGood);
    });
}

/** Looks for mistakes (actionlint) and weaknesses (zizmor) in workflows and actions; returns what was found. */
async function lintWorkflows({ folders, report, signal }: CommandContext): Promise<CommandResult> {
  const actionlint = await ensureActionlint({ report, signal });
  const zizmor = await ensureZizmor({ report, signal });
  const commands = [
    // Without the optional programs that it would use if present, so that the result is the same everywhere.
    [actionlint.path, "-no-color", "-shellcheck=", "-pyflakes="],
    [zizmor.path, "--offline", "--quiet", "--color=never", "--persona=pedantic", "."],
  ];
  const found: string[] = [];
  let isGood = true;
  for (const command of commands) {
    const { success, stdout, stderr } = await outputOf(command, { cwd: folders.root, signal });
    signal.throwIfAborted();
    if (success) continue;
    isGood = false;
    found.push(stdout + stderr);
  }
  return { text: isGood ? "No finding in .github" : found.join("\n").trimEnd(), isGood };
}
