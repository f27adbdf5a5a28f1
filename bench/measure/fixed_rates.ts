/**
 * Rate sweep: which rates are sustainable, and at which latency (protocol C)? Takes a running, warmed-up process and
 * a plan of offered rates; returns percentiles per step, and the highest sustainable rate of the process. Whether a step
 * meets the objective, which rate is next, and what several processes come to, is in `results/rate_sweep.ts`. The sweep is
 * an open loop: requests are due whether or not others were answered, and latency counts from when each was due, so
 * stalls show.
 */
import type { SideName } from "../database/database.ts";
import { RunBroken } from "../lib/error.ts";
import { formatInteger } from "../lib/format_integer.ts";
import { logTail } from "../lib/log_lines.ts";
import type {
  RateStep,
  RateSweep,
  RateSweepPlan,
  SweptProcess,
  UpstreamLimit,
} from "../results/protocols_schema.ts";
import { meetsObjective, nextRate, sweptProcess, withUnsent } from "../results/rate_sweep.ts";
import type { LoadFacts } from "../results/load_schema.ts";
import type { Observation } from "../results/result_schema.ts";
import type { Target } from "../scenario/scenario.ts";
import { decodeLatencyHistogram, latencyPercentiles, type Unanswered } from "../statistics/mod.ts";
import { nullWorkload, type Workload } from "./workload.ts";
import type { JudgeContext } from "./limits.ts";
import { judgeLoad, judgeWarmUp } from "./judge.ts";
import { disturbanceOf, isOnlyDisturbed, judgeMachine } from "./judge_machine.ts";
import { measureAgain } from "./measure_again.ts";
import { judgeUpstream } from "./judge_upstream.ts";
import { beginLoad, factsOf, type ObservedLoad } from "./load.ts";
import { type Bar, startBar } from "./progress.ts";
import type { LoadSession } from "./session.ts";
import { unansweredOf } from "../results/unanswered.ts";

/** Options for {@linkcode measureFloor}. */
export interface FloorOptions {
  plan: RateSweepPlan;
  session: LoadSession;
  /** What is measured, as the progress names it. */
  title: string;
}

/** Options for {@linkcode sweepProcess}. */
export interface RateSweepOptions extends FloorOptions {
  workload: Workload;
  /** Whose account of the database the server has; "subject" by default. */
  side?: SideName;
  /** What the process answered while it was warmed up. */
  warmUp?: LoadFacts;
  /** What the upstream can do by itself; absent where that is unknown. */
  upstreamLimit?: UpstreamLimit;
}

/**
 * Measures one process at the rates of the plan and around its limit. A step that the machine disturbed is measured once
 * more, or as often as the session allows.
 *
 * @throws {LoadBroken} when the process ended.
 */
export async function sweepProcess(
  subject: Target,
  options: RateSweepOptions,
): Promise<SweptProcess> {
  const { plan, session } = options;
  const steps: RateStep[] = [];
  using bar = startBar(session.report);
  for (
    let ratePerSecond = nextRate(plan, steps);
    ratePerSecond !== undefined;
    ratePerSecond = nextRate(plan, steps)
  ) {
    const rate = ratePerSecond;
    const title = labelOf(rate, options);
    const measure = () => {
      showStep(bar, rate, steps.length, options);
      return measureStep(subject, rate, options);
    };
    const why = (step: RateStep) => isOnlyDisturbed(step) ? step.problem : undefined;
    steps.push(await measureAgain(measure, { session, title, why }));
  }
  bar.end();
  return sweptProcess(steps);
}

/**
 * Tells whether another process may be swept in place of this one: where it was not warm in time, or the machine
 * disturbed it; never where a step is invalid for another reason, such as a wrong answer. Misses do not matter.
 */
export function maySweepAgain(
  { problem, steps }: Pick<SweptProcess, "problem"> & {
    steps: readonly Pick<RateStep, "machine" | "problem">[];
  },
): boolean {
  return problem !== undefined &&
    steps.every((step) => step.problem === undefined || isOnlyDisturbed(step));
}

/** A sweep of one process, and whether another may take its place. */
export interface Swept {
  process: SweptProcess;
  mayRepeat: boolean;
}

/**
 * Returns the sweep, without a step, of a process whose compilers were at work for longer than is waited for: another may take
 * its place, unless one of the answers was wrong, for no step will be judged by them.
 */
export function notSwept(warmUp: LoadFacts | undefined, mostSeconds: number): Swept {
  const wrong = judgeWarmUp(warmUp).map(({ message }) => message);
  const problem =
    `its compilers were still at work after ${mostSeconds} s, expected them to be done before the first step`;
  return {
    process: { steps: [], problem: [problem, ...wrong].join("; ") },
    mayRepeat: wrong.length === 0,
  };
}

/** Measures one step. */
async function measureStep(
  subject: Target,
  ratePerSecond: number,
  options: RateSweepOptions,
): Promise<RateStep> {
  const { plan, session: { poolMax } } = options;
  const load = await loadAt(subject, ratePerSecond, options);
  const step = describeStep(load, ratePerSecond, plan);
  const connections = connectionsAt(ratePerSecond, plan);
  const offeredSeconds = plan.secondsPerStep;
  const context = { ...options, connections, poolMax, holds: step.holds, offeredSeconds };
  const problem = problemOf(load.observation, context);
  return problem === undefined ? step : { ...step, holds: false, problem };
}

/** Returns why a step is invalid that met the objective, or did not; undefined if it is valid. */
export function problemOf(
  observation: Observation,
  { holds, offeredSeconds, ...context }: JudgeContext & {
    holds: boolean;
    /** For how long requests were offered: a load lasts until the last has an answer, or has timed out. */
    offeredSeconds: number;
  },
): string | undefined {
  const { attempted, calls } = observation;
  const reasons = [
    // Failures are part of the objective.
    ...judgeLoad(observation, context).filter(({ code }) => code !== "failures"),
    // Where the objective was met, the upstream was in time; where it was missed, it may have missed it.
    ...(holds ? [] : judgeUpstream(calls, { attempted, durationSeconds: offeredSeconds }, context)),
    ...judgeMachine(observation.resources?.machine),
  ];
  return reasons.length === 0 ? undefined : reasons.map(({ message }) => message).join("; ");
}

/**
 * Measures the null server at each rate of the plan: how late load generator and machine are by themselves, mostly because
 * the generator's timer is up to 1 ms late. A rate that the machine disturbed is measured once more, and then counts.
 */
export async function measureFloor(
  nullServer: Target,
  options: FloorOptions,
): Promise<RateSweep["floor"]> {
  const { plan, session } = options;
  await using workload = await nullWorkload(session);
  const floor: RateSweep["floor"] = [];
  using bar = startBar(session.report);
  for (const [index, ratePerSecond] of fromTheLowest(plan).entries()) {
    const load = await measureAgain(
      () => {
        showStep(bar, ratePerSecond, index, options);
        return loadAt(nullServer, ratePerSecond, { ...options, workload });
      },
      {
        session,
        title: labelOf(ratePerSecond, options),
        why: ({ observation }) => disturbanceOf(observation.resources?.machine),
      },
    );
    const { unsent, latencySeconds } = describeStep(load, ratePerSecond, plan);
    if (latencySeconds === undefined) {
      throw new RunBroken(
        `Cannot measure the null server: at ${
          formatInteger(ratePerSecond)
        } requests per second none was answered, expected all`,
        { help: await logTail(nullServer.process.logPath) },
      );
    }
    floor.push({ ratePerSecond, unsent, latencySeconds });
  }
  bar.end();
  return floor;
}

function fromTheLowest({ ratesPerSecond }: RateSweepPlan): number[] {
  return ratesPerSecond.toSorted((a, b) => a - b);
}

/**
 * Returns over how many connections a rate is offered: so few that each is used ten times a second on average. No server
 * then closes one as idle, and in a step near idle not every request is the first on its connection.
 */
export function connectionsAt(
  ratePerSecond: number,
  { connections }: { connections: number },
): number {
  return Math.max(1, Math.min(connections, Math.floor(ratePerSecond / 10)));
}

/** Loads a server at one rate, for as long as the plan says. */
async function loadAt(
  server: Target,
  ratePerSecond: number,
  { plan, session, workload, side }: Omit<RateSweepOptions, "warmUp">,
): Promise<ObservedLoad> {
  const amount = { seconds: plan.secondsPerStep, ratePerSecond };
  const connections = connectionsAt(ratePerSecond, plan);
  const { settleSeconds } = plan;
  const options = { session, workload, connections, amount, settleSeconds, side };
  await using load = await beginLoad(server, options);
  return await load.finish();
}

/** Moves the bar to the step of one rate, after so many others. */
function showStep(
  bar: Bar,
  ratePerSecond: number,
  done: number,
  options: FloorOptions,
): void {
  const { plan: { ratesPerSecond: rates, secondsPerStep } } = options;
  const higher = rates.filter((rate) => rate > ratePerSecond).length;
  const label = labelOf(ratePerSecond, options);
  // Later steps are estimated from the first, which includes the overhead of a load.
  bar.step(`${label} (step ${done + 1})`, higher, done === 0 ? secondsPerStep : undefined);
}

function labelOf(ratePerSecond: number, { title }: Pick<FloorOptions, "title">): string {
  return `${title} at ${formatInteger(ratePerSecond)} requests per second`;
}

/** Returns what a load at one rate came to. */
export function describeStep(
  { observation, settled }: ObservedLoad,
  ratePerSecond: number,
  plan: RateSweepPlan,
): RateStep {
  const { attempted } = observation;
  const count = Math.round(ratePerSecond * plan.secondsPerStep);
  // If the rate does not divide a second, one more request may be due at the very end.
  const unsent = Math.max(0, count - attempted);
  const { fromDue = observation.latency, fromSent = observation.latency, settling } = settled ?? {};
  const percentilesOf = ({ histogram }: RateStep["latency"], unanswered?: Unanswered) => {
    const latency = decodeLatencyHistogram(histogram);
    return latency.totalCount === 0 ? undefined : latencyPercentiles(latency, unanswered);
  };
  const unanswered = unansweredOf(observation);
  const step = {
    ...factsOf(observation),
    ratePerSecond,
    durationSeconds: plan.secondsPerStep,
    due: count,
    unsent,
    latencySeconds: percentilesOf(
      fromDue,
      withUnsent(unanswered, { ratePerSecond, unsent }, plan.goal),
    ),
    uncorrectedSeconds: percentilesOf(fromSent, unanswered),
    settlingSeconds: settling && percentilesOf(settling),
    latency: fromDue,
    machine: observation.resources?.machine,
    cpuSecondsPerAnswer: observation.resources?.subject.cpuSecondsPerAnswer,
  };
  return { ...step, holds: meetsObjective(step, plan.goal) };
}
