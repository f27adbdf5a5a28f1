/**
 * Protocols: what a result holds besides its levels. Takes a verified implementation; adds to its result the ceiling
 * and the bottleneck of each level, the comparison with the control (B), the rate sweep (C), and startup. Skips what
 * the plan does not ask for, and what the run being resumed already has.
 */
import { frameOf } from "../results/bottleneck.ts";
import type { BurstTools } from "./burst.ts";
import { measureCeiling } from "./ceiling.ts";
import { compare } from "./compare.ts";
import { reasonToCompareAgain } from "./conclude.ts";
import {
  maySweepAgain,
  measureFloor,
  notSwept,
  type RateSweepOptions,
  sweepProcess,
  type Swept,
} from "./fixed_rates.ts";
import { openWorkload } from "./workload.ts";
import { controlImpl, type Native, nullServerImpl } from "../native/native.ts";
import { outcomeOf } from "../results/outcome.ts";
import type { Level, Plan, Result } from "../results/result_schema.ts";
import type {
  Ceiling,
  RateSweep,
  Startup,
  SweptProcess,
  UpstreamLimit,
} from "../results/protocols_schema.ts";
import { sustainedBy } from "../results/rate_sweep.ts";
import { contractEnvironment, type Startable } from "../impl/start.ts";
import { createRandom } from "../lib/random.ts";
import { startBar } from "./progress.ts";
import { ours, start } from "./ground.ts";
import type { Contestant, Session } from "./session.ts";
import { LoadBroken } from "./watch_load.ts";
import { measureAgain } from "./measure_again.ts";
import { measureStartup } from "./startup.ts";
import { ensureHyperfine, ensureLoneHelper, ensureNative } from "../tools/tools.ts";
import type { EnsureOptions, Tool } from "../tools/tool.ts";
import { measureUpstreamLimit } from "./upstream_limit.ts";
import { warmUntilQuiet } from "./warm_up.ts";
import { noToolchain } from "../impl/toolchains.ts";

/** The helper programs that these protocols need. */
export interface Helpers {
  native: Native;
  hyperfine: Tool;
}

/** A session with these programs; what is the same for all implementations is measured once. */
export interface ProtocolSession extends Session {
  helpers: Helpers;
  floor?: RateSweep["floor"];
}

/** Finds or builds them. */
export async function ensureHelpers(options: EnsureOptions): Promise<Helpers> {
  return { native: await ensureNative(options), hyperfine: await ensureHyperfine(options) };
}

/** Finds or builds the programs of bursts. */
export async function ensureBurstTools(options: EnsureOptions): Promise<BurstTools> {
  return {
    burst: await ensureLoneHelper("burst", options),
    upstream: await ensureLoneHelper("upstream", options),
  };
}

/** Tells whether a plan asks for the protocols that need {@linkcode Helpers}. */
export function needsHelpers(
  { ceiling, comparison, rateSweep, startupRuns }: Plan,
): boolean {
  return [ceiling, comparison, rateSweep, startupRuns].some((part) => part !== undefined);
}

/** Tells whether a plan has loads that are judged against the upstream's limit. */
export function judgesUpstream(plan: Plan): boolean {
  return needsHelpers(plan) || plan.deliveries !== undefined;
}

/**
 * Adds what the upstream can do by itself, where the scenario has one. It is measured once: `known` has it for all
 * implementations of a run.
 */
export async function addUpstreamLimit(
  { result, kept }: Contestant,
  session: Session,
  known: { upstreamLimit?: UpstreamLimit },
): Promise<void> {
  const { upstreams } = session.scenario;
  if (upstreams === undefined || result.upstreamLimit !== undefined && kept === undefined) return;
  known.upstreamLimit ??= await measureUpstreamLimit(upstreams.subject, session);
  result.upstreamLimit = known.upstreamLimit;
}

/** Returns the ceiling of one level; undefined where the plan asks for none. */
export async function measureCeilingAt(
  connections: number,
  session: ProtocolSession,
): Promise<Ceiling | undefined> {
  const { plan: { ceiling: plan } } = session.facts;
  if (plan === undefined) return undefined;
  await using nullServer = await startNullServer(session);
  return await ours(measureCeiling(nullServer, { session, connections, plan }));
}

/** Adds the ceiling of one level to the result, and the bottleneck to the level. */
export function addFrame(result: Result, level: Level, ceiling: Ceiling): void {
  const { connections } = level;
  result.ceilings = [...result.ceilings ?? [], ceiling];
  const outcome = outcomeOf(level);
  if ("missing" in outcome) return;
  const { figures, observation } = outcome.value;
  const { goodputPerSecond } = figures;
  const { poolMax } = result.plan;
  level.frame = frameOf({ connections, poolMax, goodputPerSecond, observation, ceiling });
}

/**
 * Adds the comparison with the control; one whose ratios say that processes were not warm, as one in a hundred does
 * although they were, is measured again, whole.
 *
 * @param measure Compares two sides once.
 */
export async function addComparison(
  { impl, toolchain, result }: Contestant,
  session: ProtocolSession,
  measure = compare,
): Promise<void> {
  const { comparison: plan, seed } = session.facts.plan;
  if (plan === undefined || result.comparison !== undefined) return;
  const { native } = session.helpers;
  const { upstreamLimit } = result;
  const title = `${impl.id} against the control`;
  const sides = {
    subject: { impl, toolchain },
    reference: { impl: controlImpl(native), toolchain: noToolchain },
  };
  const { levels, repeatedBecause } = await measureAgain(
    (repeats) => measure(sides, { plan, session, seed: seed + repeats, upstreamLimit, title }),
    { session, title, why: reasonToCompareAgain },
  );
  result.control = { version: native.controlVersion };
  result.comparison = { plan, levels, repeatedBecause };
}

/** Adds the rate sweep, on several processes one after another. */
export async function addRateSweep(
  contestant: Contestant,
  session: ProtocolSession,
): Promise<void> {
  const { rateSweep: plan } = session.facts.plan;
  const { impl, result } = contestant;
  if (plan === undefined || result.rateSweep !== undefined) return;
  if (session.floor === undefined) {
    await using nullServer = await startNullServer(session);
    session.floor = await ours(measureFloor(nullServer, { plan, session, title: "null server" }));
  }
  const processes: SweptProcess[] = [];
  for (let index = 1; index <= plan.processes; index++) {
    const title = plan.processes === 1
      ? impl.id
      : `${impl.id}, process ${index} of ${plan.processes}`;
    const goodputPerSecond = bestGoodput(result);
    const warmUpSeconds = goodputPerSecond && plan.warmUpRequests / goodputPerSecond;
    const sweep = async (): Promise<Swept> => {
      try {
        await using workload = await openWorkload(session);
        return await sweepFresh(contestant, {
          session,
          plan,
          workload,
          title,
          warmUpSeconds,
          upstreamLimit: result.upstreamLimit,
        });
      } catch (error) {
        if (!(error instanceof LoadBroken)) throw error;
        return { process: { steps: [], problem: error.message }, mayRepeat: false };
      }
    };
    const why = ({ process, mayRepeat }: Swept) => mayRepeat ? process.problem : undefined;
    const again = { session, title: `${title}, the whole sweep`, why };
    processes.push((await measureAgain(sweep, again)).process);
  }
  result.rateSweep = { plan, processes, floor: session.floor, ...sustainedBy(processes) };
}

/** Starts a fresh process, warms it up, and takes it through the sweep. */
async function sweepFresh(
  side: Startable,
  { warmUpSeconds, ...options }: Omit<RateSweepOptions, "warmUp"> & {
    /** How long the requests for warm-up may take, where that is known. */
    warmUpSeconds?: number;
  },
): Promise<Swept> {
  const { session, plan, workload, title } = options;
  const { connections, warmUpRequests: requests, mostSecondsToQuiet: mostSeconds = 0 } = plan;
  await using subject = await start(side, session);
  using bar = startBar(session.report);
  bar.step(`${title}, warming up`, 0, warmUpSeconds);
  const { load, isQuiet } = await warmUntilQuiet(subject, {
    session,
    workload,
    connections,
    requests,
    mostSeconds,
    toolchain: side.toolchain,
  });
  bar.end();
  if (isQuiet === false) return notSwept(load, mostSeconds);
  const process = await sweepProcess(subject, { ...options, warmUp: load });
  return { process, mayRepeat: maySweepAgain(process) };
}

/** Returns the most correct answers per second of any level; undefined where none is valid. */
function bestGoodput({ levels }: Result): number | undefined {
  const best = Math.max(
    0,
    ...levels.flatMap(({ repetitions }) =>
      repetitions.map(({ figures }) => figures?.goodputPerSecond ?? 0)
    ),
  );
  return best === 0 ? undefined : best;
}

/** Adds times and memory of cold starts, alternating with the control's. */
export async function addStartup(
  { impl, toolchain, result }: Contestant,
  session: ProtocolSession,
): Promise<void> {
  const { facts: { plan }, helpers } = session;
  if (plan.startupRuns === undefined || result.startup !== undefined) return;
  const control = { impl: controlImpl(helpers.native), toolchain: noToolchain };
  result.startup = await startInTurn({ impl, toolchain }, control, {
    runs: plan.startupRuns,
    random: createRandom(plan.seed),
    session,
  });
}

/** How two sides are started in turn. */
export interface StartInTurnOptions {
  /** Starts of each side. */
  runs: number;
  /** Draws who is first. */
  random: () => number;
  session: ProtocolSession;
}

/** Starts two sides in turn. */
export async function startInTurn(
  subject: Startable,
  control: Startable,
  { runs, random, session }: StartInTurnOptions,
): Promise<Startup> {
  const { helpers: { native, hyperfine }, scenario, launcher, folder, logFolder, signal, report } =
    session;
  const { probe } = scenario;
  if (probe === undefined) throw new TypeError(`"${scenario.id}" has startup without a probe`);
  return await measureStartup(subject, control, {
    blocks: runs,
    random,
    hyperfine,
    launcher,
    folder,
    logFolder,
    signal,
    report,
    startupPollerPath: native.startupPoller,
    probe,
    // The poller gives each start its own port.
    environment: (impl) =>
      contractEnvironment(impl, 0, { ...session, upstream: session.upstreams?.subject }),
  });
}

function startNullServer(session: ProtocolSession) {
  return start({ impl: nullServerImpl(session.helpers.native), toolchain: noToolchain }, session);
}
