/**
 * Compare: which of two sides is faster (protocol B)? Takes two built implementations; returns, for each level, one
 * ratio per round of two fresh processes, and the estimate with its 95 % confidence interval.
 */
import { formatInteger } from "../lib/format_integer.ts";
import { type SideName, sideNames } from "../database/database.ts";
import { freeze, thaw } from "../lib/signals.ts";
import { createRandom, shuffle } from "../lib/random.ts";
import {
  type ComparedRound,
  type ComparedSide,
  type ComparisonPlan,
  type JudgedRound,
  whyLeftOut,
} from "../results/comparison_schema.ts";
import { openWorkload, type Workload } from "./workload.ts";
import { conclude, type Concluded, isLost } from "./conclude.ts";
import { hasDisturbedOther } from "./frozen.ts";
import { hasDoneWrong, judgeLoad } from "./judge.ts";
import { disturbanceOf, loadsToRepeat } from "./judge_machine.ts";
import type { JudgeContext } from "./limits.ts";
import { type TurnsWatch, watchTurns } from "./judge_scheduling.ts";
import { mergeLoads } from "./merge_facts.ts";
import { measureSlices, type Side, withName } from "./slices.ts";
import type { UpstreamLimit } from "../results/protocols_schema.ts";
import type { Startable } from "../impl/start.ts";
import { roundsInAll, startBar } from "./progress.ts";
import { start } from "./ground.ts";
import type { Session } from "./session.ts";
import { type WarmedUp, warmUntilQuiet } from "./warm_up.ts";

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
  /**
   * Measures something else of the warm processes at the end of a round, with its index from 0; it takes them frozen, and
   * leaves them frozen. Its time is not taken from the rounds'. Absent where there is nothing else.
   */
  afterLoads?: (
    round: number,
    sides: Record<SideName, Side>,
    workload: Workload,
  ) => Promise<void>;
}

/**
 * Compares two implementations, round by round.
 *
 * @throws {BenchError} when one does not start, or ends under load.
 */
export async function compare(
  sides: Record<SideName, Startable>,
  { plan, session, seed, upstreamLimit, title, afterLoads }: CompareOptions,
): Promise<Concluded> {
  const random = createRandom(seed);
  const rounds = new Map<number, ComparedRound[]>(plan.levels.map((level) => [level, []]));
  const startMs = performance.now();
  let besideMs = 0;
  const elapsedSeconds = () => (performance.now() - startMs - besideMs) / 1000;
  const scheduling = watchTurns(session);
  using bar = startBar(session.report);
  for (let round = 0; mayBegin(plan, round, elapsedSeconds()); round++) {
    session.signal.throwIfAborted();
    const total = roundsInAll(plan, round, elapsedSeconds());
    bar.step(`${title}, round ${round + 1} of ${total}`, total - round - 1);
    await measureRound(sides, {
      plan,
      session,
      random,
      rounds,
      scheduling,
      afterLoads: async (warm, workload) => {
        const beganMs = performance.now();
        await afterLoads?.(round, warm, workload);
        besideMs += performance.now() - beganMs;
      },
    });
    for (const line of describeLeftOut(rounds)) session.report.line(line);
    // What else is measured of the processes may be valid all the same.
    if (afterLoads === undefined && isLost(rounds.values(), plan, elapsedSeconds())) {
      session.report.line(
        `The comparison ends after ${round + 1} of ${plan.minRounds} rounds: too many are left out`,
      );
      break;
    }
  }
  bar.end();
  return conclude(rounds, { plan, poolMax: session.poolMax, upstreamLimit });
}

/**
 * Tells whether another round may begin after so many, which took so long. That may depend on their duration, never on their
 * results: optional stopping invalidates intervals.
 */
export function mayBegin(
  { minRounds, budgetSeconds }: Pick<ComparisonPlan, "minRounds" | "budgetSeconds">,
  rounds: number,
  elapsedSeconds: number,
): boolean {
  return rounds < minRounds || elapsedSeconds < budgetSeconds;
}

/** Returns a line for each level whose last round is left out, with the reason: the verdict comes only after all rounds. */
export function describeLeftOut(rounds: ReadonlyMap<number, JudgedRound[]>): string[] {
  return [...rounds].flatMap(([connections, those]) => {
    const because = whyLeftOut(those.at(-1)!);
    return because === undefined ? [] : [
      `${formatInteger(connections)} connections, round ${those.length} is left out: ${because}`,
    ];
  });
}

interface RoundOptions extends Pick<CompareOptions, "plan" | "session"> {
  random: () => number;
  scheduling: TurnsWatch;
  rounds: ReadonlyMap<number, ComparedRound[]>;
  afterLoads: (sides: Record<SideName, Side>, workload: Workload) => Promise<void>;
}

/**
 * Measures one round. Random draws decide all that could favour a side: which starts, is warmed up and waits frozen first,
 * the account of the database, and which begins, has the first slice and ends first in the first load. The next load begins
 * with the other side: the effect of a slice's position then cancels within the round.
 */
async function measureRound(
  startables: Record<SideName, Startable>,
  { rounds, afterLoads, ...shared }: RoundOptions,
): Promise<void> {
  const { plan, session, random, scheduling } = shared;
  await using stack = new AsyncDisposableStack();
  const workload = stack.use(await openWorkload(session));
  const [ofSubject, ofReference] = shuffle(sideNames, random);
  const accounts = { subject: ofSubject!, reference: ofReference! };
  const sides = {} as Record<SideName, Side>;
  const warmUps = {} as Record<SideName, WarmedUp>;
  for (const name of shuffle(sideNames, random)) {
    const account = accounts[name];
    const subject = stack.use(await start(startables[name], session, account));
    const warming = warmUntilQuiet(subject, {
      session,
      workload,
      side: account,
      connections: Math.max(...plan.levels),
      requests: plan.warmUpRequests,
      mostSeconds: plan.mostSecondsToQuiet ?? 0,
      toolchain: startables[name].toolchain,
    });
    warmUps[name] = await withName(subject, warming);
    freeze(subject.process);
    sides[name] = { subject, account };
    scheduling.look(name, sides);
  }
  for (const [index, connections] of shuffle(plan.levels, random).entries()) {
    const round = await measureLoads(sides, { ...shared, workload, connections });
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
  if (sideNames.every((name) => warmUps[name].isQuiet !== false)) {
    await afterLoads(sides, workload);
  }
  for (const { subject } of Object.values(sides)) thaw(subject.process);
}

/** Keeps a warm-up's load only if the server did wrong. */
function describeWarmUp({ load, requests, isQuiet }: WarmedUp): ComparedSide["warmUp"] {
  return { requests, isQuiet, load: load && hasDoneWrong(load) ? load : undefined };
}

interface LoadsOptions extends Omit<RoundOptions, "rounds" | "afterLoads"> {
  workload: Workload;
  connections: number;
}

/** Measures the loads of one level in one round. */
async function measureLoads(
  sides: Record<SideName, Side>,
  { random, ...options }: LoadsOptions,
): Promise<ComparedRound> {
  const { plan, session: { report, mostRepeats = 2, poolMax }, connections } = options;
  return await measureUndisturbed(beginners(plan.loads, random), {
    mostRepeats,
    context: { connections, poolMax, loads: plan.loads },
    measure: (first) => measureSlices(sides, { ...options, first }),
    onRepeat: (loads, because) =>
      report.line(
        `${formatInteger(connections)} connections, ${
          plan.loads === 1 ? "the load" : `${loads} of ${plan.loads} loads`
        } of this round once more: ${because}`,
      ),
  });
}

interface UndisturbedOptions {
  mostRepeats: number;
  context: JudgeContext;
  /** Measures a load that this side begins. */
  measure: (first: SideName) => Promise<ComparedRound>;
  /** Is told how many loads are measured again, and why. */
  onRepeat: (loads: number, because: string) => void;
}

/** Measures a load for each of those who begin, and those again that the machine disturbed; returns them as one round. */
export async function measureUndisturbed(
  firsts: readonly SideName[],
  { mostRepeats, context, measure, onRepeat }: UndisturbedOptions,
): Promise<ComparedRound> {
  const repeatedBecause: string[] = [];
  const replacedLoads: NonNullable<ComparedRound["replacedLoads"]> = [];
  // In the order of measuring: a ratio that changes with the place tells that processes were not warm.
  let loads: ComparedRound[] = [];
  let wanted = firsts;
  while (true) {
    for (const first of wanted) loads.push(await measure(first));
    const merged = mergeLoads(loads);
    const round = { ...merged, disturbed: disturbanceOf(merged.machine) };
    if (!mayRepeat(round, context) || repeatedBecause.length === mostRepeats) {
      return replacedLoads.length > 0 ? { ...round, repeatedBecause, replacedLoads } : round;
    }
    const again = loadsToRepeat(round, loads);
    onRepeat(again.length, round.disturbed!);
    repeatedBecause.push(round.disturbed!);
    replacedLoads.push(again.map(describeReplaced));
    wanted = again.map(({ order }) => order.startsWith("s") ? "subject" : "reference");
    loads = loads.filter((load) => !again.includes(load));
  }
}

function describeReplaced({ order, machine, subject, reference }: ComparedRound) {
  const describe = ({ correct, seconds }: ComparedSide) => ({ correct, seconds });
  return { order, machine, subject: describe(subject), reference: describe(reference) };
}

/** Returns which side begins each load of a round: a random one, then the other, and so on in turn. */
export function beginners(loads: number, random: () => number): SideName[] {
  const order = shuffle(sideNames, random);
  return Array.from({ length: loads }, (_, index) => order[index % order.length]!);
}

/** Tells whether the loads of a round may be measured again: the machine disturbed them, and nothing else is wrong. */
export function mayRepeat(
  { disturbed, subject, reference }: ComparedRound,
  context: JudgeContext,
): boolean {
  return disturbed !== undefined &&
    [subject, reference].every((side) =>
      side.schedulingChanges === undefined && !hasDisturbedOther(side) &&
      (side.load === undefined || judgeLoad(side.load, context).length === 0)
    );
}
