/**
 * What does the site take when it has grown? Makes an archive of runs, derives it and has Hugo build it:
 * seconds, peak memory, pages and their weight. A measurement, not a test: it judges nothing.
 */
import { delay } from "@std/async";
import type { Command } from "commander";
import { join, resolve } from "@std/path";
import { positive } from "../../cli/arguments.ts";
import { type ArchiveSize, writeArchive } from "./archive.ts";
import { type CommandContext, examples } from "../../cli/command.ts";
import { deriveSite } from "../../site/derive.ts";
import { BenchError } from "../../lib/error.ts";
import { formatInteger } from "../../lib/format_integer.ts";
import { hugoEnvironment } from "../../site/hugo.ts";
import { peakRss } from "../../machine/proc.ts";
import { logTail } from "../../lib/log_lines.ts";
import { startProcess } from "../../lib/process.ts";
import { siteMounts } from "../site_mounts.ts";
import { ensureHugo } from "../../tools/tools.ts";

/** Adds `site-cost`. */
export function addSiteCost(program: Command, context: CommandContext): void {
  program.command("site-cost")
    .description("measure what the site takes when it has grown")
    .option("--runs <count>", "runs in the archive", positive, 1000)
    .option("--impls <count>", "implementations in each run", positive, 10)
    .option("--scenarios <count>", "scenarios that take turns", positive, 1)
    .option("--keep <folder>", "where to leave the site, to look at it")
    .addHelpText("after", examples("site-cost --runs 100"))
    .action(async (size: Archive) => context.print(await measureSiteCost(size, context)));
}

/** What is measured. */
interface Archive extends ArchiveSize {
  /** A folder for the built site; with the scratch files it is removed otherwise. */
  keep?: string;
}

/** Measures, and returns one line for each figure. */
async function measureSiteCost(
  size: Archive,
  { folders, report, signal, scratch }: CommandContext,
): Promise<string> {
  const hugo = await ensureHugo({ report, signal });
  const target = size.keep === undefined ? join(scratch, "public") : resolve(size.keep);
  const inScratch = (name: string) => join(scratch, name);
  report.line(`Writing ${size.runs} runs of ${size.impls} implementations`);
  await writeArchive(inScratch("runs"), size);

  const derive = async () => {
    const startMs = performance.now();
    await deriveSite({
      publishedRuns: inScratch("runs"),
      noiseFolder: inScratch("noise"),
      claimsPath: join(folders.root, "site", "data", "claims.toml"),
      workflowPath: join(folders.root, ".github", "workflows", "bench.yml"),
      target: inScratch("derived"),
    });
    return secondsSince(startMs);
  };
  report.line("Deriving");
  const derived = await derive();

  report.line("Building");
  await Deno.writeTextFile(
    inScratch("runs.toml"),
    siteMounts({ runs: inScratch("runs"), derived: inScratch("derived") }),
  );
  const logPath = inScratch("hugo.log");
  const startMs = performance.now();
  await using process = startProcess([
    hugo.path,
    ...["--source", join(folders.root, "site"), "--config", `hugo.toml,${inScratch("runs.toml")}`],
    ...["--destination", target, "--baseURL", "https://example.org/backbench/"],
    ...["--panicOnWarning", "--noBuildLock"],
  ], { logPath, env: hugoEnvironment });
  let peakBytes = 0;
  while (process.exited() === undefined) {
    peakBytes = Math.max(peakBytes, peakRss(process.pid) ?? 0);
    await delay(50, { signal });
  }
  const built = secondsSince(startMs);
  if (process.exited()?.code !== 0) {
    throw new BenchError("Cannot build the archive's site", { help: await logTail(logPath) });
  }
  const weights = await weighPages(target);
  const heaviest = Math.max(...weights.values());
  return [
    `derive: ${derived}`,
    `build: ${built}, ${formatInteger(peakBytes / 1024 ** 2)} MiB at the most`,
    `pages: ${weights.size}, the heaviest ${Math.round(heaviest / 1e3)} kB: ${
      [...weights].find(([, bytes]) => bytes === heaviest)?.[0]
    }`,
  ].join("\n");
}

/** Returns as text how long ago that was, in milliseconds of `performance.now()`. */
export function secondsSince(startMs: number): string {
  return `${((performance.now() - startMs) / 1000).toFixed(1)} s`;
}

/** Returns the bytes of each HTML file below a folder, by its path. */
async function weighPages(folder: string, prefix = ""): Promise<Map<string, number>> {
  const weights = new Map<string, number>();
  for await (const { name, isDirectory } of Deno.readDir(join(folder, prefix))) {
    const path = join(prefix, name);
    if (isDirectory) {
      for (const [inner, bytes] of await weighPages(folder, path)) weights.set(inner, bytes);
    } else if (name.endsWith(".html")) {
      weights.set(path, (await Deno.stat(join(folder, path))).size);
    }
  }
  return weights;
}
