/** The two sides of a comparison, of two programs or of one with itself: found, built, verified, and opened. */
import type { SideName } from "../database/database.ts";
import { buildImpl } from "../impl/build.ts";
import { discoverImpl, requireListed } from "../impl/discover.ts";
import type { Impl } from "../impl/impl.ts";
import type { Startable } from "../impl/start.ts";
import { findToolchain, noToolchain } from "../impl/toolchains.ts";
import { BenchError } from "../lib/error.ts";
import { type Checkout, differsFrom } from "../lib/git.ts";
import { randomSeed } from "../lib/random.ts";
import { ohaVersion } from "../tools/oha.ts";
import { describeMachine } from "../machine/describe.ts";
import type { RunFacts } from "../measure/begin_result.ts";
import { requestLines } from "../measure/workload.ts";
import { requireDescriptors } from "../measure/descriptors.ts";
import { openGround, requireDatabase } from "../measure/ground.ts";
import { findBeforeLoads, requireNone } from "../measure/levels.ts";
import type { Session } from "../measure/session.ts";
import { measureUpstreamLimit } from "../measure/upstream_limit.ts";
import { controlImpl } from "../native/native.ts";
import type { ComparisonPlan } from "../results/comparison_schema.ts";
import { controlId } from "../results/environment_schema.ts";
import type { ComparisonFile } from "../results/files_schema.ts";
import { makePlan } from "../results/plan.ts";
import type { ProfileName } from "../results/profiles.ts";
import type { UpstreamLimit } from "../results/protocols_schema.ts";
import { schemaVersion } from "../results/result_schema.ts";
import { newRunId } from "../results/store.ts";
import { loadScenario } from "../scenario/list.ts";
import { ensureLauncher, ensureNative, ensureOha } from "../tools/tools.ts";
import { comparedIds } from "./arguments.ts";
import type { CommandContext } from "./command.ts";

/** A side with the commit of its sources. */
export interface NamedSide extends Startable {
  commit: string;
}

/**
 * Checks that a scenario has comparisons, that the sides exist and list it, and that the database of DATABASE_URL can be
 * used, before building any of them.
 *
 * @throws {BenchError} for the first that does not.
 */
export async function requireSides(
  ids: string[],
  scenario: string,
  implsFolder: string,
): Promise<void> {
  const { contract } = await loadScenario(scenario);
  if (!contract.protocols.includes("comparison")) {
    throw new BenchError(
      `Cannot compare in "${scenario}": it has no comparison, expected one of ${
        comparedIds.join(", ")
      }`,
    );
  }
  const impls: Impl[] = [];
  for (const id of ids) {
    if (id === controlId) continue;
    const impl = await discoverImpl(implsFolder, id);
    requireListed(impl, scenario);
    impls.push(impl);
  }
  await requireDatabase([contract, ...impls]);
}

/** Finds, builds and returns one side. */
export async function enterSide(
  id: string,
  implsFolder: string,
  commit: string,
  { folders, report, signal }: CommandContext,
): Promise<NamedSide> {
  if (id === controlId) {
    const native = await ensureNative({ report, signal });
    return { impl: controlImpl(native), toolchain: noToolchain, commit };
  }
  const base = { name: commit.slice(0, 7), present: folders.impls };
  const impl = await discoverImpl(implsFolder, id, base);
  const toolchain = await findToolchain(impl);
  report.line(`Building ${id}`);
  const launcher = await ensureLauncher({ report, signal });
  await buildImpl(impl, { toolchain, launcher, signal });
  return { impl, toolchain, commit };
}

/** Two verified sides, ready to be compared; disposing of them closes what is around them. */
export interface OpenSides extends AsyncDisposable {
  seed: number;
  session: Session;
  /** What the upstream can do by itself; absent where the scenario has none, and in a smoke comparison, which is to end in seconds. */
  upstreamLimit?: UpstreamLimit;
  /** Returns what a file says of how its comparisons were measured, which end now; dirty if the checkout has changed. */
  circumstances(): Promise<
    Omit<ComparisonFile, "command" | "plan" | "subject" | "reference" | "levels">
  >;
}

/** Options for {@linkcode openSides}. */
export interface OpenSidesOptions {
  /** Its id. */
  scenario: string;
  profile: ProfileName;
  checkout: Checkout;
  context: CommandContext;
  plan: ComparisonPlan;
  /** The most connections of a load; by default, of the comparison's. */
  connections?: number;
}

/**
 * Opens what is around two sides, and verifies them.
 *
 * @throws {BenchError} when one does not meet the contract.
 */
export async function openSides(
  sides: Record<SideName, NamedSide>,
  { scenario: scenarioId, profile, checkout, context, plan, connections = 0 }: OpenSidesOptions,
): Promise<OpenSides> {
  const { folders, report, signal, scratch, run } = context;
  const impls = Object.values(sides).map(({ impl }) => impl).filter(({ id }) => id !== controlId);
  for (const impl of impls) requireListed(impl, scenarioId);
  const scenario = await loadScenario(scenarioId);
  const most = Math.max(...plan.levels, connections);
  await requireDescriptors({ levels: [most] }, scenario.contract);
  const startedAt = new Date();
  const seed = randomSeed();
  const facts: RunFacts = {
    runId: newRunId(startedAt, checkout.commit),
    scenario: scenarioId,
    plan: makePlan(profile, {}, seed),
    machine: await describeMachine(),
    checkout,
    tools: { deno: Deno.version.deno, oha: ohaVersion },
  };
  const oha = await ensureOha({ report, signal });
  await using stack = new AsyncDisposableStack();
  const ground = stack.use(
    await openGround({
      ...facts.plan,
      scenario,
      impls,
      report,
      signal,
      folder: scratch,
      startTimeoutMs: run?.startTimeoutMs,
      mostRepeats: run?.mostRepeats,
    }),
  );
  const lines = requestLines({ comparison: plan });
  const session: Session = { ...ground, facts, oha, requestLines: lines };
  await requireContracts(sides, session);
  const { upstreams } = session.scenario;
  const upstreamLimit = upstreams === undefined || profile === "smoke"
    ? undefined
    : await measureUpstreamLimit(upstreams.subject, session);
  const opened = stack.move();
  let { dirty } = checkout;
  return {
    seed,
    session,
    upstreamLimit,
    circumstances: async () => ({
      schemaVersion,
      id: facts.runId,
      scenario: scenarioId,
      startedAt: startedAt.toISOString(),
      endedAt: new Date().toISOString(),
      commit: checkout.commit,
      dirty: dirty ||= await differsFrom(folders.root, checkout.commit),
      tools: facts.tools,
      machine: facts.machine,
      database: ground.databaseFacts,
      seed,
    }),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

async function requireContracts(
  { subject, reference }: Record<SideName, NamedSide>,
  session: Session,
): Promise<void> {
  const different = reference.impl.folder === subject.impl.folder
    ? [subject]
    : [subject, reference];
  for (const side of different) {
    requireNone(side.impl, await findBeforeLoads(side, session));
  }
}
