/**
 * The command line: takes the arguments of a recipe, does it, prints, and ends with an exit code: 0 done,
 * 1 something failed, 2 wrong usage, 130 after Ctrl-C. The only place that prints.
 */
import { getColorEnabled, red, setColorEnabled } from "@std/fmt/colors";
import { Command, CommanderError, InvalidArgumentError } from "commander";
import { join } from "@std/path";
import { exists } from "./lib/cache.ts";
import { bench, type CommandContext } from "./cli/bench.ts";
import { compareTwo } from "./cli/compare.ts";
import { openForExploring } from "./cli/db.ts";
import { doctor } from "./cli/doctor.ts";
import { addGitHubCommands } from "./cli/workflow_commands.ts";
import { lintWorkflows } from "./cli/lint_workflows.ts";
import { list } from "./cli/list.ts";
import { copyImpl } from "./cli/new.ts";
import { measureNoise } from "./cli/noise.ts";
import { buildSite, serveSite } from "./cli/site.ts";
import { verify } from "./cli/verify.ts";
import { measureCosts, writeCosts } from "./cli/cost/cost.ts";
import { openDatabase } from "./database/open.ts";
import { BenchError, errorsIn, messageOf } from "./lib/error.ts";
import { type Folders, foldersOf } from "./cli/folders.ts";
import { writeJsonSchema } from "./results/json_schema.ts";
import {
  defaultLevels,
  defaultPoolMax,
  defaultWarmUpRequests,
  isProfileName,
  profiles,
} from "./results/plan.ts";
import { ensureHelpers } from "./measure/protocols.ts";
import { publishNoise, publishRun } from "./results/publish.ts";
import { seedGivenDatabase } from "./scenario/jwt_mysql/seed.ts";
import { runIdSchema } from "./results/result_schema.ts";
import { measureSiteCost } from "./cli/cost/site_cost.ts";
import { createTerminalReport } from "./cli/terminal.ts";
import { ensureHugo, ensureOha } from "./tools/tools.ts";

/** Options for {@linkcode main}, of tests. */
export interface MainOptions {
  folders?: Folders;
  run?: CommandContext["run"];
}

/** Runs one command line, and returns its exit code. */
export async function main(args: string[], options: MainOptions = {}): Promise<number> {
  // The module of colours knows NO_COLOR, but not whether a terminal or a file takes what is written.
  const isSeen = Deno.stdout.isTerminal() && Deno.stderr.isTerminal();
  setColorEnabled(getColorEnabled() && isSeen);
  const interruption = new AbortController();
  const exitCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
  let exitCode = 0;
  const handlers = (["SIGINT", "SIGTERM", "SIGHUP"] as const).map((signal) => {
    const handler = () => {
      exitCode = exitCodes[signal];
      interruption.abort(new BenchError(`Interrupted by ${signal}`));
    };
    Deno.addSignalListener(signal, handler);
    return () => Deno.removeSignalListener(signal, handler);
  });
  using report = createTerminalReport();
  const scratch = await Deno.makeTempDir({ prefix: "backbench-" });
  const context: CommandContext = {
    folders: options.folders ?? foldersOf(),
    report,
    signal: interruption.signal,
    scratch,
    ...(options.run === undefined ? {} : { run: options.run }),
  };
  try {
    const isDone = await parse(args, context);
    return exitCode !== 0 ? exitCode : isDone ? 0 : 1;
  } catch (error) {
    report[Symbol.dispose]();
    if (interruption.signal.aborted) {
      console.error("Interrupted: everything that was started is stopped");
      return exitCode;
    }
    // Commander has printed its message, or the help that was asked for.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    const [failure] = errorsIn(error);
    if (!(failure instanceof BenchError)) throw error;
    console.error(red(failure.message));
    if (failure.help !== undefined) console.error(failure.help);
    return 1;
  } finally {
    for (const remove of handlers) remove();
    await Deno.remove(scratch, { recursive: true }).catch(() => {});
  }
}

/** Parses the arguments and does what they say; returns whether it went well. */
async function parse(args: string[], context: CommandContext): Promise<boolean> {
  const { folders, report, signal } = context;
  let isDone = true;
  const program = new Command("just")
    .description("Backbench measures web backends on a realistic job.")
    .exitOverride().showHelpAfterError("Run it with --help to see how it is used.");
  const command = (name: string, description: string) =>
    program.command(name).description(description);

  command("bench", "measure an implementation, or --all of them")
    .argument("[impl]", "a folder under impls/")
    .argument("[profile]", `one of ${Object.keys(profiles).join(", ")} (default: full)`)
    .option("--all", "every implementation, one after the other; goes on after one that fails")
    .option("--resume <run-id>", "add to a local run what it still lacks")
    .option("--run-id <id>", "of the run that this is a part of (default: a new one)", runIdOf)
    .option("--levels <list>", `open connections (default: ${defaultLevels})`, positiveList)
    .option("--requests <count>", "measured requests at each level", positive)
    .option(
      "--warm-up <count>",
      `requests before them (default: ${defaultWarmUpRequests})`,
      natural,
    )
    .option("--pool <count>", `database connections (default: ${defaultPoolMax})`, positive)
    .action(async (first: string | undefined, second: string | undefined, flags, self: Command) => {
      // `bench --all quick`: the only word is the profile.
      const [implId, profile] = second === undefined && first !== undefined && isProfileName(first)
        ? [undefined, first]
        : [first, second];
      const usage = (message: string) => self.error(`error: ${message}`);
      if (profile !== undefined && !isProfileName(profile)) {
        return usage(
          `profile is "${profile}", expected one of ${Object.keys(profiles).join(", ")}`,
        );
      }
      if (implId === undefined && !flags.all && flags.resume === undefined) {
        return usage("no implementation is named, expected one, or --all");
      }
      if (implId !== undefined && flags.all) {
        return usage(`"${implId}" and --all are given, expected one of them`);
      }
      const { all, resume, runId, levels, requests, warmUp: warmUpRequests, pool: poolMax } = flags;
      const hasPlan = [profile, levels, requests, warmUpRequests, poolMax].some((v) =>
        v !== undefined
      );
      if (resume !== undefined && hasPlan) {
        return usage("a profile or count is given with --resume, which takes those of its run");
      }
      const highest = Math.max(...(levels ?? defaultLevels));
      const measured = requests ?? profiles[profile ?? "full"].requests;
      if (measured < highest) {
        return usage(
          `${measured} requests for ${highest} connections, expected at least one for each`,
        );
      }
      const outcome = await bench(
        { implId, profile, all, resume, runId, levels, requests, warmUpRequests, poolMax },
        context,
      );
      console.log(outcome.text);
      isDone = outcome.isValid;
    });

  command("verify", "check the contract of an implementation")
    .argument("<impl>", "a folder under impls/")
    .action(async (implId: string) => {
      const { text, isGood } = await verify(implId, context);
      console.log(text);
      isDone = isGood;
    });
  command("compare", "tell which of two is faster, and how sure that is")
    .argument("<subject>", "an implementation")
    .argument("[reference]", "another one, or control")
    .argument("[profile]", `one of ${Object.keys(profiles).join(", ")} (default: full)`)
    .option("--base <commit>", "compare with the same implementation at a branch, tag or commit")
    .action(async (subjectId: string, second: string | undefined, third, { base }, self) => {
      // `compare deno --base main quick`: the second word is the profile.
      const [referenceId, profile = "full"] = base === undefined
        ? [second, third]
        : [undefined, second];
      const usage = (message: string) => self.error(`error: ${message}`);
      if (base === undefined && referenceId === undefined) {
        return usage("no reference is given, expected another implementation, or --base <commit>");
      }
      if (base !== undefined && third !== undefined) {
        return usage(`"${second}" and --base are given, expected one of them`);
      }
      if (!isProfileName(profile)) {
        return usage(
          `profile is "${profile}", expected one of ${Object.keys(profiles).join(", ")}`,
        );
      }
      console.log(await compareTwo({ subjectId, referenceId, base, profile }, context));
    });
  command("noise", "compare an implementation with itself, again and again")
    .argument("<impl>", "a folder under impls/")
    .argument("[profile]", `one of ${Object.keys(profiles).join(", ")}`, "quick")
    .option("--rounds <count>", "comparisons", positive, 20)
    .action(async (implId: string, profile: string, { rounds }, self: Command) => {
      if (!isProfileName(profile)) {
        return self.error(
          `error: profile is "${profile}", expected one of ${Object.keys(profiles).join(", ")}`,
        );
      }
      console.log(await measureNoise({ implId, profile, comparisons: rounds }, context));
    });
  command("list", "show the implementations")
    .action(async () => {
      const { text, isGood } = await list(folders.impls);
      console.log(text);
      isDone = isGood;
    });
  command("new", "begin an implementation as a copy of another")
    .argument("<id>", "the new folder under impls/")
    .requiredOption("--like <impl>", "the implementation to copy")
    .action(async (id: string, { like }) => {
      const files = await copyImpl(id, { folder: folders.impls, like });
      console.log(
        `impls/${id} is a copy of impls/${like}, ${files.length} files. Change what its impl.toml says and its ` +
          `code, and run \`just verify ${id}\` until it says that the contract is met.`,
      );
    });
  command("lint-workflows", "look for mistakes and weaknesses in .github")
    .action(async () => {
      const { text, isGood } = await lintWorkflows(context);
      console.log(text);
      isDone = isGood;
    });
  command("doctor", "show every tool, toolchain and database provider, or what to install")
    .action(async () => {
      const { text, isGood } = await doctor(context);
      console.log(text);
      isDone = isGood;
    });
  command("setup", "fetch and build the tools that are missing")
    .action(async () => {
      await ensureOha({ report, signal });
      await ensureHelpers({ report, signal });
      await ensureHugo({ report, signal });
      await using database = await openDatabase({ report, signal, folder: context.scratch });
      report.line(`Everything is here, and ${database.engine} ${database.version}`);
    });
  command("cost", "measure what the harness itself takes, into the table of bench/README.md")
    .action(async () => {
      const table = await measureCosts(context);
      await writeCosts(folders.root, table);
      console.log(table);
    });
  command("db", "start the private database with its 100,000 users and leave it running")
    .action(() => openForExploring(context));
  command("seed", "make the table `users` anew in the database that DATABASE_URL names")
    .action(() => seedGivenDatabase({ report, signal }));
  command(
    "publish",
    "check a local run, or measurement of noise, and copy it to where the site reads",
  )
    .argument("<id>", "a folder under .bench/runs/, or a file under .bench/noise/ without .json")
    .action(async (id: string) => {
      const { localRuns, publishedRuns, localNoise, publishedNoise } = folders;
      const path = await exists(join(localNoise, `${id}.json`))
        ? await publishNoise(id, { localFolder: localNoise, publishedFolder: publishedNoise })
        : await publishRun(id, { localFolder: localRuns, publishedFolder: publishedRuns });
      console.log(path);
    });
  command("site", "serve the site, local runs included")
    .option("--port <port>", "where (default: 1313)", positive)
    .action(({ port }) => serveSite(port ?? 1313, context));
  command("site-build", "build the site into site/public, warnings as errors")
    .option("--base-url <url>", "where it will be published")
    .action(({ baseUrl }) => buildSite(baseUrl, context));
  command("site-cost", "measure what the site takes when it has grown")
    .option("--runs <count>", "how many (default: 1000)", positive)
    .option("--impls <count>", "in each run (default: 10)", positive)
    .action(async ({ runs, impls }) =>
      console.log(await measureSiteCost({ runs: runs ?? 1000, impls: impls ?? 10 }, context))
    );
  command("schema", "write the JSON Schema of results for the site")
    .action(async () => console.log(await writeJsonSchema(folders.root)));

  addGitHubCommands(command, context);

  await program.parseAsync(args, { from: "user" });
  return isDone;
}

function runIdOf(text: string): string {
  const parsed = runIdSchema.safeParse(text);
  if (!parsed.success) {
    throw new InvalidArgumentError(`It is "${text}", ${parsed.error.issues[0]?.message}.`);
  }
  return parsed.data;
}

function positive(text: string): number {
  const value = natural(text);
  if (value === 0) throw new InvalidArgumentError(`It is 0, expected a whole number from 1.`);
  return value;
}

function natural(text: string): number {
  if (!/^\d{1,9}$/.test(text)) {
    throw new InvalidArgumentError(`It is "${text}", expected a whole number, like 500.`);
  }
  return Number(text);
}

function positiveList(text: string): number[] {
  return text.split(",").map((part) => positive(part.trim()));
}

if (import.meta.main) {
  try {
    Deno.exit(await main(Deno.args));
  } catch (error) {
    // A mistake of ours, with its stack.
    console.error(error);
    console.error(`Cannot go on: ${messageOf(error)}. This is a bug: please report it.`);
    Deno.exit(1);
  }
}
