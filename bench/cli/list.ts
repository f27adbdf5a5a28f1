import { bold } from "@std/fmt/colors";
import type { Command } from "commander";
import { alignColumns } from "./columns.ts";
import { type CommandContext, examples } from "./command.ts";
import { discoverImpl, listImplIds } from "../impl/discover.ts";
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

/** Returns the implementations below `folder` as a table, and below it an error for each one that cannot be read. */
export async function list(folder: string): Promise<{ text: string; isGood: boolean }> {
  const rows = [["id", "name", "scenarios"]];
  const broken: string[] = [];
  for (const id of await listImplIds(folder)) {
    try {
      const { name, scenarios } = (await discoverImpl(folder, id)).manifest;
      rows.push([id, name, describeScenarios(scenarios)]);
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
  return missing.length < listed.length ? `all but ${missing.join(", ")}` : listed.join(", ");
}
