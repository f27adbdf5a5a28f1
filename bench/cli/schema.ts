import type { Command } from "commander";
import { writeJsonSchema } from "../results/json_schema.ts";
import { type CommandContext, examples } from "./command.ts";

/** Adds `schema`. */
export function addSchema(program: Command, { folders, print }: CommandContext): void {
  program.command("schema")
    .description("write the JSON Schema of results for the site")
    .addHelpText("after", examples("schema"))
    .action(async () => print(await writeJsonSchema(folders.root)));
}
