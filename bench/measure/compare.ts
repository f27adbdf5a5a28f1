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
  undisturbed,
} from "../results/comparison_schema.ts";
import { type Conditions, openConditions } from "./conditions.ts";
import { type JudgeContext, judgeLoad, judgeMachine, judgeUpstream, judgeWarmUp } from "./judge.ts";
import { mergeFacts, mergeMachine } from "./merge_facts.ts";
import { measureSlices, type Side, withName } from "./slices.ts";
import type { UpstreamLimit } from "../results/protocols_schema.ts";
import type { Startable } from "../impl/start.ts";
import {
  median,
  type PlacedLoad,
  placeSlope,
  type RatioInterval,
  ratioInterval,
} from "../statistics/mod.ts";
import { roundsInAll, startBar } from "./progress.ts";
import { start } from "./session.ts";
import { quietRule, type WarmedUp, warmUntilQuiet } from "./warm_up.ts";

/** Options for {@linkcode compare}. */
export interface CompareOptions {
  plan: ComparisonPlan;
  session: Session;
  /** What the upstream can do by itself; absent where that is unknown. */
  upstreamLimit?: UpstreamLimit;
  /** Random seed for the order of sides and levels. */
  seed: number;
  /** Shown with the progress. */
  title: string;
}

/**
 * Compares two implementations, round by round.
 *
 * @throws {BenchError} when one does not start, or ends under load.
 */
export async function compare(
  sides: Record<SideName, Startable>,
  { plan, session, seed, upstreamLimit, title }: CompareOptions,
): Promise<ComparedLevel[]> {
  const random = createRandom(seed);
  const rounds = new Map<number, ComparedRound[]>(plan.levels.map((level) => [level, []]));
  const startMs = performance.now();
  const elapsedSeconds = () => (performance.now() - startMs) / 1000;
  using bar = startBar(session.report);
  // The number of rounds may depend on their duration, never on their results: optional stopping invalidates
  // intervals.
  for (let round = 0; round < plan.minRounds || elapsedSeconds() < plan.budgetSeconds; round++) {
    session.signal.throwIfAborted();
    const total = roundsInAll(plan, round, elapsedSeconds());
    bar.step(`${title}, round ${round + 1} of ${total}`, total - round - 1);
    await measureRound(sides, { plan, session, random, rounds });
  }
  bar.end();
  return conclude(rounds, { plan, poolMax: session.poolMax, upstreamLimit });
}

interface RoundOptions extends Pick<CompareOptions, "plan" | "session"> {
  random: () => number;
  rounds: ReadonlyMap<number, ComparedRound[]>;
}

/**
 * Measures one round. All that could favour a side is drawn by lot: which starts, is warmed up and waits frozen first,
 * the account of the database, and in each load which begins, has the first slice and ends first.
 */
async function measureRound(
  startables: Record<SideName, Startable>,
  { rounds, ...shared }: RoundOptions,
): Promise<void> {
  const { plan, session, random } = shared;
  await using stack = new AsyncDisposableStack();
  const conditions = stack.use(await openConditions(session));
  const [ofSubject, ofReference] = shuffle(sideNames, random);
  const accounts = { subject: ofSubject!, reference: ofReference! };
  const sides = {} as Record<SideName, Side>;
  const warmUps = {} as Record<SideName, WarmedUp>;
  for (const name of shuffle(sideNames, random)) {
    const account = accounts[name];
    const subject = stack.use(await start(startables[name], session, account));
    const warming = warmUntilQuiet(subject, {
      ...{ session, conditions, side: account },
      connections: Math.max(...plan.levels),
      requests: plan.warmUpRequests,
      mostSeconds: plan.mostSecondsToQuiet ?? 0,
      compilerThreads: startables[name].toolchain.compilerThreads,
    });
    warmUps[name] = await withName(subject, warming);
    freeze(subject.process);
    sides[name] = { subject, account };
  }
  for (const [index, connections] of shuffle(plan.levels, random).entries()) {
    const round = await measureLoads(sides, { ...shared, conditions, connections });
    const withWarmUp = (name: SideName): ComparedSide => ({
      ...round[name],
      warmUp: describeWarmUp(warmUps[name]),
    });
    rounds.get(connections)!.push({
      ...round,
      place: index + 1,
      subject: withWarmUp("subject"),
      reference: withWarmUp("reference"),
    });
  }
  for (const { subject } of Object.values(sides)) thaw(subject.process);
}

/** Leaves out of a warm-up what was as it should be. */
function describeWarmUp({ load, requests, isQuiet }: WarmedUp): ComparedSide["warmUp"] {
  return { requests, isQuiet, load: judgeWarmUp(load).length > 0 ? load : undefined };
}

interface LoadsOptions extends Omit<RoundOptions, "rounds"> {
  conditions: Conditions;
  connections: number;
}

/** Measures the loads of one level in one round, and again where the machine disturbed them. */
async function measureLoads(
  sides: Record<SideName, Side>,
  { plan, session, random, conditions, connections }: LoadsOptions,
): Promise<ComparedRound> {
  const { mostRepeats = 2 } = session;
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
        disturbed: disturbed === "" ? undefined : disturbed,
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

/** Computes the ratios of all levels from their rounds; where processes were not warm, says so of each. */
export function conclude(
  rounds: ReadonlyMap<number, ComparedRound[]>,
  session: Pick<JudgeContext, "poolMax" | "upstreamLimit"> & {
    plan: Pick<ComparisonPlan, "slices">;
  },
): ComparedLevel[] {
  const levels = [...rounds].map(([connections, list]) =>
    concludeLevel(connections, list, session)
  );
  if (levels.some(({ problem }) => problem !== undefined)) return levels;
  const slope = placeSlope(placedLoads(levels, session.plan));
  if (slope === undefined || (slope.low <= 0 && slope.high >= 0)) return levels;
  const [change, low, high] = [slope.slope, slope.low, slope.high].map(percentOf);
  const problem = `the ratio changes by ${change} % (95 %: ${low} to ${high}) from one load of a ` +
    "round to the next, expected no change: the processes were not warm";
  return levels.map(({ connections, rounds }) => ({ connections, rounds, problem }));
}

/** Returns the loads of each round in the order of measuring, without rounds that the machine disturbed at any level. */
function placedLoads(levels: ComparedLevel[], { slices }: Pick<ComparisonPlan, "slices">) {
  const rounds = levels[0]!.rounds.map((_, index) =>
    levels.map(({ connections, rounds }) => ({ level: connections, round: rounds[index]! }))
  );
  return rounds.filter((round) => round.every(({ round }) => round.disturbed === undefined)).map((
    round,
  ) =>
    round.toSorted((a, b) => (a.round.place ?? 0) - (b.round.place ?? 0))
      .flatMap(({ level, round: { subject, reference } }) => {
        const [ofSubject, ofReference] = [subject, reference].map(({ perSlice }) =>
          Array.from(
            { length: perSlice.length / slices },
            (_, load) =>
              sum(perSlice.slice(load * slices, (load + 1) * slices), (correct) => correct),
          )
        );
        return ofSubject!.map((correct, load): PlacedLoad => ({
          level,
          // A load without an answer has a ratio all the same: half an answer.
          logRatio: Math.log(Math.max(correct, 0.5) / Math.max(ofReference![load]!, 0.5)),
        }));
      })
  );
}

function percentOf(logRatio: number): string {
  return (100 * Math.expm1(logRatio)).toFixed(1);
}

/** Computes the ratios of one level from its rounds, or says why it is invalid. */
export function concludeLevel(
  connections: number,
  rounds: ComparedRound[],
  { poolMax, upstreamLimit }: Pick<JudgeContext, "poolMax" | "upstreamLimit">,
): ComparedLevel {
  const level: ComparedLevel = { connections, rounds };
  const problem = [
    ...sideNames.flatMap((name) =>
      judgeSide(rounds.map((round) => round[name]), { connections, poolMax, upstreamLimit })
        .map((message) => `the ${name}: ${message}`)
    ),
    ...judgeDisturbed(rounds),
  ].join("; ");
  if (problem !== "") return { ...level, problem };
  const ratioOf = (
    value: (side: ComparedSide) => number | undefined,
  ): RatioInterval | undefined => {
    const logRatios: number[] = [];
    for (const { subject, reference } of undisturbed(rounds)) {
      const [ofSubject, ofReference] = [value(subject), value(reference)];
      if (ofSubject === undefined || ofReference === undefined) return undefined;
      logRatios.push(Math.log(ofSubject / ofReference));
    }
    return ratioInterval(logRatios);
  };
  const medianOf = (name: SideName) =>
    median(undisturbed(rounds).map((round) => goodputOf(round[name])));
  return {
    ...level,
    goodput: ratioOf(goodputOf),
    cpuPerAnswer: ratioOf((side) => side.cpuSecondsPerAnswer),
    goodputPerSecond: { subject: medianOf("subject"), reference: medianOf("reference") },
  };
}

/** Largest share of rounds that may be left out. */
const mostDisturbed = 0.25;

/** Returns why too many rounds were disturbed to go by the others; which are depends on the machine, never on a ratio. */
function judgeDisturbed(rounds: ComparedRound[]): string[] {
  const reasons = rounds.flatMap(({ disturbed }) => disturbed ?? []);
  if (reasons.length <= mostDisturbed * rounds.length) return [];
  return [
    `the machine disturbed ${reasons.length} of ${rounds.length} rounds, expected at most ${
      100 * mostDisturbed
    } %; the first: ${reasons[0]}`,
  ];
}

/** Returns every reason why the ratios to a side, or of it, are invalid: its loads of all rounds are judged as one. */
function judgeSide(sides: ComparedSide[], context: JudgeContext): string[] {
  const loads = mergeFacts(sides.flatMap(({ load }) => load ?? []));
  const warmUps = mergeFacts(sides.flatMap(({ warmUp }) => warmUp?.load ?? []));
  const reasons = loads === undefined ? [] : judgeLoad(loads, { ...context, warmUp: warmUps });
  const atUpstream = loads === undefined ? [] : judgeUpstream(loads.calls, {
    attempted: sum(sides, ({ correct }) => correct),
    durationSeconds: sum(sides, ({ seconds }) => seconds),
  }, context);
  const silent = sides.filter(({ correct }) => correct === 0).length;
  const compiling = sides.filter(({ warmUp }) => warmUp?.isQuiet === false).length;
  return [
    ...[...reasons, ...atUpstream].map(({ message }) => message),
    ...(silent === 0 ? [] : [
      `no request was answered correctly in ${silent} of ${sides.length} rounds, expected some`,
    ]),
    ...(compiling === 0 ? [] : [
      `its compilers were still at work after the warm-up in ${compiling} of ${sides.length} ` +
      `rounds, expected at most ${
        100 * quietRule.mostShare
      } % of a processor for ${quietRule.windowSeconds} s`,
    ]),
  ];
}

function sum<T>(items: T[], value: (item: T) => number): number {
  return items.reduce((total, item) => total + value(item), 0);
}
