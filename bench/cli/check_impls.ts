import type { Command } from "commander";
import { type CommandContext, type CommandResult, examples } from "./command.ts";
import { checkImpl, repairsOf } from "../impl/check.ts";
import { discoverImpl, listImplIds } from "../impl/discover.ts";

/** Adds `check-impls`. */
export function addCheckImpls(program: Command, context: CommandContext): void {
  program.command("check-impls")
    .description("run the formatter and linter of implementations")
    .argument("[impls...]", "folders under impls/ (default: all)")
    .addHelpText("after", examples("check-impls", "check-impls deno"))
    .action(async (ids: string[]) => {
      const { text, isGood } = await checkImpls(context, ids);
      context.print(text, isGood);
    });
}

/**
 * Runs the formatter and linter of implementations below `folders.impls`, by default of all; returns a line for each, and
 * what was found.
 */
export async function checkImpls(
  { folders, report, signal }: Pick<CommandContext, "folders" | "report" | "signal">,
  ids: readonly string[] = [],
): Promise<CommandResult> {
  const lines: string[] = [];
  let isGood = true;
  for (const id of ids.length > 0 ? ids : await listImplIds(folders.impls)) {
    const impl = await discoverImpl(folders.impls, id);
    report.line(`Checking ${id}`);
    const findings = await checkImpl(impl, signal);
    isGood &&= (findings ?? []).length === 0;
    for (const { command, output } of findings ?? []) {
      lines.push(`${id}: \`${command.join(" ")}\` failed`, output);
    }
    if (findings !== undefined && findings.length > 0) {
      const repairs = (await repairsOf(impl)).map((command) => `\`${command.join(" ")}\``);
      lines.push(
        `${id}: ${repairs.join(" and ")}, in impls/${id}, ${
          repairs.length === 1 ? "repairs" : "repair"
        } what a tool can; the rest is for you`,
      );
    }
    if (findings === undefined) {
      lines.push(`${id}: no separate checks (its build runs them, or it has none)`);
    } else if (findings.length === 0) lines.push(`${id}: no finding`);
  }
  return { text: lines.join("\n"), isGood };
}
