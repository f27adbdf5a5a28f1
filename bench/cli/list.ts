import { bold } from "@std/fmt/colors";
import type { Command } from "commander";
import { alignColumns } from "./columns.ts";
import { type CommandContext, type CommandResult, examples } from "./command.ts";
import { discoverImpl, listImplIds } from "../impl/discover.ts";
import type { Impl } from "../impl/impl.ts";
import { BenchError } from "../lib/error.ts";
import { scenarioIds } from "../scenario/ids.ts";

/** Adds `list`. */
export function addList(program: Command, { folders, print }: CommandContext): void {
  program.command("list")
    .description("list the implementations")
    .addHelpText("after", examples("list"))
    .action(async () => {
      const { text, isGood } = await list(folders.impls);
      print(text, isGood);
    });
}

/** Returns the id, name and scenarios of an implementation: a row of a table. */
export function rowOf({ id, manifest: { name, scenarios } }: Impl): string[] {
  return [id, name, describeScenarios(scenarios)];
}

/** Returns the implementations below `folder` as a table, and below it an error for each one that cannot be read. */
export async function list(folder: string): Promise<CommandResult> {
  const rows = [["id", "name", "scenarios"]];
  const broken: string[] = [];
  for (const id of await listImplIds(folder)) {
    try {
      rows.push(rowOf(await discoverImpl(folder, id)));
    } catch (error) {
      if (!(error instanceof BenchError)) throw error;
      broken.push(error.message);
    }
  }
  const [head, ...lines] = alignColumns(rows);
  return { text: [bold(head!), ...lines, ...broken].join("\n"), isGood: broken.length === 0 };
}

/** Names scenarios, or those that are missing where these are fewer. */
export function describeScenarios(listed: readonly string[]): string {
  const missing = scenarioIds.filter((id) => !listed.includes(id));
  if (missing.length === 0) return "all";
  if (missing.length < listed.length) return `all but ${missing.join(", ")}`;
  return scenarioIds.filter((id) => listed.includes(id)).join(", ");
}
