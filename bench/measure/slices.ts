/**
 * Slices: which of two running servers is faster right now? Takes two warm subjects and a level; returns what each
 * answered in short, interleaved slices of load, so that changes on the machine affect both alike. During a slice,
 * the other side's server and load generator are frozen.
 */
import { delay } from "@std/async";
import { join } from "@std/path";
import { countBelow } from "../lib/sorted.ts";
import { sum, sumOf } from "../lib/sum.ts";
import { otherSide, type SideName, sideNames } from "../database/database.ts";
import type { Subject } from "../impl/start.ts";
import { processTree } from "../lib/process_tree.ts";
import { watchMachine } from "../machine/window.ts";
import type { ComparedRound, ComparedSide, ComparisonPlan } from "../results/comparison_schema.ts";
import type { LoadFacts } from "../results/load_schema.ts";
import type { Answers } from "../scenario/scenario.ts";
import { median } from "../statistics/mod.ts";
import { mostPerSecond, type Workload } from "./workload.ts";
import { BenchError, RunBroken } from "../lib/error.ts";
import { isOurs } from "../native/native.ts";
import { beginLoad, factsOf, type ObservedLoad, type RunningLoad } from "./load.ts";
import { LoadBroken } from "./watch_load.ts";
import { watchFrozen } from "./frozen.ts";
import type { TurnsWatch } from "./judge_scheduling.ts";
import type { LoadSession } from "./session.ts";

/** One side of a comparison: its running server, and what a random draw gave it. */
export interface Side {
  subject: Subject;
  /** Whose account of the database the server has. */
  account: SideName;
}

/** Options for {@linkcode measureSlices}. */
export interface SlicesOptions {
  plan: Pick<ComparisonPlan, "slices" | "sliceSeconds" | "settleSeconds" | "joinsSlices">;
  session: LoadSession;
  workload: Workload;
  connections: number;
  /** Looks at the processes after each turn; absent where no side is to be judged. */
  scheduling?: TurnsWatch;
  /** Which side begins its load first, has the first slice, and ends its load first. */
  first: SideName;
}

/** Slices in which a side runs without being frozen between. */
interface Turn<Side> {
  side: Side;
  slices: number;
}

/** When one slice was, in milliseconds of `performance.now()`. */
interface Slice {
  side: SideName;
  startMs: number;
  endMs: number;
  /** Whether it begins with a thaw. */
  isThawed: boolean;
}

/**
 * Measures both sides at one level with one load each. Takes them frozen, and leaves them frozen.
 *
 * @throws {BenchError} when a server ended meanwhile.
 */
export async function measureSlices(
  sides: Record<SideName, Side>,
  options: SlicesOptions,
): Promise<ComparedRound> {
  const { plan, session: { signal }, scheduling } = options;
  const startedAt = new Date().toISOString();
  const order = abba(options.first, plan.slices);
  await using stack = new AsyncDisposableStack();
  const loads = {} as Record<SideName, RunningLoad>;
  const frozen = watchFrozen(sides, options.workload);
  for (const name of new Set(order)) {
    loads[name] = stack.use(await beginSide(name, sides[name], order.length, options));
    loads[name].pause();
    await frozen.untilIdle(name);
    scheduling?.look(name, sides, loads);
    frozen.begin(name);
  }

  const endWatch = watchMachine();
  const slices: Slice[] = [];
  const turns = turnsOf(order, plan);
  const sliceMs = plan.sliceSeconds * 1000;
  for (const [index, turn] of turns.entries()) {
    const { side: name } = turn;
    signal.throwIfAborted();
    frozen.end(name);
    loads[name].resume();
    const startMs = performance.now();
    await delay(turn.slices * sliceMs, { signal });
    slices.push(...slicesOf(turn, { startMs, endMs: loads[name].pause(), sliceMs }));
    await frozen.untilIdle(name);
    await loads[name].look();
    scheduling?.look(name, sides, loads);
    if (turns[index + 1]?.side !== name) frozen.begin(name);
  }
  const machine = endWatch(processesOf(sides, loads, options.session));
  for (const name of sideNames) frozen.end(name);
  // Neither runs on: each gets as long as the answers in flight take, in the order in which they began.
  for (const name of new Set(order)) {
    await loads[name].end();
    scheduling?.look(name, sides);
  }

  const schedulingChanges = scheduling?.take() ?? {};
  const measured = {} as Record<SideName, ComparedSide>;
  for (const name of sideNames) {
    const finished = loads[name].finish();
    const { observation, ...seen } = await withName(sides[name].subject, finished);
    const { cpuSeconds, ...whileFrozen } = frozen.facts(name);
    const side = countSlices({ facts: factsOf(observation), ...seen }, {
      slices: slices.filter(({ side }) => side === name),
      settleMs: plan.settleSeconds * 1000,
      cpuSeconds,
    });
    measured[name] = { ...side, schedulingChanges: schedulingChanges[name], ...whileFrozen };
  }
  return { startedAt, order: order.map((side) => side[0]).join(""), ...measured, machine };
}

/**
 * Waits for the result of a load of one side.
 *
 * @throws {BenchError} with the name of the side in place of a {@linkcode LoadBroken}; a {@linkcode RunBroken} of the control.
 */
export async function withName<T>({ impl }: Pick<Subject, "impl">, load: Promise<T>): Promise<T> {
  try {
    return await load;
  } catch (error) {
    if (!(error instanceof LoadBroken)) throw error;
    const Failure = isOurs(impl) ? RunBroken : BenchError;
    throw new Failure(`Cannot compare "${impl.id}": ${error.message}`, { help: error.help });
  }
}

async function beginSide(
  name: SideName,
  { subject, account }: Side,
  slices: number,
  { plan, session, workload, connections }: SlicesOptions,
): Promise<RunningLoad> {
  // Both names are of one length: the length of a program's arguments shifts its memory.
  const folder = join(session.folder, name === "subject" ? "slices-s" : "slices-r");
  await Deno.mkdir(folder, { recursive: true });
  return await beginLoad(subject, {
    session,
    workload,
    connections,
    folder,
    // The load is ended before, when its last slice is over; what it sends outside its slices is within the bound.
    amount: {
      seconds: 10 * slices * plan.sliceSeconds + 10,
      mostRequests: Math.ceil(mostPerSecond * plan.slices * plan.sliceSeconds),
    },
    side: account,
    isOneOfTwo: true,
  });
}

/** Returns the ids of all processes that have a role; undefined where the database's is not visible. */
function processesOf(
  sides: Record<SideName, Side>,
  loads: Record<SideName, RunningLoad>,
  { scenario: { database: part, upstreams }, database }: LoadSession,
): ReadonlySet<number> | undefined {
  const pid = database?.pid;
  if (part !== undefined && pid === undefined) return undefined;
  const roots = sideNames.flatMap((name) => [sides[name].subject.process.pid, loads[name].pid]);
  if (pid !== undefined) roots.push(pid);
  if (upstreams !== undefined) roots.push(...sideNames.map((name) => upstreams[name].pid));
  return new Set([Deno.pid, ...roots.flatMap(processTree)]);
}

/** Returns the sides in ABBA order, `slices` of each, so that steady drift affects both alike. */
export function abba(first: SideName, slices: number): SideName[] {
  const second = otherSide(first);
  const turns: SideName[][] = [[first, second], [second, first]];
  return Array.from({ length: slices }, (_, turn) => turns[turn % 2]!).flat();
}

/** Returns the turns in order: one slice each, or consecutive slices of one side where the plan joins them. */
export function turnsOf<Side>(
  order: readonly Side[],
  { joinsSlices }: Pick<ComparisonPlan, "joinsSlices">,
): Turn<Side>[] {
  const turns: Turn<Side>[] = [];
  for (const side of order) {
    const last = turns.at(-1);
    if (joinsSlices && last?.side === side) last.slices++;
    else turns.push({ side, slices: 1 });
  }
  return turns;
}

/** Divides a turn into its slices; the last takes what the turn was longer than they are. */
export function slicesOf(
  { side, slices }: Turn<SideName>,
  { startMs, endMs, sliceMs }: { startMs: number; endMs: number; sliceMs: number },
): Slice[] {
  return Array.from({ length: slices }, (_, index) => ({
    side,
    startMs: startMs + index * sliceMs,
    endMs: index + 1 === slices ? endMs : startMs + (index + 1) * sliceMs,
    isThawed: index === 0,
  }));
}

/** What {@linkcode countSlices} counts. */
export interface SlicesOfSide {
  /** When this side ran, in order. */
  slices: Omit<Slice, "side">[];
  settleMs: number;
  /** Of the server in all these slices, from beginning to end; absent where the system does not report it. */
  cpuSeconds?: number;
}

/**
 * Counts the right answers in the counted part of each slice: from `settleMs` after its thaw, if it began with one, to its
 * end. CPU time is read while the server is frozen, and so is that of whole slices, as are the answers that it is divided by.
 *
 * The answers themselves align the load generator's clock with the harness's: when a side is thawed, answers wait in
 * its sockets and are read within a millisecond, after a silence.
 */
export function countSlices(
  { facts, answers: { endMs: ends }, isRight }:
    & Pick<ObservedLoad, "isRight">
    & { facts: LoadFacts; answers: Pick<Answers, "endMs"> },
  { slices, settleMs, cpuSeconds }: SlicesOfSide,
): ComparedSide {
  const thawedMs = slices.filter(({ isThawed }) => isThawed).map(({ startMs }) => startMs);
  const correctionMs = clockCorrection(ends, thawedMs);
  const rightBefore = new Uint32Array(ends.length + 1);
  for (let index = 0; index < ends.length; index++) {
    rightBefore[index + 1] = rightBefore[index]! + isRight[index]!;
  }
  const rightUntil = (ms: number) => rightBefore[countBelow(ends, ms - correctionMs)]!;

  const counted = slices.map(({ startMs, endMs, isThawed }) => ({
    startMs: isThawed ? startMs + settleMs : startMs,
    endMs,
  }));
  const perSlice = counted.map(({ startMs, endMs }) => rightUntil(endMs) - rightUntil(startMs));
  // Before its first slice the side was frozen, too: what is earlier by less than the tolerance came in the slice.
  const inWholeSlices = rightUntil(slices.at(-1)!.endMs) -
    rightUntil(slices[0]!.startMs - clockToleranceMs);
  const seconds = sumOf(counted, ({ startMs, endMs }) => endMs - startMs) / 1000;
  return {
    correct: sum(perSlice),
    failed: facts.attempted - facts.correct,
    seconds,
    perSlice,
    secondsPerLoad: [seconds],
    settling: {
      correct: Math.max(0, inWholeSlices - sum(perSlice)),
      seconds: thawedMs.length * settleMs / 1000,
    },
    cpuSecondsPerAnswer: cpuSeconds === undefined || inWholeSlices === 0
      ? undefined
      : cpuSeconds / inWholeSlices,
    load: facts,
  };
}

/** Largest offset of the load's clock from the harness's, in milliseconds. */
const clockToleranceMs = 20;

/**
 * Returns how much the load's clock is behind the harness's, in milliseconds, negative where it is ahead: the median distance
 * from the first answer after a silence to its thaw.
 */
function clockCorrection(ends: Float64Array, thawedMs: number[]): number {
  const distances: number[] = [];
  for (const at of thawedMs) {
    const index = countBelow(ends, at - clockToleranceMs);
    const isAfterSilence = index > 0 && ends[index]! - ends[index - 1]! > 2 * clockToleranceMs;
    if (isAfterSilence && ends[index]! - at < clockToleranceMs) distances.push(at - ends[index]!);
  }
  return distances.length === 0 ? 0 : median(distances);
}
