import { green, red } from "@std/fmt/colors";
import { join } from "@std/path";
import { buildImpl } from "../impl/build.ts";
import type { Command } from "commander";
import { scenarioOption } from "./arguments.ts";
import { type CommandContext, type CommandResult, examples } from "./command.ts";
import { measureAlone } from "./measure_alone.ts";
import { showOverview } from "./overview.ts";
import { discoverImpl, requireListed } from "../impl/discover.ts";
import { gitPaths, untrackedIn } from "../lib/git.ts";
import { defaultPoolMax } from "../results/profiles.ts";
import { findToolchain } from "../impl/toolchains.ts";
import type { Startable } from "../impl/start.ts";
import { findProblems, openGround, requireDatabase } from "../measure/ground.ts";
import { loadScenario } from "../scenario/list.ts";
import { formatProblems } from "../scenario/verify.ts";
import { ensureLauncher } from "../tools/tools.ts";
import { lockedVersions } from "../impl/lock_files.ts";

/** Adds `verify`. */
export function addVerify(program: Command, context: CommandContext): void {
  program.command("verify")
    .description("check an implementation's answers against the contract")
    .argument("[impl]", "a folder under impls/")
    .addOption(scenarioOption("all that it lists"))
    .addHelpText("after", examples("verify deno", "verify deno --scenario hello"))
    .action(async (implId: string | undefined, flags: { scenario?: string }) => {
      if (implId === undefined) return await showOverview("verify", context);
      const { text, isGood } = await verify({ implId, scenario: flags.scenario }, context);
      context.print(text, isGood);
    });
}

/**
 * Builds and starts one implementation and checks the whole contract of one of its scenarios, or of each.
 *
 * @throws {BenchError} when its versions cannot be read, or it cannot be built or started.
 */
export async function verify(
  { implId, scenario }: { implId: string; scenario?: string },
  context: CommandContext,
): Promise<CommandResult> {
  const { folders, report, signal } = context;
  const impl = await discoverImpl(folders.impls, implId);
  if (scenario !== undefined) requireListed(impl, scenario);
  const toolchain = await findToolchain(impl);
  // Not needed here, but a later measurement would fail if versions cannot be read.
  await lockedVersions(impl, toolchain);
  await requireDatabase([impl]);
  const launcher = await ensureLauncher({ report, signal });
  await using _alone = await measureAlone(context);
  const folder = join(folders.impls, implId);
  const begunMs = Date.now();
  // Sources that nobody has committed yet are not left by anything; of those that are, all that is new is.
  const isCommitted =
    (await gitPaths(folder, "ls-files", "-z", "--", ".").catch(() => [])).length > 0;
  const before = isCommitted ? new Map<string, number>() : await unknownFiles(folder);
  report.line(`Building ${implId}`);
  await buildImpl(impl, { toolchain, launcher, signal });
  const texts: string[] = [];
  let isGood = true;
  for (const id of scenario === undefined ? impl.manifest.scenarios : [scenario]) {
    const verified = await verifyOne({ impl, toolchain }, id, context);
    texts.push(verified.text);
    isGood &&= verified.isGood;
  }
  const left = [...await unknownFiles(folder)]
    .flatMap(([path, changedMs]) => before.has(path) && changedMs < begunMs ? [] : [path]);
  if (left.length > 0) {
    texts.push(red(leftBehind(implId, left)));
    return { text: texts.join("\n"), isGood: false };
  }
  if (!isGood && impl.needs.includes("database")) {
    texts.push("To try it by hand: `just db` starts the database, and says how.");
  }
  return { text: texts.join("\n"), isGood };
}

/** Returns the files that git does not know, and when each was changed; none where git cannot tell. */
async function unknownFiles(folder: string): Promise<Map<string, number>> {
  const paths = await untrackedIn(folder, ".").catch(() => []);
  const found = paths.map(async (path): Promise<[string, number][]> => {
    // It may have gone meanwhile.
    const info = await Deno.lstat(join(folder, path)).catch(() => undefined);
    return info === undefined ? [] : [[path, info.mtime?.getTime() ?? 0]];
  });
  return new Map((await Promise.all(found)).flat());
}

/** Returns what is wrong with files, left by a build or a server, for which each result would be refused. */
function leftBehind(implId: string, files: readonly string[]): string {
  const [first] = files;
  const others = files.length - 1;
  return `Cannot publish results of ${implId}: git does not track "${first}"` +
    `${
      others === 0 ? "" : ` and ${others} other file${others === 1 ? "" : "s"}`
    }, expected every ` +
    "file there to be committed or, if a build or server leaves it, named in a .gitignore";
}

async function verifyOne(
  side: Startable,
  scenarioId: string,
  { report, signal, scratch, run }: CommandContext,
): Promise<CommandResult> {
  await using ground = await openGround({
    scenario: await loadScenario(scenarioId),
    impls: [side.impl],
    poolMax: defaultPoolMax,
    folder: scratch,
    report,
    signal,
    startTimeoutMs: run?.startTimeoutMs,
  });
  const { id } = side.impl;
  const server = ground.scenario.database?.server;
  const against = server === undefined ? "" : ` against ${server.engine} ${server.version}`;
  report.line(`Verifying ${id}, ${scenarioId}${against}`);
  let logged: string[] = [];
  const problems = await findProblems(side, ground, (lines) => logged = lines);
  const outage = server !== undefined && server.outage === undefined
    ? "\nLoss of the database was not checked: the harness does not stop the server of DATABASE_URL"
    : "";
  const count = `${problems.length} problem${problems.length === 1 ? "" : "s"}`;
  return {
    text: problems.length === 0
      ? green(`${id} meets the contract of ${scenarioId}`) + outage
      : formatProblems(problems, logged) + red(`\n${id}, ${scenarioId}: ${count}`) + outage,
    isGood: problems.length === 0,
  };
}
