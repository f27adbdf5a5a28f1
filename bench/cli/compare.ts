/**
 * The command `compare`: which of two implementations is faster, or of two commits of one? Builds, verifies and
 * compares both sides, writes a file and prints the result.
 */
import { join } from "@std/path";
import type { Command } from "commander";
import { BenchError } from "../lib/error.ts";
import { profileArgument, profileOf, scenarioOption } from "./arguments.ts";
import { buildImpl } from "../impl/build.ts";
import { checkOutBase } from "../lib/base_checkout.ts";
import { announceComparison } from "./announce.ts";
import { type CommandContext, examples } from "./command.ts";
import { showOverview } from "./overview.ts";
import type { Startable } from "../impl/start.ts";
import type { SideName } from "../database/database.ts";
import { compare } from "../measure/compare.ts";
import { requestLines } from "../measure/conditions.ts";
import { discoverImpl, requireListed } from "../impl/discover.ts";
import { requireNone, type Session } from "../measure/levels.ts";
import { describeMachine, requireFileDescriptors } from "../machine/describe.ts";
import { controlImpl } from "../native/native.ts";
import { comparisonPlans, makePlan, type ProfileName } from "../results/plan.ts";
import { type Checkout, readCheckout } from "../lib/git.ts";
import type { RunFacts } from "../measure/begin_result.ts";
import type { ComparisonPlan } from "../results/comparison_schema.ts";
import { schemaVersion } from "../results/result_schema.ts";
import { type ComparisonFile, comparisonFileSchema } from "../results/files_schema.ts";
import { findProblems, openGround } from "../measure/session.ts";
import { defaultScenarioId } from "../scenario/ids.ts";
import { loadScenario } from "../scenario/list.ts";
import { descriptorsEach } from "../scenario/words.ts";
import { formatComparison } from "./show_comparison.ts";
import { findToolchain, noToolchain } from "../impl/toolchains.ts";
import { ensureNative, ensureOha } from "../tools/tools.ts";
import { newRunId } from "../results/store.ts";
import { writeAtomically } from "../lib/write_atomically.ts";
import { ohaVersion } from "../load/build_oha.ts";

/** Adds `compare`. */
export function addCompare(program: Command, context: CommandContext): void {
  program.command("compare")
    .description("show which of two is faster, with a 95 % confidence interval")
    .argument("[subject]", "an implementation")
    .argument("[reference]", "another one, or control")
    .addArgument(profileArgument("full"))
    .addOption(scenarioOption())
    .option("--base <commit>", "compare with the same implementation at a branch, tag or commit")
    .addHelpText(
      "after",
      examples(
        "compare deno rust",
        "compare go rust quick --scenario hello",
        "compare deno --base main quick",
      ),
    )
    .action(
      async (subjectId: string | undefined, second: string | undefined, third, flags, self) => {
        if (subjectId === undefined) return await showOverview("compare", context);
        const { base, scenario = defaultScenarioId } = flags;
        // `compare deno --base main quick`: the second word is the profile.
        const [referenceId, word] = base === undefined ? [second, third] : [undefined, second];
        if (base === undefined && referenceId === undefined) {
          self.error(
            "error: no reference is given, expected another implementation, control, or --base <commit>",
          );
        }
        if (base !== undefined && third !== undefined) {
          self.error(`error: "${second}" and --base are given, expected one of them`);
        }
        if (base !== undefined && subjectId === controlId) {
          self.error("error: control and --base are given, but it is built from here only");
        }
        if (referenceId === subjectId) {
          self.error(
            `error: both sides are ${subjectId}, expected two; \`just noise ${subjectId}\` compares it with itself`,
          );
        }
        const profile = profileOf(word, "full", self);
        context.print(
          await compareTwo({ subjectId, referenceId, scenario, base, profile }, context),
        );
      },
    );
}

/** Two implementations, or one and the commit of its base. */
export interface CompareRequest {
  subjectId: string;
  referenceId?: string;
  /** Its id. */
  scenario: string;
  /** A branch, tag or commit whose sources of the same implementation are the reference. */
  base?: string;
  profile: ProfileName;
}

/** A side with the commit of its sources. */
export interface NamedSide extends Startable {
  commit: string;
}

/** The id of the control in a comparison. */
export const controlId = "control";

/**
 * Compares two sides, and returns what to print.
 *
 * @throws {BenchError} when a side cannot be built or does not meet the contract.
 */
export async function compareTwo(
  request: CompareRequest,
  context: CommandContext,
): Promise<string> {
  const { folders, scratch } = context;
  const { subjectId, referenceId, scenario, base, profile } = request;
  await requireSides([subjectId, referenceId ?? subjectId], scenario, folders.impls);
  const checkout = await readCheckout(folders.root);
  await using baseCheckout = base === undefined
    ? undefined
    : await checkOutBase(folders.root, base, { folder: scratch });
  const subject = await enterSide(subjectId, folders.impls, checkout.commit, context);
  const reference = baseCheckout === undefined
    ? await enterSide(referenceId!, folders.impls, checkout.commit, context)
    : await enterSide(subjectId, join(baseCheckout.folder, "impls"), baseCheckout.commit, context);
  const plan = comparisonPlans[profile];
  const sides = { subject, reference };
  context.report.line(announceComparison(plan));
  await using opened = await openSides(sides, { scenario, profile, checkout, context, plan });
  const { seed, session } = opened;
  const levels = await compare(sides, { plan, seed, session, title: "Comparing" });
  const against = baseCheckout === undefined ? referenceId : `--base ${baseCheckout.commit}`;
  const command = `npx rust-just compare ${subjectId} ${against} ${profile}${flagOf(scenario)}`;
  const file: ComparisonFile = {
    ...opened.circumstances(),
    plan,
    command,
    subject: { id: subject.impl.id, commit: subject.commit },
    reference: { id: reference.impl.id, commit: reference.commit },
    levels,
  };
  const path = join(folders.comparisons, `${file.id}.json`);
  await writeAtomically(path, JSON.stringify(comparisonFileSchema.parse(file), null, 2) + "\n");
  return `${formatComparison(file)}\n\n${path}`;
}

/**
 * Checks that a scenario has comparisons, and that the sides exist and list it, before building any of them.
 *
 * @throws {BenchError} for the first that does not.
 */
export async function requireSides(
  ids: string[],
  scenario: string,
  implsFolder: string,
): Promise<void> {
  const { contract: { protocols } } = await loadScenario(scenario);
  if (!protocols.includes("comparison")) {
    throw new BenchError(
      `Cannot compare in "${scenario}": its protocols are ${
        protocols.join(", ")
      }, expected a comparison`,
    );
  }
  for (const id of ids) {
    if (id !== controlId) requireListed(await discoverImpl(implsFolder, id), scenario);
  }
}

/** Finds, builds and returns one side. */
export async function enterSide(
  id: string,
  implsFolder: string,
  commit: string,
  { report, signal }: CommandContext,
): Promise<NamedSide> {
  if (id === controlId) {
    const native = await ensureNative({ report, signal });
    return { impl: controlImpl(native), toolchain: noToolchain, commit };
  }
  const impl = await discoverImpl(implsFolder, id);
  const toolchain = await findToolchain(impl);
  report.line(`Building ${id}`);
  await buildImpl(impl, { toolchain, signal });
  return { impl, toolchain, commit };
}

/** Returns the `--scenario` flag of a command; empty for the default scenario. */
export function flagOf(scenario: string): string {
  return scenario === defaultScenarioId ? "" : ` --scenario ${scenario}`;
}

/** Two verified sides, ready to be compared; disposing of them closes what is around them. */
export interface OpenSides extends AsyncDisposable {
  seed: number;
  session: Session;
  /** Returns what a file says of how its comparisons were measured, which end now. */
  circumstances(): Omit<ComparisonFile, "command" | "plan" | "subject" | "reference" | "levels">;
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
  const { report, signal, scratch, run } = context;
  const impls = Object.values(sides).map(({ impl }) => impl).filter(({ id }) => id !== controlId);
  for (const impl of impls) requireListed(impl, scenarioId);
  const scenario = await loadScenario(scenarioId);
  const most = Math.max(...plan.levels, connections);
  await requireFileDescriptors(most, descriptorsEach(scenario.contract));
  const startedAt = new Date();
  const [drawn] = crypto.getRandomValues(new Uint32Array(1));
  const seed = drawn!;
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
      ...{ scenario, impls, report, signal, folder: scratch },
      startTimeoutMs: run?.startTimeoutMs,
      mostRepeats: run?.mostRepeats,
    }),
  );
  const lines = requestLines({ comparison: plan });
  const session: Session = { ...ground, facts, oha, requestLines: lines };
  await requireContracts(sides, session);
  const opened = stack.move();
  return {
    ...{ seed, session },
    circumstances: () => ({
      schemaVersion,
      id: facts.runId,
      scenario: scenarioId,
      startedAt: startedAt.toISOString(),
      endedAt: new Date().toISOString(),
      ...checkout,
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
    session.report.line(`Verifying ${side.impl.id}`);
    requireNone(side.impl, await findProblems(side, session));
  }
}
