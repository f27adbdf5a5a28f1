/**
 * The command `bench`: turns what a person asked for into a run, or takes up an interrupted one, and shows
 * what came out.
 */
import { join } from "@std/path";
import { discoverImpl, listImplIds } from "../impl/discover.ts";
import { type Impl } from "../impl/impl.ts";
import { exists } from "../lib/cache.ts";
import { BenchError, messageOf } from "../lib/error.ts";
import type { Folders } from "./folders.ts";
import { describeMachine, machineDifferences } from "../machine/describe.ts";
import { makePlan, type PlanOverrides, type ProfileName } from "../results/plan.ts";
import { readCheckout } from "../lib/git.ts";
import { createRandom, shuffle } from "../lib/random.ts";
import type { Report } from "../lib/report.ts";
import type { RunFacts } from "../measure/begin_result.ts";
import { run, type RunOptions } from "../measure/run.ts";
import { lastRepetition, type Plan, type Result } from "../results/result_schema.ts";
import { formatResult } from "./show_result.ts";
import { formatDuration } from "./terminal.ts";
import { ohaVersion } from "../load/build_oha.ts";
import { newRunId, readRun, resultPath } from "../results/store.ts";

/** What a person asked for. */
export interface BenchRequest extends PlanOverrides {
  implId?: string;
  all?: boolean;
  profile?: ProfileName;
  resume?: string;
  /** Of the run that this is a part of: jobs of one workflow share it. */
  runId?: string;
}

/** Where a command works and whom it tells. */
export interface CommandContext {
  folders: Folders;
  report: Report;
  signal: AbortSignal;
  /** Scratch, gone when the command ends. */
  scratch: string;
  /** Options of tests, passed on to the run. */
  run?: Pick<RunOptions, "onStage" | "startTimeoutMs">;
}

/** What came out, and whether all of it is a valid measurement. */
export interface BenchOutcome {
  text: string;
  isValid: boolean;
  results: Result[];
}

/**
 * Measures one implementation, or all of them.
 *
 * @throws {BenchError} when nothing could be begun; what fails after that is a result.
 */
export async function bench(
  request: BenchRequest,
  context: CommandContext,
): Promise<BenchOutcome> {
  const { folders, report, signal } = context;
  const machine = await describeMachine();
  const checkout = await readCheckout(folders.root);
  const earlier = request.resume === undefined
    ? []
    : await readResumable(request.resume, { folders, machine, checkout });
  const { impls, broken } = await selectImpls(request, earlier, folders.impls, report);
  const facts: RunFacts = {
    runId: request.resume ?? request.runId ?? newRunId(new Date(), checkout.commit),
    plan: earlier[0]?.plan ?? newPlan(request),
    machine,
    checkout,
    tools: { deno: Deno.version.deno, oha: ohaVersion },
  };
  report.line(announce(facts, impls));
  const results = await run({
    ...context.run,
    onStage: (stage, id) => {
      context.run?.onStage?.(stage, id);
      if (stage === "build") report.line(`Building ${id}`);
      if (stage === "verify") report.line(`Verifying ${id}`);
    },
    impls,
    facts,
    earlier: new Map(earlier.map((result) => [result.impl.id, result])),
    runsFolder: folders.localRuns,
    folder: context.scratch,
    report,
    signal,
  });
  const paths = results.map(({ runId, impl }) => resultPath(folders.localRuns, runId, impl.id));
  return {
    text: [...results.map(formatResult), ...paths].join("\n\n"),
    isValid: !broken && results.every(isValidResult),
    results,
  };
}

function isValidResult({ status, levels }: Result): boolean {
  return status === "complete" && levels.every((level) => lastRepetition(level).validity.valid);
}

function newPlan({ profile = "full", ...overrides }: BenchRequest): Plan {
  const [seed] = crypto.getRandomValues(new Uint32Array(1));
  const plan = makePlan(profile, overrides, seed!);
  return { ...plan, levels: shuffle(plan.levels, createRandom(plan.seed)) };
}

/**
 * Chooses what to measure: the one that was named, all of them, or those that an interrupted run lacks. With
 * all of them, one that cannot be read is told and left out.
 */
async function selectImpls(
  { implId, all = false }: BenchRequest,
  earlier: Result[],
  folder: string,
  report: Report,
): Promise<{ impls: Impl[]; broken: boolean }> {
  if (implId !== undefined) return { impls: [await discoverImpl(folder, implId)], broken: false };
  const impls: Impl[] = [];
  let broken = false;
  for (const id of all ? await listImplIds(folder) : earlier.map(({ impl }) => impl.id)) {
    try {
      impls.push(await discoverImpl(folder, id));
    } catch (error) {
      if (!all || !(error instanceof BenchError)) throw error;
      report.line(messageOf(error));
      broken = true;
    }
  }
  if (impls.length === 0) {
    throw new BenchError(`Cannot measure: no implementation in "${folder}", expected at least one`);
  }
  return { impls, broken };
}

/**
 * Reads the run that is to be gone on with.
 *
 * @throws {BenchError} when it is published, or was measured on another machine or at another commit: its
 * numbers and the new ones could not stand in one table.
 */
async function readResumable(
  runId: string,
  { folders, machine, checkout }: {
    folders: Folders;
    machine: RunFacts["machine"];
    checkout: RunFacts["checkout"];
  },
): Promise<Result[]> {
  if (await exists(join(folders.publishedRuns, runId))) {
    throw new BenchError(`Cannot resume "${runId}": it is published, expected an unpublished run`, {
      help: "Published runs never change. Measure again without --resume.",
    });
  }
  const results = await readRun(folders.localRuns, runId);
  for (const result of results) {
    const differences = machineDifferences(result.machine, machine);
    if (result.provenance.commit !== checkout.commit) {
      differences.push(`commit is ${checkout.commit}, was ${result.provenance.commit}`);
    }
    if (result.provenance.dirty !== checkout.dirty) {
      differences.push(
        checkout.dirty
          ? "there are uncommitted changes now, there were none"
          : "there are no uncommitted changes now, there were some",
      );
    }
    if (differences.length > 0) {
      throw new BenchError(
        `Cannot resume "${runId}": ${differences.join("; ")}, expected the same machine and commit`,
        { help: "Measure again without --resume." },
      );
    }
  }
  return results;
}

/** What is assumed of a backend before anything is known of it, to say how long this may take. */
const assumedGoodputPerSecond = 5_000;
const assumedSecondsBesidesLoad = 15;
const assumedSecondsOfRound = 10;
const assumedSecondsOfStart = 3;

function secondsBesideLevels({ comparison, ladder, startupRuns = 0 }: Plan): number {
  const { minRounds, budgetSeconds, levels } = comparison ??
    { minRounds: 0, budgetSeconds: 0, levels: [] };
  const { ratesPerSecond, secondsPerRung } = ladder ?? { ratesPerSecond: [], secondsPerRung: 0 };
  return Math.max(budgetSeconds, minRounds * (1 + levels.length) * assumedSecondsOfRound) +
    ratesPerSecond.length * secondsPerRung + startupRuns * assumedSecondsOfStart;
}

function announce({ runId, plan }: RunFacts, impls: Impl[]): string {
  const { levels, requests, profile } = plan;
  const seconds = impls.length *
    (levels.length * (requests / assumedGoodputPerSecond + assumedSecondsBesidesLoad) +
      secondsBesideLevels(plan));
  return `Run ${runId} (${profile}): ${impls.map(({ id }) => id).join(", ")} at ${
    levels.join(", ")
  } connections, ${requests.toLocaleString("en")} requests each; some ${
    formatDuration(seconds)
  } at ${assumedGoodputPerSecond.toLocaleString("en")} answers per second`;
}
