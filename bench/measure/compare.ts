/**
 * Compare: which of two sides is faster (protocol B)? Takes two built implementations; returns, for each level, one
 * ratio per round of two fresh processes, and the estimate with its 95 % confidence interval.
 */
import { loadOf, type Session } from "./levels.ts";
import { freeze, thaw } from "../lib/process.ts";
import { createRandom, shuffle } from "../lib/random.ts";
import {
  type ComparedLevel,
  type ComparedRound,
  type ComparedSide,
  type ComparisonPlan,
  goodputOf,
} from "../results/comparison_schema.ts";
import { measureSlices, type SideName, sideNames } from "./slices.ts";
import type { Startable, Subject } from "../impl/start.ts";
import { median, type RatioInterval, ratioInterval } from "../statistics/mod.ts";
import { roundsInAll, startBar } from "./progress.ts";
import { start } from "./session.ts";
import { findWarmUp, warmUp } from "./warm_up.ts";

/** Options for {@linkcode compare}. */
export interface CompareOptions {
  plan: ComparisonPlan;
  session: Session;
  /** Random seed for the order of sides and levels. */
  seed: number;
  /** Shown with the progress. */
  title: string;
}

/** Failed answers, as a share of all, beyond which a level shows no ratio. */
const maxFailedShare = 0.001;

/**
 * Compares two implementations, round by round.
 *
 * @throws {BenchError} when one does not start, or ends under load.
 */
export async function compare(
  sides: Record<SideName, Startable>,
  { plan, session, seed, title }: CompareOptions,
): Promise<ComparedLevel[]> {
  const random = createRandom(seed);
  const rounds = new Map<number, ComparedRound[]>(plan.levels.map((level) => [level, []]));
  await warmData(session);
  const startMs = performance.now();
  const elapsedSeconds = () => (performance.now() - startMs) / 1000;
  const warmUpRequests = await findWarmUps(sides, { plan, session, title });
  const foundAfterSeconds = elapsedSeconds();
  using bar = startBar(session.report);
  // The number of rounds may depend on their duration, never on their results: optional stopping invalidates
  // intervals.
  for (let round = 0; round < plan.minRounds || elapsedSeconds() < plan.budgetSeconds; round++) {
    session.signal.throwIfAborted();
    const total = roundsInAll(
      {
        minRounds: plan.minRounds,
        budgetSeconds: plan.budgetSeconds - foundAfterSeconds,
      },
      round,
      elapsedSeconds() - foundAfterSeconds,
    );
    bar.step(`${title}, round ${round + 1} of ${total}`, total - round - 1);
    await measureRound(sides, { plan, session, random, rounds, warmUpRequests });
  }
  bar.end();
  return [...rounds].map(([connections, list]) => concludeLevel(connections, list));
}

async function warmData({ scenario: { database } }: Session): Promise<void> {
  await using connection = await database?.server.connect();
  if (connection !== undefined) await database?.warm(connection);
}

/** Determines how many warm-up requests each side needs: the same number in every round. */
async function findWarmUps(
  sides: Record<SideName, Startable>,
  { plan, session, title }: Pick<CompareOptions, "plan" | "session" | "title">,
): Promise<Record<SideName, number>> {
  const { preWarmRequests: leastRequests, preWarmMostRequests: mostRequests } = plan;
  const requests = { subject: leastRequests, reference: leastRequests };
  if (mostRequests === undefined) return requests;
  for (const name of sideNames) {
    const label = `${title}, finding how many requests warm ${sides[name].impl.id} up`;
    using bar = startBar(session.report);
    bar.step(label, 0);
    await using subject = await start(sides[name], session);
    const load = warmingLoad(subject, plan, session);
    requests[name] = await findWarmUp(load, {
      leastRequests,
      mostRequests,
      onPart: (requests, later, rate) => bar.step(label, later / requests, rate && requests / rate),
    });
    bar.end();
  }
  return requests;
}

/** Returns the load for warm-up: that of the level with the most connections. */
function warmingLoad({ url }: Subject, { levels }: ComparisonPlan, session: Session) {
  const connections = Math.max(...levels);
  return { ...loadOf(session), url: url + session.scenario.load.path, connections };
}

interface RoundOptions extends Pick<CompareOptions, "plan" | "session"> {
  random: () => number;
  rounds: ReadonlyMap<number, ComparedRound[]>;
  warmUpRequests: Record<SideName, number>;
}

async function measureRound(
  sides: Record<SideName, Startable>,
  { plan, session, random, rounds, warmUpRequests }: RoundOptions,
): Promise<void> {
  const { scenario } = session;
  await using stack = new AsyncDisposableStack();
  const subjects = {} as Record<SideName, Subject>;
  for (const name of shuffle(sideNames, random)) {
    const subject = stack.use(await start(sides[name], session));
    const requests = warmUpRequests[name];
    await warmUp({ ...warmingLoad(subject, plan, session), requests });
    freeze(subject.process);
    subjects[name] = subject;
  }
  for (const connections of shuffle(plan.levels, random)) {
    const loads: ComparedRound[] = [];
    while (loads.length < plan.loads) {
      const [first] = shuffle(sideNames, random);
      loads.push(
        await measureSlices(subjects, {
          plan,
          load: { ...loadOf(session), connections },
          path: scenario.load.path,
          rightLengths: scenario.rightLengths,
          first: first!,
        }),
      );
    }
    rounds.get(connections)!.push({
      ...mergeLoads(loads),
      warmUpRequests: plan.preWarmMostRequests === undefined ? undefined : warmUpRequests,
    });
  }
  for (const { process } of Object.values(subjects)) thaw(process);
}

/** Merges the loads of one round. */
function mergeLoads(loads: ComparedRound[]): ComparedRound {
  const mergeSide = (sides: ComparedSide[]): ComparedSide => {
    const correct = sum(sides, (side) => side.correct);
    const hasCpu = sides.every((side) => side.cpuSecondsPerAnswer !== undefined);
    return {
      correct,
      failed: sum(sides, (side) => side.failed),
      seconds: sum(sides, (side) => side.seconds),
      perSlice: sides.flatMap((side) => side.perSlice),
      cpuSecondsPerAnswer: hasCpu && correct > 0
        ? sum(sides, (side) => side.cpuSecondsPerAnswer! * side.correct) / correct
        : undefined,
    };
  };
  return {
    startedAt: loads[0]!.startedAt,
    order: loads.map(({ order }) => order).join(" "),
    subject: mergeSide(loads.map(({ subject }) => subject)),
    reference: mergeSide(loads.map(({ reference }) => reference)),
  };
}

/** Computes the ratios of one level from its rounds, or says why it is invalid. */
export function concludeLevel(connections: number, rounds: ComparedRound[]): ComparedLevel {
  const level: ComparedLevel = { connections, rounds };
  for (const name of sideNames) {
    const correct = sum(rounds, (round) => round[name].correct);
    const failed = sum(rounds, (round) => round[name].failed);
    const isAnswering = rounds.every((round) => round[name].correct > 0);
    if (isAnswering && failed <= maxFailedShare * correct) continue;
    const problem = `${failed} requests to the ${name} failed, with ${correct} correct answers, ` +
      `expected at most ${maxFailedShare * 100} % of them`;
    return { ...level, problem };
  }
  const ratioOf = (
    value: (side: ComparedSide) => number | undefined,
  ): RatioInterval | undefined => {
    const logRatios: number[] = [];
    for (const { subject, reference } of rounds) {
      const [ofSubject, ofReference] = [value(subject), value(reference)];
      if (ofSubject === undefined || ofReference === undefined) return undefined;
      logRatios.push(Math.log(ofSubject / ofReference));
    }
    return ratioInterval(logRatios);
  };
  const medianOf = (name: SideName) => median(rounds.map((round) => goodputOf(round[name])));
  return {
    ...level,
    goodput: ratioOf(goodputOf),
    cpuPerAnswer: ratioOf((side) => side.cpuSecondsPerAnswer),
    goodputPerSecond: { subject: medianOf("subject"), reference: medianOf("reference") },
  };
}

function sum<T>(items: T[], value: (item: T) => number): number {
  return items.reduce((total, item) => total + value(item), 0);
}
