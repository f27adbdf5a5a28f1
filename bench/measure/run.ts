/**
 * Run: the whole measurement, a line per stage and a file of that name for each. Takes implementations and a plan;
 * returns a result for each implementation, and writes it whenever a stage ends, so that an interrupted run keeps its
 * complete levels.
 */
import { delay } from "@std/async";
import { buildImpl } from "../impl/build.ts";
import type { Impl } from "../impl/impl.ts";
import { BenchError, RunBroken } from "../lib/error.ts";
import { loadScenario } from "../scenario/list.ts";
import { partsDone } from "../results/parts_done.ts";
import type { Result, Stage } from "../results/result_schema.ts";
import { createRandom, shuffle } from "../lib/random.ts";
import { together } from "../lib/together.ts";
import { fetchDatabase } from "../database/open.ts";
import type { Report } from "../lib/report.ts";
import { beginResult, type RunFacts } from "./begin_result.ts";
import {
  addComparison,
  addFrame,
  addRateSweep,
  addStartup,
  addUpstreamLimit,
  ensureBurstTools,
  ensureHelpers,
  judgesUpstream,
  measureCeilingAt,
  needsHelpers,
} from "./protocols.ts";
import { requestLines } from "./workload.ts";
import { requireDescriptors } from "./descriptors.ts";
import { countDisturbedSteps } from "./disturbed_steps.ts";
import { addDurable } from "./durable.ts";
import { addBurstStep, addDeliveryStep, isBurstDue, isRateDue } from "./steps.ts";
import { requireSameFacts } from "./same_facts.ts";
import { type GroundOptions, type GroundStage, openGround, requireDatabase } from "./ground.ts";
import { measureLevel, verifyContestant } from "./levels.ts";
import type { Contestant, Session } from "./session.ts";
import { StartError } from "../impl/start.ts";
import { findToolchain, noToolchain } from "../impl/toolchains.ts";
import { ensureLauncher, ensureNative, ensureOha } from "../tools/tools.ts";
import { lockedVersions } from "../impl/lock_files.ts";
import { writeResult } from "../results/store.ts";

/** Options for {@linkcode run}. */
export interface RunOptions {
  impls: Impl[];
  facts: RunFacts;
  /** Results of the run being resumed, by implementation. */
  earlier?: ReadonlyMap<string, Result>;
  runsFolder: string;
  /** Scratch: logs, tokens, the private database. */
  folder: string;
  report: Report;
  signal: AbortSignal;
  /** Called when a stage starts, with the implementation if it concerns one. */
  onStage?: (stage: Stage | GroundStage, implId?: string) => void;
  /** Called when all levels of an implementation are measured and written, before the other protocols. */
  onLevelsDone?: (result: Result) => void;
  startTimeoutMs?: number;
  /** Tells whether the checkout no longer has the files of its commit; asked after each part of a run that began clean. */
  isChanged?: () => Promise<boolean>;
  /** How often what the machine disturbed is measured again, at most; see {@linkcode GroundOptions}. */
  mostRepeats?: GroundOptions["mostRepeats"];
}

/** Measures every implementation, and continues after one that fails, because a failure is a result. */
export async function run(options: RunOptions): Promise<Result[]> {
  const { facts, signal } = options;
  const scenario = await loadScenario(facts.scenario);
  await requireDescriptors(facts.plan, scenario.contract);
  await requireDatabase([scenario.contract, ...options.impls]);
  const { launcher, oha, helpers, burstTools, native } = await ensureTools(options);

  const contestants: Contestant[] = [];
  for (const impl of shuffle(options.impls, createRandom(facts.plan.seed))) {
    contestants.push(await enter(impl, options));
  }
  for (const contestant of contestants) {
    await attempt(
      contestant,
      "build",
      options,
      async () => {
        const seconds = await buildImpl(contestant.impl, { ...contestant, launcher, signal });
        contestant.result.buildSeconds ??= seconds;
      },
    );
  }
  if (!contestants.some(isOpen)) {
    return contestants.map(({ result }) => result);
  }

  await using ground = await openGround({ ...options, ...facts.plan, scenario });
  const session: Session = { ...ground, facts, oha, requestLines: requestLines(facts.plan) };
  const beside = helpers === undefined ? undefined : { ...session, helpers };
  const known = {};

  for (const { result } of contestants.filter(isOpen)) {
    requireSame(result, "database", ground.databaseFacts);
  }
  for (const contestant of contestants) {
    await attempt(contestant, "verify", options, () => {
      contestant.result.database = ground.databaseFacts;
      return verifyContestant(contestant, session);
    });
    if (judgesUpstream(facts.plan)) {
      await attempt(
        contestant,
        "measure",
        options,
        () => addUpstreamLimit(contestant, session, known),
      );
    }
    for (const connections of facts.plan.levels) {
      if (contestant.result.levels.some((level) => level.connections === connections)) continue;
      await attempt(contestant, "measure", options, async () => {
        // First, so that an interruption of it takes no level with it.
        const ceiling = beside && await measureCeilingAt(connections, beside);
        const level = await measureLevel(contestant, connections, session);
        if (ceiling !== undefined) addFrame(contestant.result, level, ceiling);
        contestant.result.levels.push(level);
      });
    }
    if (isOpen(contestant) && contestant.result.status === "incomplete") {
      options.onLevelsDone?.(contestant.result);
    }
    if (facts.plan.durable !== undefined) {
      await attempt(contestant, "measure", options, () => addDurable(contestant, session));
    }
    if (beside !== undefined) {
      const add = (stage: Stage, work: typeof addRateSweep) =>
        attempt(contestant, stage, options, () => work(contestant, beside));
      await add("compare", addComparison);
      await add("rate-sweep", addRateSweep);
      await add("startup", addStartup);
    }
    const { bursts, deliveries } = facts.plan;
    if (bursts !== undefined && burstTools !== undefined) {
      for (const step of bursts.steps) {
        if (!isBurstDue(contestant.result, step)) continue;
        const add = () => addBurstStep(contestant, { plan: bursts, step }, session, burstTools);
        await attempt(contestant, "bursts", options, add);
      }
    }
    if (deliveries !== undefined && native !== undefined) {
      for (const step of deliveries.steps) {
        if (!isRateDue(contestant.result, step)) continue;
        const add = () => addDeliveryStep(contestant, { plan: deliveries, step }, session, native);
        await attempt(contestant, "deliveries", options, add);
      }
    }
    await end(contestant, options);
  }
  return contestants.map(({ result }) => result);
}

/**
 * Fetches and builds missing tools: builds one after the other, because cargo uses every processor, downloads
 * meanwhile.
 */
async function ensureTools({ facts: { plan }, impls, report, signal }: RunOptions) {
  const build = async (signal: AbortSignal) => ({
    launcher: await ensureLauncher({ report, signal }),
    oha: await ensureOha({ report, signal }),
    helpers: needsHelpers(plan) ? await ensureHelpers({ report, signal }) : undefined,
    burstTools: plan.bursts && await ensureBurstTools({ report, signal }),
    native: plan.deliveries && await ensureNative({ report, signal }),
  });
  const download = async (signal: AbortSignal) => {
    if (impls.some(({ needs }) => needs.includes("database"))) {
      await fetchDatabase({ report, signal });
    }
  };
  const [tools] = await together(signal, [build, download]);
  return tools;
}

/** Finds an implementation's toolchain and versions, and creates its result file. */
async function enter(impl: Impl, options: RunOptions): Promise<Contestant> {
  options.onStage?.("discover", impl.id);
  const earlier = options.earlier?.get(impl.id);
  let toolchain = noToolchain;
  const isAgain = earlier !== undefined && countDisturbedSteps(earlier) > 0;
  // Any other finished result is not touched, even if its toolchain has changed since.
  if (earlier !== undefined && earlier.status !== "incomplete" && !isAgain) {
    return { impl, toolchain, result: earlier };
  }
  let locked = new Map<string, string>();
  let failure: BenchError | undefined;
  try {
    toolchain = await findToolchain(impl);
    locked = await lockedVersions(impl, toolchain);
  } catch (error) {
    if (!(error instanceof BenchError)) throw error;
    // In a terminal, Ctrl-C also ends the program that was asked, and this may be known before the signal is.
    await delay(0);
    options.signal.throwIfAborted();
    failure = error;
  }
  const fresh = await beginResult(impl, toolchain, locked, options.facts);
  if (failure === undefined && earlier !== undefined) requireSame(earlier, "impl", fresh.impl);
  const kept = isAgain ? structuredClone(earlier) : undefined;
  const contestant: Contestant = { impl, toolchain, result: earlier ?? fresh, kept };
  if (failure !== undefined) fail(contestant, "discover", failure, options);
  await writeResult(options.runsFolder, contestant.result);
  return contestant;
}

/**
 * Runs one stage of an implementation that has not failed before, and writes the result; a complete one of which steps are
 * measured again, only with such a step. Its failure becomes its result; anything else, such as a {@linkcode RunBroken}, is
 * a failure of the harness and ends the run.
 */
async function attempt(
  contestant: Contestant,
  stage: Stage,
  options: RunOptions,
  work: () => Promise<void>,
): Promise<void> {
  options.signal.throwIfAborted();
  if (!isOpen(contestant)) return;
  options.onStage?.(stage, contestant.impl.id);
  try {
    await work();
  } catch (error) {
    options.signal.throwIfAborted();
    if (!(error instanceof BenchError) || error instanceof RunBroken) throw error;
    fail(contestant, error instanceof StartError ? "start" : stage, error, options);
  }
  const { result, kept, isLeft = false } = contestant;
  const isStep = stage === "bursts" || stage === "deliveries";
  if (isLeft || kept !== undefined && !isStep) return;
  if (kept !== undefined) result.endedAt = new Date().toISOString();
  // First, because git may fail, or be interrupted.
  await writeResult(options.runsFolder, result);
  if (await markIfChanged(result, options)) await writeResult(options.runsFolder, result);
  if (kept !== undefined) contestant.kept = structuredClone(result);
}

/** Marks a result whose sources, or the harness that measures it, are no longer those of its commit; tells whether it did. */
async function markIfChanged(
  { impl, provenance }: Result,
  { isChanged, report }: RunOptions,
): Promise<boolean> {
  if (provenance.dirty || !await isChanged?.()) return false;
  provenance.dirty = true;
  delete provenance.sourcesSha256;
  report.line(
    `The checkout has changed since the run began: the result of ${impl.id} says so, and cannot be published`,
  );
  return true;
}

/** Checks the facts of a result that is resumed; one without any part may get others. */
function requireSame<Key extends "impl" | "database">(
  result: Result,
  key: Key,
  now: Result[Key],
): void {
  const { status, runId, ...earlier } = result;
  if (status === "failed" || partsDone(result).done === 0) return;
  requireSameFacts(runId, key === "impl" ? "implementation" : key, { was: earlier[key], now });
}

/** Tells whether there is something left to measure of an implementation. */
function isOpen({ result, kept, isLeft = false }: Contestant): boolean {
  return !isLeft && (result.status === "incomplete" || kept !== undefined);
}

/**
 * Makes a failure the result, but leaves a complete result as it is, and one that has parts where only this machine cannot
 * build the implementation any more.
 */
function fail(
  contestant: Contestant,
  stage: Stage,
  error: BenchError,
  { report }: RunOptions,
): void {
  const { impl, kept, result } = contestant;
  const isBuilt = stage !== "discover" && stage !== "build";
  if (kept !== undefined || !isBuilt && partsDone(result).done > 0) {
    const what = kept === undefined ? `continue ${impl.id}` : `measure ${impl.id} again`;
    report.line(`Cannot ${what}, what was measured is kept: ${error.message}`);
    Object.assign(contestant, { result: kept ?? result, isLeft: true });
    return;
  }
  result.status = "failed";
  result.endedAt = new Date().toISOString();
  result.failure = { stage, message: error.message, detail: error.help ?? "" };
}

async function end(contestant: Contestant, options: RunOptions): Promise<void> {
  if (!isOpen(contestant)) return;
  contestant.result.status = "complete";
  contestant.result.endedAt = new Date().toISOString();
  await writeResult(options.runsFolder, contestant.result);
}
