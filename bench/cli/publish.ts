import { join } from "@std/path";
import type { Command } from "commander";
import { exists } from "../lib/exists.ts";
import { publishNoise, publishRun } from "../results/publish.ts";
import { runId } from "./arguments.ts";
import { type CommandContext, examples } from "./command.ts";

/** Adds `publish`. */
export function addPublish(program: Command, { folders, print }: CommandContext): void {
  program.command("publish")
    .description("check a local run or noise measurement, and copy it to site/data")
    .argument(
      "<id>",
      "a folder under .bench/runs/, or a file under .bench/noise/ without .json",
      runId,
    )
    .addHelpText("after", examples("publish 20261122T123600Z-1f7e990"))
    .action(async (id: string) => {
      const { localRuns, publishedRuns, localNoise, publishedNoise } = folders;
      const path = await exists(join(localNoise, `${id}.json`))
        ? await publishNoise(id, { localFolder: localNoise, publishedFolder: publishedNoise })
        : await publishRun(id, { localFolder: localRuns, publishedFolder: publishedRuns });
      print(`${path}\nCommit it: the site shows it from then on.`);
    });
}
