/**
 * Conclude: what do the rounds of a comparison say? Takes them as they were measured; returns the ratios of each level
 * with their 95 % confidence intervals, or why the comparison is invalid. Measures nothing.
 */
import { sum, sumOf } from "../lib/sum.ts";
import { otherSide, type SideName, sideNames } from "../database/database.ts";
import {
  type ComparedLevel,
  type ComparedRound,
  type ComparedSide,
  type ComparisonPlan,
  counted,
  goodputOf,
  whyLeftOut,
} from "../results/comparison_schema.ts";
import type { LoadFacts } from "../results/load_schema.ts";
import {
  median,
  type PlacedLoad,
  placeSlope,
  type RatioInterval,
  ratioInterval,
} from "../statistics/mod.ts";
import { judgeFrozen } from "./frozen.ts";
import { judgeSettling } from "./settling.ts";
import { judgeLoad } from "./judge.ts";
import { judgeScheduling } from "./judge_scheduling.ts";
import { judgeUpstream } from "./judge_upstream.ts";
import type { JudgeContext } from "./limits.ts";
import { mergeFacts } from "./merge_facts.ts";
import { turnsOf } from "./slices.ts";

/** Options for {@linkcode conclude}. */
export interface ConcludeOptions extends Pick<JudgeContext, "poolMax" | "upstreamLimit"> {
  plan: Pick<
    ComparisonPlan,
    "slices" | "sliceSeconds" | "settleSeconds" | "joinsSlices" | "loads" | "minRounds"
  >;
}

/** What the rounds of a comparison say. */
export interface Concluded {
  levels: ComparedLevel[];
  /** How the ratios of valid levels say that processes were not warm, which then invalidates them; absent where they do not. */
  notWarm?: string;
}

/**
 * Returns why a comparison is to be measured again: nothing is wrong at any level, but that processes seem not to have been
 * warm; undefined where it counts.
 */
export function reasonToCompareAgain({ levels, notWarm }: Concluded): string | undefined {
  return levels.every(({ problem }) => problem === notWarm) ? notWarm : undefined;
}

/** Computes the ratios of all levels from their rounds; where processes were not warm, says so of each. */
export function conclude(
  rounds: ReadonlyMap<number, ComparedRound[]>,
  options: ConcludeOptions,
): Concluded {
  const levels = [...rounds].map(([connections, list]) =>
    concludeLevel(connections, list, options)
  );
  // What is wrong at one level tells nothing of the others: those are still to be checked.
  const valid = levels.filter(({ problem }) => problem === undefined);
  const slope = placeSlope(placedLoads(valid, options.plan));
  if (slope === undefined || (slope.low <= 0 && slope.high >= 0)) return { levels };
  const [change, low, high] = [slope.slope, slope.low, slope.high].map(percentOf);
  const notWarm = `the ratio changes by ${change} % (99 %: ${low} to ${high}) from one load of a ` +
    "round to the next, expected no change: the processes may not have been warm (of warm ones, one " +
    "comparison in a hundred looks so by chance)";
  return {
    levels: levels.map(({ connections, rounds, problem = notWarm }) => ({
      connections,
      rounds,
      problem,
    })),
    notWarm,
  };
}

/** Returns the loads of each round in the order of measuring, without rounds that are left out at any level. */
function placedLoads(levels: ComparedLevel[], plan: ConcludeOptions["plan"]) {
  const { slices } = plan;
  const rounds = (levels[0]?.rounds ?? []).map((_, index) =>
    levels.map(({ connections, rounds }) => ({ level: connections, round: rounds[index]! }))
  );
  return rounds.filter((round) => round.every(({ round }) => whyLeftOut(round) === undefined)).map((
    round,
  ) =>
    round.toSorted((a, b) => (a.round.place ?? 0) - (b.round.place ?? 0))
      .flatMap(({ level, round }) =>
        round.order.split(" ").map((order, load): PlacedLoad => {
          const [ofSubject, ofReference] = sideNames.map((name) => {
            const correct = sum(round[name].perSlice.slice(load * slices, (load + 1) * slices));
            // A load without an answer has a ratio all the same: half an answer.
            const seconds = round[name].secondsPerLoad?.[load] ?? countedSeconds(name, order, plan);
            return Math.max(correct, 0.5) / seconds;
          });
          return { level, logRatio: Math.log(ofSubject! / ofReference!) };
        })
      )
  );
}

/**
 * Returns how long a side's slices in one load were to count, in seconds, for earlier results, which do not say how long they
 * did. Where slices are joined, the side that begins has a turn more, and so the uncounted beginning of one.
 */
function countedSeconds(name: SideName, order: string, plan: ConcludeOptions["plan"]): number {
  const turns = turnsOf([...order], plan).filter(({ side }) => side === name[0]);
  return plan.slices * plan.sliceSeconds - turns.length * plan.settleSeconds;
}

function percentOf(logRatio: number): string {
  return (100 * Math.expm1(logRatio)).toFixed(1);
}

/** Computes the ratios of one level from its rounds, or says why it is invalid. */
export function concludeLevel(
  connections: number,
  rounds: ComparedRound[],
  { plan, ...options }: ConcludeOptions,
): ComparedLevel {
  const level: ComparedLevel = { connections, rounds };
  const context = { ...options, connections, loads: rounds.length * plan.loads };
  const problem = [
    ...sideNames.flatMap((name) =>
      judgeSide(name, rounds, context).map((message) => `the ${name}: ${message}`)
    ),
    ...judgeLeftOut(rounds, plan),
  ].join("; ");
  if (problem !== "") return { ...level, problem };
  const ratioOf = (
    value: (side: ComparedSide) => number | undefined,
  ): RatioInterval | undefined => {
    const logRatios: number[] = [];
    for (const { subject, reference } of counted(rounds)) {
      const [ofSubject, ofReference] = [value(subject), value(reference)];
      if (ofSubject === undefined || ofReference === undefined) return undefined;
      logRatios.push(Math.log(ofSubject / ofReference));
    }
    return ratioInterval(logRatios);
  };
  const medianOf = (name: SideName) =>
    median(counted(rounds).map((round) => goodputOf(round[name])));
  return {
    ...level,
    goodput: ratioOf(goodputOf),
    cpuPerAnswer: ratioOf((side) => side.cpuSecondsPerAnswer),
    goodputPerSecond: { subject: medianOf("subject"), reference: medianOf("reference") },
  };
}

/** Largest share of rounds that may be left out. */
const mostLeftOut = 0.25;

/**
 * Tells whether a comparison should end early, after so much time: too many rounds are left out at every level, whatever those
 * to come are like. When the budget is used up, only the least number of rounds is still to be reached.
 */
export function isLost(
  levels: Iterable<ComparedRound[]>,
  { minRounds, budgetSeconds }: Pick<ComparisonPlan, "minRounds" | "budgetSeconds">,
  elapsedSeconds: number,
): boolean {
  return elapsedSeconds >= budgetSeconds &&
    [...levels].every((rounds) =>
      rounds.length < minRounds && reasonsToLeaveOut(rounds).length > mostLeftOut * minRounds
    );
}

function reasonsToLeaveOut(rounds: ComparedRound[]): string[] {
  return rounds.flatMap((round) => whyLeftOut(round) ?? []);
}

/** Returns why too many rounds are left out to go by the others; which are never depends on a ratio. */
function judgeLeftOut(
  rounds: ComparedRound[],
  { minRounds }: Pick<ComparisonPlan, "minRounds">,
): string[] {
  const reasons = reasonsToLeaveOut(rounds);
  if (reasons.length <= mostLeftOut * rounds.length) return [];
  return [
    `${reasons.length} of ${rounds.length} rounds${
      rounds.length < minRounds ? ` (${minRounds} were planned)` : ""
    } are left out, expected at most ${100 * mostLeftOut} %; the first: ${reasons[0]}`,
  ];
}

/**
 * Returns every reason why the ratios to a side, or of it, are invalid: its loads of all rounds are judged as one, those that
 * ratios leave out included. Of these alone, one may be without a right answer: the machine may have stopped it.
 */
function judgeSide(name: SideName, rounds: ComparedRound[], context: JudgeContext): string[] {
  const sides = rounds.map((round) => round[name]);
  const { loads, warmUps } = loadsOf(name, rounds);
  const reasons = loads === undefined ? [] : judgeLoad(loads, { ...context, warmUp: warmUps });
  const atUpstream = loads === undefined ? [] : judgeUpstream(loads.calls, {
    attempted: sumOf(sides, ({ correct }) => correct),
    durationSeconds: sumOf(sides, ({ seconds }) => seconds),
  }, context);
  const changes = new Set(sides.flatMap(({ schedulingChanges }) => schedulingChanges ?? []));
  const ofRatios = counted(rounds).map((round) => round[name]);
  const silent = ofRatios.filter(({ correct }) => correct === 0).length;
  return [
    ...[...reasons, ...judgeScheduling([...changes]), ...atUpstream].map(({ message }) => message),
    ...judgeFrozen(sides),
    ...judgeSettling(sides),
    ...(silent === 0 ? [] : [
      `no request was answered correctly in ${silent} of ${ofRatios.length} rounds, expected some`,
    ]),
  ];
}

/**
 * Merges the loads of a side, and those of its warm-ups. While the other holds locks, rows stand still for this side, too: that
 * is held against the other alone.
 */
function loadsOf(name: SideName, rounds: ComparedRound[]) {
  const of = (side: SideName) => ({
    loads: mergeFacts(rounds.flatMap((round) => round[side].load ?? [])),
    warmUps: mergeFacts(rounds.flatMap((round) => round[side].warmUp?.load ?? [])),
  });
  const [{ loads, warmUps }, other] = [of(name), of(otherSide(name))];
  const isLocked = [other.loads, other.warmUps].some((facts) => facts?.rowLocks !== undefined);
  const judged = (facts?: LoadFacts) =>
    facts && isLocked ? { ...facts, rowsStillSeconds: undefined } : facts;
  return { loads: judged(loads), warmUps: judged(warmUps) };
}
