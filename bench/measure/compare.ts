/**
 * Compare: which of two sides is faster (protocol B)? Takes two built implementations; returns, for each level, one
 * ratio per round of two fresh processes, and the estimate with its 95 % confidence interval.
 */
import { type SideName, sideNames } from "../database/database.ts";
import type { Session } from "./levels.ts";
import { freeze, thaw } from "../lib/process.ts";
import { createRandom, shuffle } from "../lib/random.ts";
import {
  type ComparedLevel,
  type ComparedRound,
  type ComparedSide,
  type ComparisonPlan,
  goodputOf,
} from "../results/comparison_schema.ts";
import type { LoadFacts } from "../results/load_schema.ts";
import { type Conditions, openConditions } from "./conditions.ts";
import { type JudgeContext, judgeLoad, judgeMachine, judgeWarmUp } from "./judge.ts";
import { factsOf } from "./load.ts";
import { mergeFacts, mergeMachine } from "./merge_facts.ts";
import { measureSlices, type Side, withName } from "./slices.ts";
import type { Startable } from "../impl/start.ts";
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
  /** How often the loads of a level are measured again, at most, in a round that the machine disturbed; 2 by default. */
  mostRepeats?: number;
}

/**
 * Compares two implementations, round by round.
 *
 * @throws {BenchError} when one does not start, or ends under load.
 */
export async function compare(
  sides: Record<SideName, Startable>,
  { plan, session, seed, title, mostRepeats = 2 }: CompareOptions,
): Promise<ComparedLevel[]> {
  const random = createRandom(seed);
  const rounds = new Map<number, ComparedRound[]>(plan.levels.map((level) => [level, []]));
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
    await measureRound(sides, { plan, session, random, rounds, warmUpRequests, mostRepeats });
  }
  bar.end();
  return [...rounds].map(([connections, list]) => concludeLevel(connections, list, session));
}

/** Determines how many warm-up requests each side needs: the same number in every round. */
async function findWarmUps(
  sides: Record<SideName, Startable>,
  { plan, session, title }: Pick<CompareOptions, "plan" | "session" | "title">,
): Promise<Record<SideName, number>> {
  const { warmUpRequests: leastRequests, mostWarmUpRequests: mostRequests } = plan;
  const requests = { subject: leastRequests, reference: leastRequests };
  if (mostRequests === undefined) return requests;
  await using conditions = await openConditions(session);
  for (const name of sideNames) {
    const label = `${title}, finding how many requests warm ${sides[name].impl.id} up`;
    using bar = startBar(session.report);
    bar.step(label, 0);
    await using subject = await start(sides[name], session, name);
    const options = { session, conditions, connections: mostConnections(plan), side: name };
    requests[name] = await findWarmUp(subject, options, {
      leastRequests,
      mostRequests,
      onPart: (requests, later, rate) => bar.step(label, later / requests, rate && requests / rate),
    });
    bar.end();
  }
  return requests;
}

/** Warm-up is that of the level with the most connections. */
function mostConnections({ levels }: ComparisonPlan): number {
  return Math.max(...levels);
}

interface RoundOptions extends Pick<CompareOptions, "plan" | "session"> {
  random: () => number;
  rounds: ReadonlyMap<number, ComparedRound[]>;
  warmUpRequests: Record<SideName, number>;
  mostRepeats: number;
}

/**
 * Measures one round. All that could favour a side is drawn by lot: which starts, is warmed up and waits frozen first,
 * the account of the database, and in each load which begins, has the first slice and ends first.
 */
async function measureRound(
  startables: Record<SideName, Startable>,
  { rounds, warmUpRequests, ...shared }: RoundOptions,
): Promise<void> {
  const { plan, session, random } = shared;
  await using stack = new AsyncDisposableStack();
  const conditions = stack.use(await openConditions(session));
  const [ofSubject, ofReference] = shuffle(sideNames, random);
  const accounts = { subject: ofSubject!, reference: ofReference! };
  const sides = {} as Record<SideName, Side>;
  const warmUps: Partial<Record<SideName, LoadFacts>> = {};
  for (const name of shuffle(sideNames, random)) {
    const account = accounts[name];
    const subject = stack.use(await start(startables[name], session, account));
    const warming = warmUp(subject, {
      ...{ session, conditions, side: account },
      connections: mostConnections(plan),
      requests: warmUpRequests[name],
    });
    const seen = await withName(subject, warming);
    freeze(subject.process);
    sides[name] = { subject, account };
    if (seen !== undefined && judgeWarmUp(seen).length > 0) warmUps[name] = factsOf(seen);
  }
  for (const [index, connections] of shuffle(plan.levels, random).entries()) {
    const round = await measureLoads(sides, { ...shared, conditions, connections });
    rounds.get(connections)!.push({
      ...round,
      place: index + 1,
      subject: { ...round.subject, warmUp: warmUps.subject },
      reference: { ...round.reference, warmUp: warmUps.reference },
      warmUpRequests: plan.mostWarmUpRequests === undefined ? undefined : warmUpRequests,
    });
  }
  for (const { subject } of Object.values(sides)) thaw(subject.process);
}

interface LoadsOptions extends Omit<RoundOptions, "rounds" | "warmUpRequests"> {
  conditions: Conditions;
  connections: number;
}

/** Measures the loads of one level in one round, and again where the machine disturbed them. */
async function measureLoads(
  sides: Record<SideName, Side>,
  { plan, session, random, mostRepeats, conditions, connections }: LoadsOptions,
): Promise<ComparedRound> {
  const repeatedBecause: string[] = [];
  while (true) {
    const loads: ComparedRound[] = [];
    while (loads.length < plan.loads) {
      const [first] = shuffle(sideNames, random);
      const options = { plan, session, conditions, connections, first: first! };
      loads.push(await measureSlices(sides, options));
    }
    const round = mergeLoads(loads);
    const disturbed = judgeMachine(round.machine).map(({ message }) => message).join("; ");
    if (disturbed === "" || repeatedBecause.length === mostRepeats) {
      return {
        ...round,
        repeatedBecause: repeatedBecause.length > 0 ? repeatedBecause : undefined,
      };
    }
    session.report.line(`${connections} connections, once more in this round: ${disturbed}`);
    repeatedBecause.push(disturbed);
  }
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
      load: mergeFacts(sides.flatMap(({ load }) => load ?? [])),
    };
  };
  return {
    startedAt: loads[0]!.startedAt,
    order: loads.map(({ order }) => order).join(" "),
    subject: mergeSide(loads.map(({ subject }) => subject)),
    reference: mergeSide(loads.map(({ reference }) => reference)),
    machine: mergeMachine(loads.map(({ machine }) => machine)),
  };
}

/** Computes the ratios of one level from its rounds, or says why it is invalid. */
export function concludeLevel(
  connections: number,
  rounds: ComparedRound[],
  { poolMax }: { poolMax: number },
): ComparedLevel {
  const level: ComparedLevel = { connections, rounds };
  const problem = [
    ...sideNames.flatMap((name) =>
      judgeSide(rounds.map((round) => round[name]), { connections, poolMax })
        .map((message) => `the ${name}: ${message}`)
    ),
    ...rounds.flatMap(({ machine }, index) =>
      judgeMachine(machine).map(({ message }) => `in round ${index + 1}, ${message}`)
    ),
  ].join("; ");
  if (problem !== "") return { ...level, problem };
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

/** Returns every reason why the ratios to a side, or of it, are invalid: its loads of all rounds are judged as one. */
function judgeSide(sides: ComparedSide[], context: JudgeContext): string[] {
  const loads = mergeFacts(sides.flatMap(({ load }) => load ?? []));
  const warmUps = mergeFacts(sides.flatMap(({ warmUp }) => warmUp ?? []));
  const reasons = loads === undefined ? [] : judgeLoad(loads, { ...context, warmUp: warmUps });
  const silent = sides.filter(({ correct }) => correct === 0).length;
  return [
    ...reasons.map(({ message }) => message),
    ...(silent === 0 ? [] : [
      `no request was answered correctly in ${silent} of ${sides.length} rounds, expected some`,
    ]),
  ];
}

function sum<T>(items: T[], value: (item: T) => number): number {
  return items.reduce((total, item) => total + value(item), 0);
}
