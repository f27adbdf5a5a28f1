/**
 * Ground: what servers need around them, which all measurements of one command share and stop at the end: the database with
 * its data, if any server needs one, upstreams, and the prepared scenario.
 */
import { overConnection } from "../database/connection.ts";
import type { Database, SideName } from "../database/database.ts";
import { endSessions } from "../database/end_sessions.ts";
import { openDatabase, requireChosenDatabase } from "../database/open.ts";
import type { Impl } from "../impl/impl.ts";
import { type Startable, StartError, startSubject, type Subject } from "../impl/start.ts";
import { RunBroken } from "../lib/error.ts";
import { isOurs } from "../native/native.ts";
import { createUnforeseeable, randomHex } from "../lib/random.ts";
import type { Report } from "../lib/report.ts";
import { makeLoadFolder } from "../lib/scratch.ts";
import type { Problem, Result } from "../results/result_schema.ts";
import { allData, allGrants } from "../scenario/list.ts";
import type { PreparedScenario, Scenario, Upstreams } from "../scenario/scenario.ts";
import { startUpstream } from "../upstream/upstream.ts";
import { verify } from "../scenario/verify.ts";
import { LoadBroken } from "./watch_load.ts";
import { ensureLauncher, ensureLoneHelper } from "../tools/tools.ts";

/** The stages that a ground is opened by. */
export type GroundStage = "database" | "seed" | "prepare";

/** Options for {@linkcode openGround}. */
export interface GroundOptions {
  scenario: Scenario;
  /** Implementations that will be started; no database is opened unless one of them or the scenario needs it. */
  impls: Pick<Impl, "needs">[];
  poolMax: number;
  /** Scratch: logs, the private database. */
  folder: string;
  report: Report;
  signal: AbortSignal;
  startTimeoutMs?: number;
  /**
   * How often what the machine disturbed is measured again, at most; by default a level, a step of the rate sweep and
   * its whole process once, the loads of a round of a comparison twice, a round of a burst and each load
   * that tells what the upstream can do three times.
   */
  mostRepeats?: number;
  onStage?: (stage: GroundStage) => void;
}

/** What servers need around them, and the scenario whose contract they must meet. */
export interface Ground
  extends Pick<GroundOptions, "poolMax" | "report" | "signal" | "startTimeoutMs" | "mostRepeats"> {
  scenario: PreparedScenario;
  /** For what load generators read and write: a folder that does not lie beside the logs, which servers have open. */
  folder: string;
  /** For what servers log. */
  logFolder: string;
  database?: Database;
  /** Present if the scenario or a server needs one. */
  upstreams?: Upstreams;
  /** Servers take the text, not the bytes it stands for. */
  secret: string;
  /** Path of the launcher of servers, where the system has a use for it. */
  launcher?: string;
}

/** An opened ground, with the facts about the database that results contain. */
export interface OpenGround extends Ground, AsyncDisposable {
  databaseFacts?: Result["database"];
}

/**
 * Checks the server of DATABASE_URL, if it is set and a scenario or an implementation needs a database: a wrong one is
 * refused before anything is built.
 *
 * @throws {BenchError} when it cannot be used.
 */
export async function requireDatabase(parts: readonly Pick<Impl, "needs">[]): Promise<void> {
  if (parts.some(({ needs }) => needs.includes("database"))) await requireChosenDatabase();
}

/** Opens the database and prepares the scenario; the private database stops with it. */
export async function openGround(options: GroundOptions): Promise<OpenGround> {
  const { scenario, impls, folder: logFolder, report, signal, onStage = () => {} } = options;
  await using stack = new AsyncDisposableStack();
  const folder = stack.adopt(
    await makeLoadFolder(),
    (path) => Deno.remove(path, { recursive: true }).catch(() => {}),
  );
  const launcher = await ensureLauncher({ report, signal });
  const needs = [scenario.contract, ...impls].flatMap((it) => it.needs);
  let database: Database | undefined;
  let databaseFacts: Result["database"];
  if (needs.includes("database")) {
    onStage("database");
    // A server connects to it for all scenarios that it lists, also in the run of one, and may prepare all statements.
    const [sql, grants] = [await allData(), await allGrants()];
    database = stack.use(await openDatabase({ report, signal, folder: logFolder, sql, grants }));
  }
  if (scenario.data !== undefined && database !== undefined) {
    onStage("seed");
    const { provider, engine, version, variables } = database;
    const facts = await scenario.data.ensure(database, { signal });
    databaseFacts = { provider, engine, version, variables, ...facts };
  }
  const upstreams = needs.includes("upstream") ? await startUpstreams(stack, options) : undefined;
  onStage("prepare");
  const secret = randomHex(32);
  // A server must not know which tokens will be wrong, or which rows will change.
  const random = createUnforeseeable();
  const prepared = await scenario.prepare({ database, upstreams, secret, random, folder, signal });
  stack.defer(() => prepared.restore?.());
  const opened = stack.move();
  return {
    scenario: prepared,
    database,
    databaseFacts,
    upstreams,
    secret,
    launcher,
    folder,
    logFolder,
    report,
    signal,
    poolMax: options.poolMax,
    startTimeoutMs: options.startTimeoutMs,
    mostRepeats: options.mostRepeats,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** Starts an upstream for each side, which stop with the stack. */
async function startUpstreams(
  stack: AsyncDisposableStack,
  { report, folder, signal }: GroundOptions,
): Promise<Upstreams> {
  const path = await ensureLoneHelper("upstream", { report, signal });
  // Bodies are other ones in each run, and the same of both.
  const key = randomHex(8);
  const startOne = async () => stack.use(await startUpstream({ path, key, folder, signal }));
  return { subject: await startOne(), reference: await startOne() };
}

/**
 * Starts a fresh process of an implementation, with one of the two accounts of the database, and its own upstream. What
 * an earlier process left running in the database is ended before.
 *
 * @throws {StartError} when it does not start although its database is there.
 * @throws {RunBroken} when the database is lost.
 */
export async function start(
  { impl, toolchain }: Startable,
  ground: Ground,
  side: SideName = "subject",
): Promise<Subject> {
  const { poolMax, secret, database, launcher, report, signal } = ground;
  const address = database?.accounts[side];
  const upstream = ground.upstreams?.[side];
  const surroundings = { poolMax, secret, database: address && { address }, upstream };
  const ownDatabase = impl.needs.includes("database") ? database : undefined;
  if (ownDatabase?.accountsAreOurs && address !== undefined) {
    await endSessions(ownDatabase, address.user);
  }
  const starting = startSubject(impl, {
    toolchain,
    surroundings,
    launcher,
    folder: ground.logFolder,
    signal,
    timeoutMs: ground.startTimeoutMs,
    report,
  });
  try {
    return await (isOurs(impl) ? ours(starting) : starting);
  } catch (error) {
    // Without its database a server may well not start.
    if (error instanceof StartError && ownDatabase !== undefined) {
      await overConnection(ownDatabase, (connection) => connection.ping());
    }
    throw error;
  }
}

/**
 * Waits for something of the control or the null server.
 *
 * @throws {RunBroken} when it does not start, or ends under load: that says nothing of the implementation.
 */
export async function ours<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    if (!(cause instanceof StartError) && !(cause instanceof LoadBroken)) throw cause;
    throw new RunBroken(cause.message, { help: cause.help, cause });
  }
}

/**
 * Checks the whole contract on a fresh process, and on another what must outlive it; returns every problem.
 *
 * @param onLog Is given what the server logged while its first problems were found.
 */
export async function findProblems(
  side: Startable,
  ground: Ground,
  onLog?: (lines: string[]) => void,
): Promise<Problem[]> {
  const problems: Problem[] = [];
  {
    await using subject = await start(side, ground);
    problems.push(...await verify(subject, { ...ground, onLog }));
  }
  const { verifyKilled } = ground.scenario;
  if (verifyKilled === undefined) return problems;
  await using subject = await start(side, ground);
  return [...problems, ...await verifyKilled(subject, ground)];
}
