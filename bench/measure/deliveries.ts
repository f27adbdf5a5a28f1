/**
 * Deliveries: at which rate does a server pass on notifications, and what does it do with more? Takes an implementation
 * and a step of a plan; a fresh process is offered notifications at that rate, in an open loop, and then has time to
 * deliver what it accepted. Every id is accounted for.
 */
import { delay } from "@std/async";
import { processTree } from "../lib/process_tree.ts";
import { sumOf } from "../lib/sum.ts";
import { cpuSeconds } from "../machine/proc.ts";
import { account, byRate, holds, notPassedOn, takenSecondsOf } from "../results/deliveries.ts";
import type { DeliveryPlan, DeliveryStep, DeliveryStepPlan } from "../results/deliveries_schema.ts";
import { withUnsent } from "../results/rate_sweep.ts";
import type { LoadFacts } from "../results/load_schema.ts";
import type { UpstreamLimit } from "../results/protocols_schema.ts";
import type { Target } from "../scenario/scenario.ts";
import {
  createLatencyHistogram,
  decodeLatencyHistogram,
  latencyPercentiles,
} from "../statistics/mod.ts";
import type { Startable } from "../impl/start.ts";
import type { Upstream, UpstreamCounts } from "../upstream/upstream.ts";
import { openWorkload, type Workload } from "./workload.ts";
import { connectionsAt } from "./fixed_rates.ts";
import { judgeLoad } from "./judge.ts";
import { judgeMachine } from "./judge_machine.ts";
import { judgeUpstream } from "./judge_upstream.ts";
import type { Reason } from "./limits.ts";
import { beginLoad, callsOf, factsOf, type ObservedLoad } from "./load.ts";
import type { ReasonCode } from "../results/result_schema.ts";
import { start } from "./ground.ts";
import type { LoadSession } from "./session.ts";
import { unansweredOf } from "../results/unanswered.ts";

/** Options for {@linkcode measureDeliveryStep}. */
export interface DeliveryOptions {
  plan: DeliveryPlan;
  session: LoadSession;
  /** What the upstream can do by itself. */
  upstreamLimit?: UpstreamLimit;
}

/** Measures one step. */
export async function measureDeliveryStep(
  side: Startable,
  step: DeliveryStepPlan,
  options: DeliveryOptions,
): Promise<DeliveryStep> {
  const { plan, session } = options;
  await using subject = await start(side, session);
  await using workload = await openWorkload(session);
  const offer = (step: DeliveryStepPlan, seconds: number) =>
    offerFor(subject, { ...options, workload }, step, seconds);
  const [lowest] = byRate(plan.steps);
  const warm = plan.warmUpSeconds === 0
    ? undefined
    : (await offer(lowest!, plan.warmUpSeconds)).load.observation;
  const startedAt = new Date().toISOString();
  const offered = await offer(step, plan.secondsPerStep);
  return { startedAt, ...describeStep(offered, step, options, warm && factsOf(warm)) };
}

/** What was seen of notifications at one rate, until the last had arrived. */
interface Offered {
  load: ObservedLoad;
  sent: Set<number>;
  /** Of the upstream, after the last call had arrived. */
  counts: UpstreamCounts;
  callsById: Map<number, number>;
  arrivals: Map<number, number>;
}

/** Offers notifications at one rate, and waits until nothing arrives any more. */
async function offerFor(
  subject: Target,
  { session, workload, plan }: DeliveryOptions & { workload: Workload },
  { ratePerSecond }: DeliveryStepPlan,
  seconds: number,
): Promise<Offered> {
  const { requests } = workload;
  const firstLine = requests.nextLine;
  await using running = await beginLoad(subject, {
    session,
    workload,
    connections: connectionsAt(ratePerSecond, plan),
    amount: { seconds, ratePerSecond },
  });
  const load = await running.finish();
  const upstream = upstreamOf(workload);
  const accepted = acceptedAt(load, session);
  const mostSeconds = plan.mostDrainSeconds;
  await drain(subject, upstream, { accepted, mostSeconds }, session.signal);
  const used = (requests.nextLine - firstLine + requests.lines) % requests.lines;
  const idOf = idsOf(session);
  return {
    load,
    sent: new Set(Array.from({ length: used }, (_, n) => idOf((firstLine + n) % requests.lines))),
    counts: await upstream.counts(),
    callsById: await upstream.callsById(),
    arrivals: await upstream.arrivals(),
  };
}

/** A call is given up within 10 s: if none arrives for longer, none is in progress. */
const stillSeconds = 12;

/** A server that uses more of a processor than that has not come to rest: calls may still follow. */
const mostUseAtRest = 0.05;

/**
 * Waits until every accepted notification has arrived and is answered, or until none arrives any more and the server has
 * come to rest.
 */
async function drain(
  { process }: Target,
  upstream: Upstream,
  { accepted, mostSeconds }: { accepted: ReadonlyMap<number, unknown>; mostSeconds: number },
  signal: AbortSignal,
): Promise<void> {
  // With fewer calls, one of them at least is missing. Ids are many: they are read only where all may be there.
  let leastCalls = accepted.size;
  const endMs = performance.now() + mostSeconds * 1000;
  // With the launcher, which has the time of orphans that have ended.
  const usedCpu = () => sumOf(processTree(process.pid), (pid) => cpuSeconds(pid) ?? 0);
  let [received, sinceMs, used] = [0, performance.now(), usedCpu()];
  while (performance.now() < endMs) {
    const counts = await upstream.counts();
    if (counts.received >= leastCalls && counts.open === 0) {
      const called = await upstream.callsById();
      const missing = [...accepted.keys()].filter((id) => !called.has(id)).length;
      if (missing === 0) return;
      leastCalls = counts.received + missing;
    }
    const stillFor = (performance.now() - sinceMs) / 1000;
    if (counts.received > received || stillFor > stillSeconds) {
      const usedBefore = used;
      used = usedCpu();
      if (counts.received === received && used - usedBefore < mostUseAtRest * stillFor) return;
      [received, sinceMs] = [counts.received, performance.now()];
    }
    await delay(100, { signal });
  }
}

/** Failures are part of the objective; calls are counted one by one, and each may have a connection of its own. */
const otherwiseJudged: ReasonCode[] = ["failures", "upstream-calls", "upstream-connections"];
/** A call that fails may be logged, so where more fail than the objective allows, lines are not counted. */
const judgedWhereFew: ReasonCode = "request-log";

function describeStep(
  offered: Offered,
  step: DeliveryStepPlan,
  options: DeliveryOptions,
  warmUp: LoadFacts | undefined,
): DeliveryStep {
  const { plan } = options;
  const { load: { observation, settled }, sent, callsById } = offered;
  const latency = settled?.fromDue ?? observation.latency;
  const { received, checks, answered, open } = offered.counts;
  const calls = callsOf(offered.counts);
  const { attempted, correct, resources } = observation;
  const accepted = acceptedAt(offered.load, options.session);
  const { delivered, lost, problems } = account({
    sent,
    calls: callsById,
    others: received - checks,
    accepted: new Set(accepted.keys()),
  });
  const due = Math.round(step.ratePerSecond * plan.secondsPerStep);
  // If the rate does not divide a second, one more may be due at the very end.
  const unsent = Math.max(0, due - attempted);
  const described = {
    ...step,
    durationSeconds: plan.secondsPerStep,
    due,
    ...factsOf(observation),
    calls,
    unsent,
    delivered,
    lost,
    givenUp: Math.max(0, received - answered - open),
    acceptedPerSecond: correct / lengthOf(offered.load, plan.secondsPerStep),
    ...arrivalFigures(offered, accepted, plan.secondsPerStep),
    acceptSeconds: correct === 0 ? undefined : latencyPercentiles(
      decodeLatencyHistogram(latency.histogram),
      withUnsent(unansweredOf(observation), { ...step, unsent }, plan.goal),
    ),
    latency,
    peakThreads: resources?.subject.peakThreads,
    peakMemoryBytes: resources?.subject.peakMemoryBytes,
    cpuSeconds: resources?.subject.cpuSeconds,
    machine: resources?.machine,
  };
  const machineReasons = judgeMachine(resources?.machine);
  const isDisturbed = machineReasons.length > 0;
  const taken = isDisturbed ? takenSecondsOf(resources?.machine) : 0;
  const isHeld = holds(described, plan.goal, taken);
  const mayLog = notPassedOn(described) > plan.goal.failureShare * due;
  const reasons = [
    ...problems.map(({ sent, came, expected }) => `${sent} led to ${came}, expected ${expected}`),
    ...judgeOffered(offered, step, options, warmUp)
      .filter(({ code }) => !(mayLog && code === judgedWhereFew))
      .map(({ message }) => message),
    // Where the objective was met, the upstream was in time. A disturbed machine makes it late, and is told of instead.
    ...(isHeld || isDisturbed
      ? []
      : judgeUpstream(calls, { attempted, durationSeconds: plan.secondsPerStep }, options)
        .map(({ message }) => message)),
  ];
  return { ...described, ...countsAs(isHeld, reasons, machineReasons) };
}

/**
 * Returns what a step counts as. Background load and steal time only delay a server and who asks it: a step that meets the
 * objective beside them counts, and one that misses it may miss it because of them. Swapping also makes memory look small.
 */
export function countsAs(
  isHeld: boolean,
  reasons: readonly string[],
  machineReasons: readonly Reason[],
): Pick<DeliveryStep, "holds" | "problem" | "disturbed"> {
  const disturbances = machineReasons.map(({ message }) => message);
  const counts = isHeld && machineReasons.every(({ code }) => code !== "swapping");
  const problems = counts ? reasons : [...reasons, ...disturbances];
  if (problems.length > 0) return { holds: false, problem: problems.join("; ") };
  return { holds: isHeld, disturbed: disturbances.join("; ") || undefined };
}

/** Returns why a step is invalid, besides calls too many, the upstream's limit and the machine. */
function judgeOffered(
  { load: { observation }, counts }: Offered,
  { ratePerSecond }: DeliveryStepPlan,
  { plan, session: { poolMax } }: DeliveryOptions,
  warmUp: LoadFacts | undefined,
): Reason[] {
  const connections = connectionsAt(ratePerSecond, plan);
  const load = { ...factsOf(observation), calls: callsOf(counts) };
  return judgeLoad(load, { connections, poolMax, warmUp })
    .filter(({ code }) => !otherwiseJudged.includes(code));
}

/** Returns when each notification that was accepted was answered, by its id, in milliseconds of `performance.now()`. */
function acceptedAt(
  { answers: { line, endMs }, isRight }: ObservedLoad,
  session: LoadSession,
): Map<number, number> {
  const idOf = idsOf(session);
  const accepted = new Map<number, number>();
  for (const [index, right] of isRight.entries()) {
    if (right === 1) accepted.set(idOf(line[index]!), endMs[index]!);
  }
  return accepted;
}

/**
 * Returns the length of a load in seconds, from the first request to the last answer: it goes on until all others have
 * timed out. Not less than requests were offered for, so that who falls silent early is not fast.
 */
function lengthOf({ answers: { startMs, endMs } }: ObservedLoad, leastSeconds: number): number {
  let [first, last] = [Infinity, -Infinity];
  for (const ms of startMs) first = Math.min(first, ms);
  for (const ms of endMs) last = Math.max(last, ms);
  return Math.max(leastSeconds, (last - first) / 1000);
}

/** Returns how soon calls arrived, and how many a second while the load lasted. */
function arrivalFigures(
  { load, arrivals }: Offered,
  accepted: ReadonlyMap<number, number>,
  leastSeconds: number,
): Pick<DeliveryStep, "arrivalSeconds" | "arrivedPerSecond" | "drainSeconds"> {
  const histogram = createLatencyHistogram();
  let [inTime, lastMs, endedMs] = [0, -Infinity, -Infinity];
  for (const ms of load.answers.endMs) endedMs = Math.max(endedMs, ms);
  for (const [id, acceptedMs] of accepted) {
    const arrivedMs = arrivals.get(id);
    if (arrivedMs === undefined) continue;
    if (arrivedMs <= endedMs) inTime++;
    lastMs = Math.max(lastMs, arrivedMs);
    histogram.recordValue(Math.max(1, Math.round((arrivedMs - acceptedMs) * 1000)));
  }
  if (lastMs === -Infinity) return { arrivedPerSecond: 0 };
  return {
    arrivalSeconds: latencyPercentiles(histogram),
    arrivedPerSecond: inTime / lengthOf(load, leastSeconds),
    drainSeconds: Math.max(0, (lastMs - endedMs) / 1000),
  };
}

function upstreamOf({ upstreams }: Workload): Upstream {
  if (upstreams === undefined) throw new TypeError("There are deliveries without an upstream");
  return upstreams.subject;
}

function idsOf({ scenario }: LoadSession): (line: number) => number {
  if (scenario.idOfLine === undefined) {
    throw new TypeError(`"${scenario.id}" has deliveries without ids`);
  }
  return scenario.idOfLine;
}
