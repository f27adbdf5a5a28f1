/**
 * Rate sweep: which rates are sustainable, and at which latency (protocol C)? Takes a running, warmed-up subject and
 * a plan of offered rates; returns percentiles per step, from the lowest rate up until two in a row miss the
 * objective, and the highest sustainable rate. The sweep is an open loop: requests are due whether or not others were
 * answered, and latency counts from when each was due, so stalls show.
 */
import { RunBroken } from "../lib/error.ts";
import { logTail } from "../lib/process.ts";
import type { RateStep, RateSweep, RateSweepPlan } from "../results/protocols_schema.ts";
import type { LoadFacts } from "../results/load_schema.ts";
import type { Target } from "../scenario/scenario.ts";
import { decodeLatencyHistogram, latencyPercentiles } from "../statistics/mod.ts";
import { type Conditions, nullConditions } from "./conditions.ts";
import { judgeLoad, judgeMachine } from "./judge.ts";
import { beginLoad, factsOf, type ObservedLoad } from "./load.ts";
import { type Bar, startBar } from "./progress.ts";
import type { LoadSession } from "./session.ts";
import { unansweredOf } from "./unanswered.ts";

/** Options for {@linkcode measureFloor}. */
export interface FloorOptions {
  plan: RateSweepPlan;
  session: LoadSession;
  /** What is measured, as the progress names it. */
  title: string;
}

/** Options for {@linkcode measureRateSweep}. */
export interface RateSweepOptions extends FloorOptions {
  conditions: Conditions;
  /** What the process answered while it was warmed up. */
  warmUp?: LoadFacts;
}

/**
 * Measures one process at each rate of the plan. A step that the machine disturbed is measured once more, or as often as
 * the session allows.
 *
 * @throws {LoadBroken} when the process ended.
 */
export async function measureRateSweep(
  subject: Target,
  options: RateSweepOptions,
): Promise<Omit<RateSweep, "floor">> {
  const { plan, session: { report, mostRepeats = 1 } } = options;
  const steps: RateStep[] = [];
  using bar = startBar(report);
  for (const ratePerSecond of fromTheLowest(plan)) {
    const label = showStep(bar, ratePerSecond, options);
    let step = await measureStep(subject, ratePerSecond, options);
    for (let repeats = 0; repeats < mostRepeats; repeats++) {
      const repeatedBecause = disturbanceOf(step);
      if (repeatedBecause === undefined) break;
      report.line(`${label}, once more: ${repeatedBecause}`);
      showStep(bar, ratePerSecond, options);
      step = { ...await measureStep(subject, ratePerSecond, options), repeatedBecause };
    }
    steps.push(step);
    if (steps.length >= 2 && steps.slice(-2).every(({ holds }) => !holds)) break;
  }
  bar.end();
  const isValid = steps.every(({ problem }) => problem === undefined);
  return { plan, steps, sustainablePerSecond: isValid ? capacity(steps) : undefined };
}

/** Returns what of the machine disturbed a step; undefined if nothing did. */
function disturbanceOf({ machine }: RateStep): string | undefined {
  const reasons = judgeMachine(machine);
  return reasons.length === 0 ? undefined : reasons.map(({ message }) => message).join("; ");
}

/** Measures one step. */
async function measureStep(
  subject: Target,
  ratePerSecond: number,
  options: RateSweepOptions,
): Promise<RateStep> {
  const { plan, warmUp, session: { poolMax } } = options;
  const load = await loadAt(subject, ratePerSecond, options);
  const step = describeStep(load, ratePerSecond, plan);
  const { connections } = plan;
  const problems = [
    // Failures are part of the objective.
    ...judgeLoad(factsOf(load.observation), { connections, poolMax, warmUp })
      .filter(({ code }) => code !== "failures"),
    ...judgeMachine(step.machine),
  ].map(({ message }) => message);
  if (problems.length === 0) return step;
  return { ...step, holds: false, problem: problems.join("; ") };
}

/**
 * Measures the null server at each rate of the plan: the latency that load generator and machine add to every figure,
 * mostly because the generator's timer is up to 1 ms late.
 */
export async function measureFloor(
  nullServer: Target,
  options: FloorOptions,
): Promise<RateSweep["floor"]> {
  const { plan, session } = options;
  await using conditions = await nullConditions(session);
  const floor: RateSweep["floor"] = [];
  using bar = startBar(session.report);
  for (const ratePerSecond of fromTheLowest(plan)) {
    showStep(bar, ratePerSecond, options);
    const load = await loadAt(nullServer, ratePerSecond, { ...options, conditions });
    const { unsent, latencySeconds } = describeStep(load, ratePerSecond, plan);
    if (latencySeconds === undefined) {
      throw new RunBroken(
        `Cannot measure the null server: at ${ratePerSecond} requests per second none was answered, expected all`,
        { help: await logTail(nullServer.process.logPath) },
      );
    }
    floor.push({ ratePerSecond, unsent, latencySeconds });
  }
  bar.end();
  return floor;
}

/** Returns the highest step such that it and every lower one meet the objective. */
export function capacity(
  steps: Pick<RateStep, "ratePerSecond" | "holds">[],
): number | undefined {
  const firstFailed = steps.findIndex(({ holds }) => !holds);
  return steps[(firstFailed === -1 ? steps.length : firstFailed) - 1]?.ratePerSecond;
}

function fromTheLowest({ ratesPerSecond }: RateSweepPlan): number[] {
  return ratesPerSecond.toSorted((a, b) => a - b);
}

/** Loads a server at one rate, for as long as the plan says. */
async function loadAt(
  server: Target,
  ratePerSecond: number,
  { plan: { connections, secondsPerStep: seconds }, session, conditions }: Omit<
    RateSweepOptions,
    "warmUp"
  >,
): Promise<ObservedLoad> {
  const amount = { seconds, ratePerSecond };
  await using load = await beginLoad(server, { session, conditions, connections, amount });
  return await load.finish();
}

/** Moves the bar to the step of one rate, and returns its label. */
function showStep(bar: Bar, ratePerSecond: number, { plan, title }: FloorOptions): string {
  const { ratesPerSecond: rates, secondsPerStep } = plan;
  const higher = rates.filter((rate) => rate > ratePerSecond).length;
  const label = `${title} at ${ratePerSecond} requests per second`;
  const isFirst = higher === rates.length - 1;
  bar.step(
    `${label} (step ${rates.length - higher} of at most ${rates.length})`,
    higher,
    // Later steps are estimated from the first, which includes the overhead of a load.
    isFirst ? secondsPerStep : undefined,
  );
  return label;
}

/** Returns what a load at one rate came to. */
export function describeStep(
  { observation, dueLatency }: ObservedLoad,
  ratePerSecond: number,
  plan: RateSweepPlan,
): RateStep {
  const { attempted, correct } = observation;
  const count = Math.round(ratePerSecond * plan.secondsPerStep);
  const latency = dueLatency ?? observation.latency;
  const percentilesOf = ({ histogram }: RateStep["latency"]) =>
    correct === 0
      ? undefined
      : latencyPercentiles(decodeLatencyHistogram(histogram), unansweredOf(observation));
  const step = {
    ...factsOf(observation),
    ratePerSecond,
    durationSeconds: plan.secondsPerStep,
    due: count,
    // If the rate does not divide a second, one more request may be due at the very end.
    unsent: Math.max(0, count - attempted),
    latencySeconds: percentilesOf(latency),
    uncorrectedSeconds: percentilesOf(observation.latency),
    latency,
    machine: observation.resources?.machine,
  };
  return { ...step, holds: holds(step, plan.goal) };
}

/**
 * Tells whether a step meets the objective.
 *
 * Unsent requests count as failed, except those due less than the objective's latency before the end, which could
 * still have been answered in time. Requests are sent in the order in which they are due, so the last ones are the
 * unsent ones.
 */
export function holds(
  step: Pick<
    RateStep,
    "ratePerSecond" | "due" | "attempted" | "unsent" | "correct" | "latencySeconds"
  >,
  goal: RateSweepPlan["goal"],
): boolean {
  const { ratePerSecond, due, attempted, unsent, correct, latencySeconds } = step;
  const late = Math.max(0, unsent - ratePerSecond * goal.p99Seconds);
  return latencySeconds !== undefined && latencySeconds.p99 <= goal.p99Seconds &&
    attempted - correct + late <= goal.failureShare * due;
}
