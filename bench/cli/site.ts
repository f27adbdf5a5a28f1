import { join } from "@std/path";
import type { Command } from "commander";
import { port } from "./arguments.ts";
import { type CommandContext, examples } from "./command.ts";
import { deriveSite } from "../site/derive.ts";
import { BenchError } from "../lib/error.ts";
import type { Folders } from "./folders.ts";
import { hugoEnvironment } from "../site/hugo.ts";
import { isTaken } from "../lib/free_port.ts";
import { endOfLog } from "../lib/log_lines.ts";
import { describeExit, runOrThrow, runProcess } from "../lib/process.ts";
import { together } from "../lib/together.ts";
import { ensureHugo } from "../tools/tools.ts";

/** Adds `site` and `site-build`. */
export function addSite(program: Command, context: CommandContext): void {
  program.command("site")
    .description("serve the site, local runs included")
    .option("--port <port>", "port to listen on", port, 1313)
    .addHelpText("after", examples("site", "site --port 8080"))
    .action(({ port }) => serveSite(port, context));
  program.command("site-build")
    .description("build the site into site/public, without local runs, warnings as errors")
    .option("--base-url <url>", "where it will be published")
    .addHelpText("after", examples("site-build", "site-build --base-url https://example.org/"))
    .action(({ baseUrl }) => buildSite(baseUrl, context));
}

/**
 * Builds the site into `site/public`; a warning is an error.
 *
 * @throws {BenchError} when a file is damaged, or with Hugo's message.
 */
async function buildSite(
  baseUrl: string | undefined,
  { folders, report, signal, scratch }: CommandContext,
): Promise<void> {
  const [hugo] = await together(signal, [
    (signal) => ensureHugo({ report, signal }),
    () => deriveSite(derivation(folders)),
  ]);
  const logPath = join(scratch, "hugo.log");
  const source = ["--source", join(folders.root, "site")];
  const flags = ["--panicOnWarning", "--cleanDestinationDir"];
  const address = baseUrl === undefined ? [] : ["--baseURL", baseUrl];
  const build = [hugo.path, ...source, ...flags, ...address];
  await runOrThrow("Cannot build the site", build, { logPath, signal, env: hugoEnvironment });
  report.line(`The site is in ${join(folders.root, "site", "public")}`);
}

/** Serves the site on 127.0.0.1, local runs included, until Ctrl-C. */
export async function serveSite(
  port: number,
  { folders, report, signal, scratch }: CommandContext,
): Promise<void> {
  if (isTaken(port)) {
    throw new BenchError(
      `Cannot serve the site on port ${port}: it is taken, or may not be used, expected a free one`,
      { help: "Name another one: `just site --port 8080`" },
    );
  }
  await Deno.mkdir(folders.localRuns, { recursive: true });
  const [hugo] = await together(signal, [
    (signal) => ensureHugo({ report, signal }),
    // In a folder of its own: a build meanwhile is not to have local runs.
    () =>
      deriveSite({
        ...derivation(folders),
        localRuns: folders.localRuns,
        target: join(folders.root, "site", ".derived-local"),
      }),
  ]);
  const logPath = join(scratch, "hugo.log");
  const url = `http://127.0.0.1:${port}/`;
  report.line(`Serving ${url} with local runs; Ctrl-C stops it`);
  const source = ["--source", join(folders.root, "site"), "--config", "hugo.toml,hugo.local.toml"];
  const address = ["--bind", "127.0.0.1", "--port", String(port), "--baseURL", url];
  const flags = ["--renderToMemory", "--disableFastRender"];
  const serve = [hugo.path, "server", ...source, ...address, ...flags];
  const exit = await runProcess(serve, { logPath, signal });
  throw new BenchError(`Cannot serve the site: Hugo ended with ${describeExit(exit)}`, {
    help: await endOfLog(logPath),
  });
}

/** Returns the sources and the target of the site's data; `hugo.toml` mounts the target. */
function derivation({ root, publishedRuns, publishedNoise }: Folders) {
  return {
    publishedRuns,
    noiseFolder: publishedNoise,
    claimsPath: join(root, "site", "data", "claims.toml"),
    workflowPath: join(root, ".github", "workflows", "bench.yml"),
    target: join(root, "site", ".derived"),
  };
}
