/**
 * Bursts: many users at once, each with one request. Takes an implementation and a plan; a null server first holds as
 * many users as a step has, which proves that the machine and the load generator can, then each round has a fresh process
 * after some requests. A user without an answer is a result; what the machine breaks is not the server's fault.
 */
import { freshAddresses } from "../lib/loopback.ts";
import { startBurst } from "../load/burst.ts";
import { type BurstLimits, readBurstLimits, roomFor } from "../machine/burst_room.ts";
import { watchMachine } from "../machine/window.ts";
import { burstFigures } from "../results/burst.ts";
import type {
  BurstPlan,
  BurstRound,
  BurstStep,
  BurstStepPlan,
  Held,
} from "../results/burst_schema.ts";
import type { BurstPart } from "../scenario/scenario.ts";
import { mean } from "../statistics/mod.ts";
import type { Startable } from "../impl/start.ts";
import { startUpstream } from "../upstream/upstream.ts";
import { judgeBurst, notHeld } from "./burst_judge.ts";
import { observeBurst } from "./burst_observe.ts";
import { openWorkload } from "./workload.ts";
import { judgeWarmUp } from "./judge.ts";
import { disturbanceOf } from "./judge_machine.ts";
import { measureAgain } from "./measure_again.ts";
import type { Bar } from "./progress.ts";
import { start } from "./ground.ts";
import type { LoadSession } from "./session.ts";
import { warmUp } from "./warm_up.ts";
import { burstLabel } from "../../site/assets/step_text.js";

/** Connections of the warm-up at a time; each request has one of its own, as each user of a burst has. */
const warmUpConnections = 50;

/** How often a round that the machine disturbed is measured again: most take seconds, and there are few. */
const usualRepeats = 3;

/** The helpers of bursts, by their paths. */
export interface BurstTools {
  burst: string;
  /** The null server: it holds a request for as long as that says. */
  upstream: string;
}

/** Options for {@linkcode measureBurstStep}. */
export interface BurstStepOptions {
  session: LoadSession;
  plan: BurstPlan;
  tools: BurstTools;
  bar: Bar;
  title: string;
  /** This machine's by default. */
  limits?: BurstLimits;
}

/** Measures one step: the null server, then every round. */
export async function measureBurstStep(
  side: Startable,
  step: BurstStepPlan,
  options: BurstStepOptions,
): Promise<BurstStep> {
  const { plan, session, bar, title } = options;
  const { users } = step;
  const room = roomFor(users, options.limits ?? await readBurstLimits());
  if ("leftOut" in room) return { ...step, ...room, rounds: [] };
  const name = `${title}, ${burstLabel(step)}`;
  bar.step(`${name}: null server`, plan.rounds, plan.holdSeconds);
  const nullServer = await measureAgain(() => holdAll(users, room.addresses, options), {
    session,
    title: `${name}, null server`,
    why: (held) => notHeld(users, held),
  });
  const invalidBecause = notHeld(users, nullServer);
  if (invalidBecause !== undefined) return { ...step, nullServer, invalidBecause, rounds: [] };
  const rounds: BurstRound[] = [];
  while (rounds.length < plan.rounds) {
    bar.step(
      `${name}: round ${rounds.length + 1} of ${plan.rounds}`,
      plan.rounds - rounds.length - 1,
    );
    const measure = () => measureRound(side, step, room.addresses, options);
    const round = await measureAgain(measure, {
      session,
      usualRepeats,
      title: `${name}, round ${rounds.length + 1}`,
      why: ({ disturbed }) => disturbed,
    });
    rounds.push(round);
  }
  return { ...step, nullServer, rounds, figures: burstFigures(step, rounds) };
}

/**
 * Lets the null server hold so many users at the same time. It is the upstream: one thread, which counts what is open.
 *
 * @throws {RunBroken} when it cannot be started, because it is part of the harness.
 */
async function holdAll(
  users: number,
  addresses: number,
  { session: { folder, signal, database }, plan, tools }: BurstStepOptions,
): Promise<Held> {
  const { holdSeconds, patienceSeconds } = plan;
  await using nullServer = await startUpstream({ path: tools.upstream, key: "", folder, signal });
  // Of ids that it has: one in a hundred is missing.
  const paths = Array<string>(users).fill(`/check/0?delay=${holdSeconds * 1_000}`);
  const endWindow = watchMachine();
  await using burst = startBurst({
    path: tools.burst,
    url: nullServer.url,
    paths,
    patienceSeconds,
    folder,
    signal,
    sources: freshAddresses(addresses),
  });
  const { visits } = await burst.outcome;
  const databasePid = database?.pid === undefined ? [] : [database.pid];
  const machine = endWindow(new Set([Deno.pid, burst.pid, nullServer.pid, ...databasePid]));
  const late = visits.filter(({ answer }) => answer?.status === 200)
    .map(({ startSeconds, endSeconds }) => endSeconds - startSeconds - holdSeconds)
    .sort((a, b) => a - b);
  const { peakOpen } = await nullServer.counts();
  return {
    users: late.length,
    peakOpen,
    // Nobody was late whom it did not answer.
    lateMeanSeconds: late.length === 0 ? undefined : Math.max(0, mean(late)),
    lateP99Seconds: Math.max(0, late[Math.ceil(0.99 * late.length) - 1] ?? 0),
    disturbed: disturbanceOf(machine),
  };
}

/** Starts a fresh process, warms it up, and sends all users to it. */
async function measureRound(
  side: Startable,
  { users, delaySeconds }: BurstStepPlan,
  addresses: number,
  { session, plan, tools }: BurstStepOptions,
): Promise<BurstRound> {
  const part = burstPartOf(session);
  await using subject = await start(side, session);
  await using workload = await openWorkload(session);
  const warm = await warmUp(subject, {
    session,
    workload,
    connections: warmUpConnections,
    requests: plan.warmUpRequests,
    keepAlive: false,
  });
  const startedAt = new Date().toISOString();
  const { machine, ...observed } = await observeBurst(subject, {
    part,
    session,
    patienceSeconds: plan.patienceSeconds,
    burstPath: tools.burst,
    paths: part.paths(users, delaySeconds),
    sources: freshAddresses(addresses),
  });
  return { startedAt, ...observed, ...judgeBurst(observed, users, machine, judgeWarmUp(warm)) };
}

function burstPartOf({ scenario }: LoadSession): BurstPart {
  if (scenario.burst === undefined) {
    throw new TypeError(`"${scenario.id}" has bursts without a part`);
  }
  return scenario.burst;
}
