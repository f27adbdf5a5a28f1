/**
 * Slices: which of two running servers is faster right now? Takes two warm subjects and a level; returns what each
 * answered in short, interleaved slices of load, so that changes on the machine affect both alike. During a slice,
 * the other side's server and load generator are frozen.
 */
import { delay } from "@std/async";
import { join } from "@std/path";
import { BenchError } from "../lib/error.ts";
import { isCorrect } from "./count_answers.ts";
import { type Load, type LoadOptions, type LoadOutcome, startLoad } from "../load/oha.ts";
import { cpuSeconds } from "../machine/proc.ts";
import { describeExit, freeze, thaw } from "../lib/process.ts";
import { processTree } from "../machine/process_tree.ts";
import type { ComparedRound, ComparedSide, ComparisonPlan } from "../results/comparison_schema.ts";
import type { Subject } from "../impl/start.ts";
import { median } from "../statistics/mod.ts";

/** Which of the two: the subject, or what it is compared with. */
export type SideName = "subject" | "reference";
export const sideNames = ["subject", "reference"] as const;

/** Options for {@linkcode measureSlices}. */
export interface SlicesOptions {
  plan: Pick<ComparisonPlan, "slices" | "sliceSeconds" | "settleSeconds">;
  load: Omit<LoadOptions, "url" | "requests" | "seconds">;
  path: string;
  rightLengths: ReadonlySet<number>;
  /** Which side has the first slice. */
  first: SideName;
}

/** When one slice was, in milliseconds of `performance.now()`. */
interface Slice {
  side: SideName;
  startMs: number;
  endMs: number;
}

/**
 * Measures both sides at one level. Takes them frozen, and leaves them frozen.
 *
 * @throws {BenchError} when a server ended meanwhile.
 */
export async function measureSlices(
  subjects: Record<SideName, Subject>,
  options: SlicesOptions,
): Promise<ComparedRound> {
  const { plan, load, path, rightLengths } = options;
  const startedAt = new Date().toISOString();
  const sides = abba(options.first, plan.slices);
  // The rest leaves time for the second load to start, and for timers that fire late on a busy machine.
  const seconds = sides.length * plan.sliceSeconds * 1.02 + 0.25;
  await using stack = new AsyncDisposableStack();
  const loads = {} as Record<SideName, Load>;
  const begunMs = {} as Record<SideName, number>;
  const cpuBefore = {} as Record<SideName, number>;
  for (const side of new Set(sides)) {
    const folder = join(load.folder, `slices-${side}`);
    await Deno.mkdir(folder, { recursive: true });
    cpuBefore[side] = cpuOf(subjects[side]);
    thaw(subjects[side].process);
    const url = subjects[side].url + path;
    loads[side] = stack.use(startLoad({ ...load, url, folder, seconds }));
    await loads[side].begun;
    begunMs[side] = performance.now();
    stop(side);
  }
  function stop(side: SideName) {
    freeze(loads[side]);
    freeze(subjects[side].process);
  }

  const slices: Slice[] = [];
  for (const side of sides) {
    load.signal.throwIfAborted();
    thaw(subjects[side].process);
    thaw(loads[side]);
    const startMs = performance.now();
    await delay(plan.sliceSeconds * 1000, { signal: load.signal });
    stop(side);
    slices.push({ side, startMs, endMs: performance.now() });
  }

  const measured = {} as Record<SideName, ComparedSide>;
  for (const side of sideNames) {
    const exit = subjects[side].process.exited();
    if (exit !== undefined) {
      throw new BenchError(
        `Cannot compare "${subjects[side].impl.id}": its process ended with ${
          describeExit(exit)
        } while the load ran, expected it to live`,
      );
    }
    thaw(subjects[side].process);
    thaw(loads[side]);
    const outcome = await loads[side].outcome;
    freeze(subjects[side].process);
    measured[side] = countSlices(outcome, {
      slices: slices.filter((slice) => slice.side === side),
      begunMs: begunMs[side],
      settleMs: plan.settleSeconds * 1000,
      rightLengths,
      cpuSeconds: cpuOf(subjects[side]) - cpuBefore[side],
    });
  }
  return { startedAt, order: sides.map((side) => side[0]).join(""), ...measured };
}

/** Returns the sides in ABBA order, `slices` of each, so that steady drift affects both alike. */
export function abba(first: SideName, slices: number): SideName[] {
  const second: SideName = first === "subject" ? "reference" : "subject";
  const turns: SideName[][] = [[first, second], [second, first]];
  return Array.from({ length: slices }, (_, turn) => turns[turn % 2]!).flat();
}

/** What {@linkcode countSlices} needs besides the answers. */
export interface SlicesOfSide {
  /** When this side ran, in milliseconds of `performance.now()`. */
  slices: Pick<Slice, "startMs" | "endMs">[];
  /** When its load began on the same clock, at most a few milliseconds late. */
  begunMs: number;
  settleMs: number;
  rightLengths: ReadonlySet<number>;
  /** Of the server over the whole load. */
  cpuSeconds: number;
}

/**
 * Counts the correct answers in the counted part of each slice: from `settleMs` after its beginning to its end.
 *
 * The answers themselves align the load generator's clock with the harness's: when a side is thawed, answers wait in
 * its sockets and are read within a millisecond, after a silence. Slices after the end of the load are left out.
 */
export function countSlices(outcome: LoadOutcome, options: SlicesOfSide): ComparedSide {
  const { slices, begunMs, settleMs, rightLengths } = options;
  const { endSeconds } = outcome.responses;
  const endsMs = Float64Array.from(endSeconds, (end) => end * 1000);
  const offsetMs = begunMs +
    clockCorrection(endsMs, slices.map(({ startMs }) => startMs - begunMs));
  const correctBefore = new Uint32Array(endsMs.length + 1);
  for (let index = 0; index < endsMs.length; index++) {
    correctBefore[index + 1] = correctBefore[index]! +
      (isCorrect(outcome.responses, index, rightLengths) ? 1 : 0);
  }
  const lastMs = outcome.durationSeconds * 1000;
  const perSlice: number[] = [];
  let seconds = 0;
  for (const { startMs, endMs } of slices) {
    const [from, to] = [startMs + settleMs - offsetMs, endMs - offsetMs];
    if (to > lastMs) continue;
    perSlice.push(
      correctBefore[firstAtOrAfter(endsMs, to)]! - correctBefore[firstAtOrAfter(endsMs, from)]!,
    );
    seconds += (to - from) / 1000;
  }
  const allCorrect = correctBefore.at(-1)!;
  const unanswered = Object.values(outcome.errors).reduce((total, count) => total + count, 0);
  return {
    correct: perSlice.reduce((total, count) => total + count, 0),
    failed: endsMs.length - allCorrect + unanswered,
    seconds,
    perSlice,
    cpuSecondsPerAnswer: allCorrect === 0 || options.cpuSeconds === 0
      ? undefined
      : options.cpuSeconds / allCorrect,
  };
}

/** Largest offset of the load's clock from its observed start, in milliseconds. */
const clockToleranceMs = 40;

/**
 * Returns the offset of the load's clock from its observed start: the median distance from each resumption to the
 * first answer after a silence.
 */
function clockCorrection(endsMs: Float64Array, resumedMs: number[]): number {
  const distances: number[] = [];
  for (const at of resumedMs) {
    const index = firstAtOrAfter(endsMs, at - clockToleranceMs);
    const isAfterSilence = index > 0 && endsMs[index]! - endsMs[index - 1]! > 2 * clockToleranceMs;
    if (isAfterSilence && endsMs[index]! - at < clockToleranceMs) {
      distances.push(at - endsMs[index]!);
    }
  }
  return distances.length === 0 ? 0 : median(distances);
}

/** Returns the index of the first of these sorted numbers that is not below `value`. */
function firstAtOrAfter(sorted: Float64Array, value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

function cpuOf(subject: Subject): number {
  return processTree(subject.process.pid)
    .reduce((total, pid) => total + (cpuSeconds(pid) ?? 0), 0);
}
