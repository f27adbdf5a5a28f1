/**
 * What tests ask of an implementation as it stands in `impls/`: that what it starts is built, that it meets a scenario's
 * contract, and that a short level is valid.
 */
import { assertAlmostEquals, assertEquals } from "@std/assert";
import { resolve } from "@std/path";
import { foldersOf } from "../cli/folders.ts";
import { discoverImpl, listImplIds } from "../impl/discover.ts";
import { type Impl, startWords } from "../impl/impl.ts";
import type { Startable } from "../impl/start.ts";
import { lockedVersions } from "../impl/lock_files.ts";
import { findToolchain, type Toolchain } from "../impl/toolchains.ts";
import { exists } from "../lib/exists.ts";
import { BenchError } from "../lib/error.ts";
import { silent } from "../lib/report.ts";
import { sum } from "../lib/sum.ts";
import { beginResult } from "../measure/begin_result.ts";
import { findProblems, openGround, start } from "../measure/ground.ts";
import { measureLevel } from "../measure/levels.ts";
import type { Session } from "../measure/session.ts";
import { isOfMachine, lastRepetition, ownReasons } from "../results/outcome.ts";
import { makePlan } from "../results/plan.ts";
import type { Level, Repetition } from "../results/result_schema.ts";
import { defaultScenarioId } from "../scenario/ids.ts";
import { loadScenario } from "../scenario/list.ts";
import { builtImpl } from "./built_impl.ts";
import { exampleFacts, loadSessionOf } from "./load_session.ts";
import { measureAgainWhile } from "./of_machine.ts";

const { signal } = new AbortController();
const { root, impls: implsFolder } = foldersOf();

/** The implementation that is tested in every scenario: it starts at once, and its toolchain is that of the harness's helpers. */
export const testedEverywhere = "rust";

/** Returns the implementations in `impls/`. */
export async function allImpls(): Promise<Impl[]> {
  const ids = await listImplIds(implsFolder);
  return await Promise.all(ids.map((id) => discoverImpl(implsFolder, id)));
}

/**
 * Returns the first of those that list the default scenario and do most of all, for each set of toolchains.
 *
 * @throws {Error} when none of a set lists the default scenario, in which the tests load it.
 */
export function oneOfEachLanguage(impls: readonly Impl[]): Impl[] {
  const byToolchains = Map.groupBy(
    impls,
    ({ manifest }) => Object.keys(manifest.requires).sort().join(" and "),
  );
  return [...byToolchains].map(([toolchains, same]) => {
    const [first] = same.filter(({ manifest }) => manifest.scenarios.includes(defaultScenarioId))
      .toSorted((a, b) => b.manifest.scenarios.length - a.manifest.scenarios.length);
    if (first !== undefined) return first;
    throw new Error(
      `Cannot test ${toolchains}: ${same.map(({ id }) => id).join(", ")} lists no ` +
        `${defaultScenarioId}, expected the first implementation that requires these toolchains to`,
    );
  });
}

/** Builds an implementation, in a step of a test; undefined where that is left out. */
export async function buildInStep(t: Deno.TestContext, impl: Impl): Promise<Startable | undefined> {
  const toolchain = await findToolchain(impl).catch((error: unknown) => {
    if (error instanceof BenchError) return error;
    throw error;
  });
  let built: Startable | undefined;
  await t.step({
    ...buildStepOf(impl, toolchain, Deno.env.get("GITHUB_ACTIONS")),
    fn: async () => {
      if (toolchain instanceof BenchError) throw toolchain;
      const side = await builtImpl(root, impl, { toolchain, signal });
      const missing = await missingFiles(side.impl);
      assertEquals(missing, [], "start has words with a / that are no files after the build");
      built = side;
    },
  });
  return built;
}

/**
 * Returns the name of the step that builds an implementation, and whether it is left out: without its toolchain, which
 * only who measures it needs. The name then says so. On GitHub, whose jobs set up all toolchains, nothing is left out.
 */
export function buildStepOf(
  { id }: Impl,
  toolchain: Toolchain | BenchError,
  onGitHub: string | undefined,
): { name: string; ignore: boolean } {
  const ignore = toolchain instanceof BenchError && !onGitHub;
  const name = `${id} builds what it starts`;
  return { name: ignore ? `${name}: not tested. ${toolchain.message}` : name, ignore };
}

/** Tests an implementation in the session's scenario, in a step of a test. */
export async function testInStep(
  t: Deno.TestContext,
  side: Startable,
  session: Session,
): Promise<void> {
  const { contract: { protocols } } = await loadScenario(session.facts.scenario);
  await t.step(`${side.impl.id}, ${session.facts.scenario}`, async () => {
    await withHelp(async () => {
      assertEquals(await findProblems(side, session), []);
      // What has no levels has a protocol of its own.
      if (protocols.includes("levels")) await assertValidLevel(side, session);
    });
  });
}

/** Tests, in a step, that a JVM starts from the cache that its build made: one that does not fit is ignored, and nothing tells. */
export async function testCacheInStep(
  t: Deno.TestContext,
  { impl, toolchain }: Startable,
  session: Session,
): Promise<void> {
  const [java, ...words] = impl.manifest.start;
  if (!words.some((word) => word.startsWith("-XX:AOTCache="))) return;
  const manifest = { ...impl.manifest, start: [java!, "-XX:AOTMode=on", ...words] };
  await t.step(`${impl.id} starts from its cache`, async () => {
    await withHelp(async () => {
      await using _subject = await start({ impl: { ...impl, manifest }, toolchain }, session);
    });
  });
}

/** Does work whose failure says what may help, too: the end of a server's log, which is gone after the test. */
async function withHelp(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof BenchError) || error.help === undefined) throw error;
    throw new Error(`${error.message}\n${error.help}`, { cause: error });
  }
}

/** Opens what a scenario's servers need; it ends with the stack. */
export async function openSession(
  stack: AsyncDisposableStack,
  scenarioId: string,
  impls: readonly Impl[],
): Promise<Session> {
  const folder = await Deno.makeTempDir({ prefix: "backbench-test-" });
  stack.defer(() => Deno.remove(folder, { recursive: true }));
  const facts = await exampleFacts(
    scenarioId,
    makePlan("smoke", { levels: [50], requests: 1_000, warmUpRequests: 500 }, 1),
  );
  const scenario = await loadScenario(scenarioId);
  const ground = stack.use(
    await openGround({
      ...{ ...facts.plan, scenario, impls: [...impls] },
      ...{ folder, report: silent, signal },
      // The tests beside this one are no reason to measure again.
      mostRepeats: 0,
    }),
  );
  return { ...await loadSessionOf(ground), facts };
}

/**
 * Judged by its answers only, and not by what else this machine does. Where answers were late while the machine was
 * disturbed, it is measured again, twice at most. So a stall that comes to some processes only may be missed here.
 */
async function assertValidLevel({ impl, toolchain }: Startable, session: Session): Promise<void> {
  const { facts } = session;
  const [connections] = facts.plan.levels;
  const versions = await lockedVersions(impl, toolchain);
  // Its answers were verified a moment ago, and those of the load are judged one by one.
  const scenario = { ...session.scenario, verifyAnswers: () => Promise.resolve([]) };
  const isLate = (level: Level) => isOnlyLate(lastRepetition(level));
  const level = await measureAgainWhile(isLate, async () => {
    const result = await beginResult(impl, toolchain, versions, facts);
    return await measureLevel({ impl, toolchain, result }, connections!, { ...session, scenario });
  });
  assertEquals(ownReasons(level), []);
  const { observation } = lastRepetition(level);
  const { attempted, correct, failures, wrong, queries } = observation!;
  const failed = sum(Object.values(failures));
  assertEquals([correct + failed, wrong], [attempted, {}]);
  // A pool that grows during the load sends a statement or two for each new connection.
  if (queries === undefined) return;
  const { perRequest, aroundPerRequest = 0, expectedPerRequest } = queries;
  assertAlmostEquals(perRequest - aroundPerRequest, expectedPerRequest!, 0.02);
}

/** Tells whether nothing but late answers speaks against an implementation, and the machine was disturbed meanwhile. */
export function isOnlyLate({ validity }: Pick<Repetition, "validity">): boolean {
  if (validity.valid) return false;
  const own = validity.reasons.filter((reason) => !isOfMachine(reason));
  const isDisturbed = own.length < validity.reasons.length;
  return isDisturbed && own.length > 0 &&
    own.every(({ code }) => code === "latency-gap" || code === "silence");
}

/** Returns the files that `start` names and the build did not make: without its cache, a JVM starts all the same. */
async function missingFiles({ folder, manifest }: Impl): Promise<string[]> {
  const missing: string[] = [];
  for (const word of startWords(manifest)) {
    const isPath = word.includes("/") && !word.includes("://") && !/[$<>]/.test(word);
    if (isPath && !await exists(resolve(folder, word))) missing.push(word);
  }
  return missing;
}
