/** Announce: what a run will do, and how long each part may take, before the implementation's speed is known. */
import type { Impl } from "../impl/impl.ts";
import { findToolchain, type Toolchain } from "../impl/toolchains.ts";
import { BenchError } from "../lib/error.ts";
import { formatInteger } from "../lib/format_integer.ts";
import { sumOf } from "../lib/sum.ts";
import type { RunFacts } from "../measure/begin_result.ts";
import { countDisturbedSteps } from "../measure/disturbed_steps.ts";
import type { NoisePlan } from "../results/files_schema.ts";
import type { BurstPlan, BurstStepPlan } from "../results/burst_schema.ts";
import type { ComparisonPlan } from "../results/comparison_schema.ts";
import { partsDone } from "../results/parts_done.ts";
import type { CeilingPlan } from "../results/protocols_schema.ts";
import type { Plan, Result } from "../results/result_schema.ts";

/** Assumed throughput, on the slow side: a fast implementation is measured in a third of the time. */
const answersPerSecond = 5_000;
/**
 * Assumed users of a burst that are answered per second with a delay of 1 s, on the slow side: two processors with 200
 * threads. Where all have room, a burst ends soon after its delay.
 */
const usersPerSecond = 400;
/** Commits that wait for the disk, several of them for one flush. */
const commitsPerSecond = 1_000;
const secondsOfVerifying = 20;
const secondsOfStart = 3;
/** Overhead of each load besides the start: connections, counters, checking answers, reducing its rows. */
const secondsAroundLoad = 3;
/** The same of a load of a comparison, which is short. */
const secondsAroundComparedLoad = 1;

/** Steps of a rate sweep between the rates of the plan: about two are met, and two are not, while higher rates are left out. */
const stepsAroundLimit = 2;

interface Part {
  name: string;
  what: string;
  seconds: number;
}

/** Returns the parts of one implementation's measurement, in order; its compilers are quiet after so many seconds. */
export function partsOf(plan: Plan, secondsToQuiet = 0): Part[] {
  const { levels, requests, ceiling, comparison, rateSweep, startupRuns, bursts } = plan;
  const { durable, deliveries } = plan;
  const perLevel = secondsOfStart + requests / answersPerSecond + 2 * secondsAroundLoad +
    (ceiling === undefined ? 0 : secondsOfCeiling(ceiling));
  const parts: Part[] = [
    { name: "contract", what: "every request and its answer", seconds: secondsOfVerifying },
  ];
  if (levels.length > 0) {
    parts.push({
      name: "levels",
      what: `${formatInteger(requests)} requests at ${levels.length > 1 ? "each of " : ""}${
        levels.map(formatInteger).join(", ")
      } connections`,
      seconds: levels.length * perLevel,
    });
  }
  if (durable !== undefined) {
    parts.push({
      name: "durable",
      what: `${formatInteger(durable.requests)} requests at ` +
        `${formatInteger(durable.connections)} connections, commits on disk`,
      seconds: secondsOfStart + durable.requests / commitsPerSecond + secondsAroundLoad,
    });
  }
  if (comparison !== undefined) {
    parts.push({
      name: "comparison",
      what: `at least ${comparison.minRounds} rounds with the control`,
      seconds: secondsOfComparison(comparison, [secondsToQuiet]),
    });
  }
  if (rateSweep !== undefined) {
    const { ratesPerSecond, stepRatio, processes, secondsPerStep, warmUpRequests } = rateSweep;
    const steps = ratesPerSecond.length + (stepRatio === undefined ? 0 : stepsAroundLimit);
    parts.push({
      name: "rate sweep",
      what: `${ratesPerSecond.length} rates${
        stepRatio === undefined ? "" : " and steps between"
      }, ${secondsPerStep} s each${processes === 1 ? "" : `, ${processes} processes`}`,
      seconds: ratesPerSecond.length * (secondsPerStep + 1) +
        processes * (secondsOfStart + secondsOfWait(rateSweep, secondsToQuiet) +
            warmUpRequests / answersPerSecond + steps * (secondsPerStep + 1)),
    });
  }
  if (startupRuns !== undefined) {
    const seconds = 2 * startupRuns * secondsOfStart;
    parts.push({
      name: "startup",
      what: `${startupRuns} starts each, in turn with the control`,
      seconds,
    });
  }
  if (bursts !== undefined) {
    const { steps, rounds } = bursts;
    parts.push({
      name: "bursts",
      what: `${
        steps.length === 1 ? "one number of users" : `${steps.length} numbers of users and delays`
      }, ${rounds === 1 ? "one round" : `${rounds} rounds`} each`,
      seconds: sumOf(steps, (step) => secondsOfBurstStep(step, bursts)),
    });
  }
  if (deliveries !== undefined) {
    const { steps, secondsPerStep, warmUpSeconds, control } = deliveries;
    const secondsOfControl = control === undefined
      ? 0
      : secondsOfStart + control.seconds + secondsAroundLoad;
    parts.push({
      name: "deliveries",
      what: `${
        steps.length === 1 ? "one rate" : `${steps.length} rates`
      }, ${secondsPerStep} s each`,
      // Whoever accepts more than it can deliver takes longer.
      seconds: steps.length *
        (secondsOfControl + secondsOfStart + warmUpSeconds + secondsPerStep +
          2 * secondsAroundLoad),
    });
  }
  return parts;
}

/** Assumed time for connecting all users, and for the last of them: half of the patience where many have to wait. */
function secondsOfBurstStep({ users, delaySeconds }: BurstStepPlan, plan: BurstPlan): number {
  const { rounds, warmUpRequests, holdSeconds, patienceSeconds } = plan;
  const waiting = Math.min(patienceSeconds / 2, users / usersPerSecond * delaySeconds);
  return holdSeconds + secondsAroundLoad +
    rounds * (secondsOfStart + warmUpRequests / answersPerSecond + secondsAroundLoad + waiting);
}

/** There is nothing to count around a load of the null server. */
function secondsOfCeiling({ loadSeconds, mostLoads }: CeilingPlan): number {
  return mostLoads * (loadSeconds + 0.5);
}

/** `toQuiet` has how many seconds the compilers of each side take, where it has some. */
function secondsOfComparison(plan: ComparisonPlan, toQuiet: readonly number[]): number {
  const { levels, minRounds, budgetSeconds, loads, slices, sliceSeconds } = plan;
  const { warmUpRequests } = plan;
  // Twice, for the subject and the reference.
  const perLoad = 2 * slices * sliceSeconds + secondsAroundComparedLoad;
  const perRound = 2 * (secondsOfStart + 2 * warmUpRequests / answersPerSecond) +
    levels.length * loads * perLoad +
    sumOf(toQuiet, (seconds) => secondsOfWait(plan, seconds));
  return Math.max(budgetSeconds, minRounds * perRound);
}

/** Returns how long compilers are waited for that are quiet after so many seconds; 0 where nobody waits for that. */
function secondsOfWait(
  { mostSecondsToQuiet = 0 }: { mostSecondsToQuiet?: number },
  secondsToQuiet: number,
): number {
  return Math.min(secondsToQuiet, mostSecondsToQuiet);
}

/** Returns what a standalone comparison will do, with an estimate; takes the toolchains of the two sides. */
export function announceComparison(
  plan: ComparisonPlan,
  sides: readonly Pick<Toolchain, "secondsToQuiet">[],
): string {
  const toQuiet = sides.map(({ secondsToQuiet }) => secondsToQuiet);
  const seconds = secondsOfVerifying + secondsOfComparison(plan, toQuiet);
  return `${roundsOf(plan)}: about ${formatEstimate(seconds)}; ${
    conditionOfWait(secondsOfWait(plan, Math.max(...toQuiet)))
  }`;
}

/** Returns what comparisons of a program with itself will do, with an estimate; takes its toolchain. */
export function announceNoise(
  plan: NoisePlan,
  times: number,
  { secondsToQuiet }: Pick<Toolchain, "secondsToQuiet">,
): string {
  const { startupRuns, p99AtRate: { pairs, ratePerSecond, seconds } } = plan;
  const perLoad = seconds + secondsAroundLoad;
  const each = secondsOfComparison(plan, [secondsToQuiet, secondsToQuiet]) +
    2 * startupRuns * secondsOfStart + 2 * pairs * perLoad;
  const comparisons = times === 1 ? "1 comparison," : `${times} comparisons, each`;
  return `${comparisons} ${roundsOf(plan)}, ${startupRuns} starts of each side, ` +
    `and ${pairs} pairs of loads at ${formatInteger(ratePerSecond)} requests per second: about ${
      formatEstimate(secondsOfVerifying + times * each)
    }; ${
      conditionOfWait(secondsOfWait(plan, secondsToQuiet))
    }. Ctrl-C keeps the comparisons that are done, if there are two.`;
}

function roundsOf({ minRounds, levels }: ComparisonPlan): string {
  return `at least ${minRounds} rounds at ${levels.map(formatInteger).join(", ")} connections`;
}

function conditionOfWait(waitSeconds: number): string {
  return `estimated for ${formatInteger(answersPerSecond)} answers per second${
    waitSeconds > 0 ? `, and up to ${waitSeconds} s until a process's compilers are quiet` : ""
  }`;
}

/** Returns about how long the measurement of one implementation takes that has no compilers to wait for, as text. */
export function estimateFor(plan: Plan): string {
  return formatEstimate(secondsOfAll(plan));
}

function secondsOfAll(plan: Plan, secondsToQuiet?: number): number {
  return sumOf(partsOf(plan, secondsToQuiet), ({ seconds }) => seconds);
}

/** An implementation that a run will measure. */
export interface Announced extends Pick<Toolchain, "secondsToQuiet"> {
  id: string;
  /** That it will fail for want of a toolchain, and what to install. */
  missing?: string;
}

/**
 * Returns what a run will do, a line per part, with estimates: from those with the shortest to those with the longest wait for
 * compilers, without those that will fail.
 *
 * @param earlier The results of a run that is resumed.
 */
export function announce(
  { runId, scenario, plan }: Pick<RunFacts, "runId" | "scenario" | "plan">,
  impls: readonly Announced[],
  earlier: readonly Result[] = [],
): string {
  const measured = impls.filter(({ missing }) => missing === undefined);
  const toQuiet = measured.map(({ secondsToQuiet }) => secondsToQuiet);
  const longestWait = Math.max(0, ...toQuiet);
  const longest = partsOf(plan, longestWait);
  const shortestWait = Math.min(longestWait, ...toQuiet);
  const parts = partsOf(plan, shortestWait).map(({ name, what, seconds }, index) => {
    const ends = [seconds, longest[index]!.seconds].map(formatEstimate);
    return { name, what, about: [...new Set(ends)].join(" to ") };
  });
  const width = Math.max(...parts.map(({ what }) => what.length));
  const total = sumOf(toQuiet, (seconds) => secondsOfAll(plan, seconds));
  const times = [
    ...parts.map(({ name, what, about }) =>
      `  ${name.padEnd(10)}  ${what.padEnd(width)}  about ${about}`
    ),
    `${measured.length === 1 ? "About" : `For ${measured.length} implementations about`} ${
      formatEstimate(total)
    } in all; ${conditionOf(plan, longestWait)}. Ctrl-C keeps what is done.`,
    ...aboutEarlier(earlier),
  ];
  return [
    `Run ${runId} (${scenario}, ${plan.profile}): ${impls.map(({ id }) => id).join(", ")}`,
    ...measured.length === 0 ? [] : times,
    ...impls.flatMap(({ missing }) => missing ?? []),
  ].join("\n");
}

/** Says that times of a whole plan are not those of what is left of it; nothing where all is left. */
function aboutEarlier(earlier: readonly Result[]): string[] {
  if (earlier.every((result) => partsDone(result).done === 0)) return [];
  const isAgain = earlier.some((result) => countDisturbedSteps(result) > 0);
  return [
    "These times are of the whole plan: what the run already has is not measured again" +
    (isAgain ? ", but for steps that the machine disturbed." : "."),
  ];
}

/** Says what an estimate depends on. */
function conditionOf(
  { bursts, deliveries, comparison, rateSweep }: Plan,
  secondsToQuiet: number,
): string {
  if (bursts !== undefined) {
    return `estimated for ${usersPerSecond} users per second; less where the server holds all at once`;
  }
  if (deliveries === undefined) {
    const waits = [comparison, rateSweep].map((plan) => secondsOfWait(plan ?? {}, secondsToQuiet));
    return conditionOfWait(Math.max(...waits));
  }
  const most = formatEstimate(deliveries.mostDrainSeconds);
  return `a server that falls behind takes up to ${most} more at each rate`;
}

function formatEstimate(seconds: number): string {
  return seconds < 90 ? `${Math.ceil(seconds / 10) * 10} s` : `${Math.round(seconds / 60)} min`;
}

/** Looks for the toolchains of what a run will measure: building tools may take minutes before a missing one is a result. */
export async function lookForToolchains(
  impls: readonly Impl[],
): Promise<Announced[]> {
  return await Promise.all(impls.map(async (impl) => {
    const { id } = impl;
    try {
      const { secondsToQuiet } = await findToolchain(impl);
      return { id, secondsToQuiet };
    } catch (error) {
      if (!(error instanceof BenchError)) throw error;
      const help = error.help === undefined ? "" : `\n${error.help}`;
      return { id, secondsToQuiet: 0, missing: `${id} will fail: ${error.message}${help}` };
    }
  }));
}
