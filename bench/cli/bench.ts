/**
 * The command `bench`: measures one implementation, some or all of them, or resumes a run, and prints the
 * results.
 */
import { bold } from "@std/fmt/colors";
import { join } from "@std/path";
import type { Command } from "commander";
import { discoverImpl, listImplIds, requireListed } from "../impl/discover.ts";
import type { Impl } from "../impl/impl.ts";
import { BenchError, messageOf } from "../lib/error.ts";
import { formatInteger } from "../lib/format_integer.ts";
import {
  natural,
  positive,
  positiveList,
  profileArgument,
  runId,
  scenarioOption,
} from "./arguments.ts";
import { announce, lookForToolchains } from "./announce.ts";
import { type BenchRequest, requestOf } from "./bench_request.ts";
import { type CommandContext, examples } from "./command.ts";
import { measureAlone } from "./measure_alone.ts";
import { showOverview } from "./overview.ts";
import { describeKept, readResumable, requireJoinable, resumeCommand, withKept } from "./resume.ts";
import { describeMachine } from "../machine/describe.ts";
import { makePlan } from "../results/plan.ts";
import {
  defaultLevels,
  defaultPoolMax,
  defaultWarmUpRequests,
  profiles,
} from "../results/profiles.ts";
import { repeatCommand } from "../results/repeat_command.ts";
import { checkOutBase } from "../lib/base_checkout.ts";
import { differsFrom, readCheckout } from "../lib/git.ts";
import { silent } from "../lib/report.ts";
import { helpToFind } from "../lib/nearest.ts";
import type { RunFacts } from "../measure/begin_result.ts";
import { countDisturbedSteps } from "../measure/disturbed_steps.ts";
import { run } from "../measure/run.ts";
import { invalidParts } from "../results/invalid_parts.ts";
import { numberOf } from "../results/replicas.ts";
import { isValid } from "../results/outcome.ts";
import type { Result } from "../results/result_schema.ts";
import { defaultScenarioId } from "../scenario/ids.ts";
import { loadScenario } from "../scenario/list.ts";
import { newPlan } from "./new_plan.ts";
import { formatLevels, formatRest, formatResult } from "./show_result.ts";
import { commandToReproduce, readClaims } from "../site/claims/file.ts";
import { ohaVersion } from "../tools/oha.ts";
import { newRunId, resultPath } from "../results/store.ts";

const requestsOfProfiles = Object.entries(profiles)
  .map(([name, { requests }]) => `${name} ${formatInteger(requests)}`).join(", ");

/** Adds `bench`. */
export function addBench(program: Command, context: CommandContext): void {
  program.command("bench")
    .description("measure an implementation, some, or --all of them")
    .argument("[impl]", "a folder under impls/, or several: deno,node,bun")
    .addArgument(profileArgument("full"))
    .addOption(scenarioOption())
    .option("--all", "every implementation in turn; one that fails does not stop the others")
    .option(
      "--resume <run-id>",
      "continue an interrupted local run; of a complete one, repeat bursts that the machine left without figures, and deliveries that it disturbed",
      runId,
    )
    .option("--run-id <id>", "the run that the result belongs to (default: a new one)", runId)
    .option(
      "--replica <number>",
      "which of several machines this is, from 1 (default: 1; with --resume, the only one)",
      positive,
    )
    .option("--base <commit>", "measure the implementation at a branch, tag or commit")
    .option(
      "--attempt <count>",
      "attempt of the workflow run; from 2 on, the results form a run of their own (default: 1)",
      positive,
    )
    .option(
      "--levels <list>",
      `open connections, separated by commas (default: ${defaultLevels}, or the scenario's); if levels, requests, warm-up or pool differ from the profile's, levels are all that is measured`,
      positiveList,
    )
    .option(
      "--requests <count>",
      `measured requests at each level (default: ${requestsOfProfiles}, or the scenario's)`,
      positive,
    )
    .option(
      "--warm-up <count>",
      `unmeasured warm-up requests at each level (default: ${defaultWarmUpRequests})`,
      natural,
    )
    .option("--pool <count>", `database connections (default: ${defaultPoolMax})`, positive)
    .option(
      "--reproduces <article>",
      "id of the article whose counts these are; the run is not ranked",
    )
    .option("--accept-invalid", "exit with 0 even if a part is invalid; the result says which")
    .addHelpText(
      "after",
      examples(
        "bench deno",
        "bench rust quick",
        "bench deno,node,bun quick",
        "bench --all quick",
        "bench rust quick --scenario delay --base main",
        "bench rust smoke --scenario hello",
        "bench go --levels 10,50 --requests 20000",
        "bench --resume 20261122T123600Z-1f7e990",
      ),
    )
    .action(async (first: string | undefined, second: string | undefined, flags, self: Command) => {
      const request = requestOf(first, second, flags, self);
      const { implIds, all, resume } = request;
      if (implIds === undefined && !all && resume === undefined) {
        return await showOverview("bench", context);
      }
      await bench(request, context);
    });
}

/**
 * Measures implementations one after another, and prints the results: levels as soon as they are done.
 *
 * @throws {BenchError} when the run cannot start; later failures are results.
 */
export async function bench(
  request: BenchRequest,
  context: CommandContext,
): Promise<Result[]> {
  const { folders, report, signal, print } = context;
  await requireArticle(request, folders.root);
  if (request.resume === undefined && request.base === undefined) {
    // A wrong name is told at once, not after the wait.
    const wanted = { ...request, scenario: request.scenario ?? defaultScenarioId };
    const folder = folders.impls;
    await selectImpls(wanted, [], { report: silent, present: folder, folder });
  }
  await using _alone = await measureAlone(context);
  const machine = await describeMachine();
  const checkout = await readCheckout(folders.root);
  await using base = request.base === undefined
    ? undefined
    : await checkOutBase(folders.root, request.base, { folder: context.scratch });
  const earlier = request.resume === undefined
    ? []
    : await readResumable(request.resume, { ...request, folders, machine, checkout });
  const scenario = earlier[0]?.scenario ?? request.scenario ?? defaultScenarioId;
  const replica = earlier[0] === undefined ? request.replica : numberOf(earlier[0]);
  const { contract } = await loadScenario(scenario);
  const { impls, broken } = await selectImpls({ ...request, scenario }, earlier, {
    report,
    present: folders.impls,
    folder: base === undefined ? folders.impls : join(base.folder, "impls"),
  });
  const facts: RunFacts = {
    runId: request.resume ?? request.runId ?? newRunId(new Date(), checkout.commit),
    // The first has no number in its results.
    replica: replica === 1 ? undefined : replica,
    scenario,
    plan: earlier[0]?.plan ?? newPlan(request, contract),
    machine,
    checkout,
    implCommit: base?.commit,
    tools: { deno: Deno.version.deno, oha: ohaVersion },
  };
  const ids = impls.map(({ id }) => id);
  if (request.runId !== undefined) await requireJoinable(facts, ids, folders);
  // Each job of a joined run has a plan of its own, so one implementation is resumed at a time.
  const isOneOfRun = request.runId !== undefined ||
    request.resume !== undefined && request.implIds !== undefined;
  const isDone = request.resume !== undefined &&
    earlier.every((it) => it.status !== "incomplete" && countDisturbedSteps(it) === 0);
  report.line(
    isDone
      ? `Nothing of ${facts.runId} is left to measure; this is what it has. ` +
        "For a measurement of its own, or with another profile, leave --resume out."
      : announce(facts, await lookForToolchains(impls), earlier),
  );
  const shown = new Set<string>();
  const measuring = run({
    ...context.run,
    onStage: (stage, id) => {
      context.run?.onStage?.(stage, id);
      if (stage === "build") report.line(`Building ${id}`);
    },
    onLevelsDone: (result) => {
      print(formatLevels(result));
      shown.add(result.impl.id);
    },
    isChanged: () => differsFrom(folders.root, checkout.commit),
    impls,
    facts,
    earlier: new Map(earlier.map((result) => [result.impl.id, result])),
    runsFolder: folders.localRuns,
    folder: context.scratch,
    report,
    signal,
  });
  const results = await measuring.catch(async (error) => {
    const kept = { ...facts, implIds: isOneOfRun ? ids : undefined };
    throw await withKept(error, signal, () => describeKept(folders.localRuns, kept));
  });
  for (const result of results) {
    const { impl, levels, status } = result;
    const isSound = status === "complete" &&
      (request.acceptInvalid || levels.every(isValid) && invalidParts(result).length === 0);
    const rest = [impls.length > 1 ? bold(impl.id) : "", formatRest(result)];
    const texts = shown.has(impl.id) ? rest : [formatResult(result)];
    const implId = isOneOfRun ? impl.id : undefined;
    const disturbed = countDisturbedSteps(result);
    if (disturbed > 0 && facts.implCommit === undefined) {
      texts.push(
        `The machine disturbed ${disturbed === 1 ? "1 step" : `${disturbed} steps`}. ` +
          `Measure again: \`just ${resumeCommand(facts.runId, { replica, implId })}\``,
      );
    }
    texts.push(resultPath(folders.localRuns, result));
    print(texts.filter((text) => text !== "").join("\n"), isSound && !broken);
  }
  return results;
}

/** @throws {BenchError} when the article to be reproduced is none of the claims', or these counts are not its own. */
async function requireArticle(request: BenchRequest, root: string): Promise<void> {
  const { reproduces: id, implIds = [], scenario = defaultScenarioId, profile = "full" } = request;
  if (id === undefined) return;
  const { articles } = await readClaims(join(root, "site", "data", "claims.toml"));
  const known = Object.keys(articles);
  if (!known.includes(id)) {
    throw new BenchError(
      `Cannot reproduce "${id}": there is no such article, expected one of ${known.join(", ")}`,
      helpToFind(id, known),
    );
  }
  const { reproductions = [] } = articles[id]!;
  const commands = reproductions.map((reproduction) => commandToReproduce(id, reproduction));
  const plan = { ...makePlan(profile, request, 0), reproduces: id };
  for (const implId of implIds) {
    const command = repeatCommand(implId, scenario, plan);
    if (commands.includes(command)) continue;
    throw new BenchError(
      `Cannot reproduce "${id}" by \`${command}\`: these are not the article's counts, expected ${
        commands.length === 0 ? "another article, because this one gives none" : "one of these"
      }`,
      { help: commands.length === 0 ? undefined : commands.map((it) => `  ${it}`).join("\n") },
    );
  }
}

/**
 * Selects what to measure: the named implementations, all of them, or those of the run being resumed. With `--all`,
 * those that cannot be read are reported and skipped, and those that do not list the scenario are skipped.
 */
async function selectImpls(
  { implIds, all = false, scenario, base }: BenchRequest & { scenario: string },
  earlier: Result[],
  { folder, present, report }: Pick<CommandContext, "report"> & { folder: string; present: string },
): Promise<{ impls: Impl[]; broken: boolean }> {
  if (implIds !== undefined) {
    const of = base === undefined ? undefined : { name: base, present };
    const impls = await Promise.all(implIds.map((id) => discoverImpl(folder, id, of)));
    for (const impl of impls) requireListed(impl, scenario);
    return { impls, broken: false };
  }
  const impls: Impl[] = [];
  let broken = false;
  for (const id of all ? await listImplIds(folder) : earlier.map(({ impl }) => impl.id)) {
    try {
      const impl = await discoverImpl(folder, id);
      if (impl.manifest.scenarios.includes(scenario)) impls.push(impl);
    } catch (error) {
      if (!all || !(error instanceof BenchError)) throw error;
      report.line(messageOf(error));
      broken = true;
    }
  }
  if (impls.length === 0) {
    throw new BenchError(
      `Cannot measure: no implementation in "${folder}" lists ${scenario}, expected at least one`,
    );
  }
  return { impls, broken };
}
