import Table from "cli-table3";
import type { Command } from "commander";
import { type CommandContext, examples } from "./command.ts";
import { discoverImpl, listImplIds } from "../impl/discover.ts";
import { BenchError } from "../lib/error.ts";

/** Adds `list`. */
export function addList(program: Command, { folders, print }: CommandContext): void {
  program.command("list")
    .description("show the implementations")
    .addHelpText("after", examples("list"))
    .action(async () => {
      const { text, isGood } = await list(folders.impls);
      print(text, isGood);
    });
}

/** Returns the implementations below `folder` as a table, what is wrong with some of them under it. */
export async function list(folder: string): Promise<{ text: string; isGood: boolean }> {
  const table = new Table({
    head: [
      "implementation",
      "name",
      "class",
      "language",
      "framework",
      "driver",
      "JWT",
      "scenarios",
    ],
    style: { head: [], border: [], compact: true },
  });
  const broken: string[] = [];
  for (const id of await listImplIds(folder)) {
    try {
      const { name, class: implClass, language, framework, driver, jwt, scenarios } =
        (await discoverImpl(folder, id)).manifest;
      table.push([
        id,
        name,
        implClass,
        language,
        framework,
        driver ?? "–",
        jwt ?? "–",
        scenarios.join(", "),
      ]);
    } catch (error) {
      if (!(error instanceof BenchError)) throw error;
      broken.push(error.message);
    }
  }
  return { text: [table.toString(), ...broken].join("\n"), isGood: broken.length === 0 };
}
