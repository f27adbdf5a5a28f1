/**
 * Rate sweep: which rates are sustainable, and at which latency (protocol C)? Takes a running, warmed-up subject and
 * a plan of offered rates; returns percentiles per step, from the lowest rate up until two in a row miss the
 * objective, and the highest sustainable rate. The sweep is an open loop: requests are due whether or not others were
 * answered, and latency counts from when each was due, so stalls show.
 */
import { RunBroken } from "../lib/error.ts";
import { logTail } from "../lib/process.ts";
import type { Ladder, LadderPlan, Rung } from "../results/protocols_schema.ts";
import type { LoadFacts } from "../results/load_schema.ts";
import type { Target } from "../scenario/scenario.ts";
import { decodeLatencyHistogram, latencyPercentiles } from "../statistics/mod.ts";
import { type Conditions, nullConditions } from "./conditions.ts";
import { judgeLoad, judgeMachine } from "./judge.ts";
import { beginLoad, factsOf, type ObservedLoad } from "./load.ts";
import { type Bar, startBar } from "./progress.ts";
import type { LoadSession } from "./session.ts";

/** Options for {@linkcode measureFloor}. */
export interface FloorOptions {
  plan: LadderPlan;
  session: LoadSession;
  /** What is measured, as the progress names it. */
  title: string;
}

/** Options for {@linkcode measureLadder}. */
export interface LadderOptions extends FloorOptions {
  conditions: Conditions;
  /** What the process answered while it was warmed up. */
  warmUp?: LoadFacts;
}

/**
 * Measures one process at each rate of the plan. A step that the machine disturbed is measured once more.
 *
 * @throws {LoadBroken} when the process ended.
 */
export async function measureLadder(
  subject: Target,
  options: LadderOptions,
): Promise<Omit<Ladder, "floor">> {
  const { plan, session: { report } } = options;
  const rungs: Rung[] = [];
  using bar = startBar(report);
  for (const ratePerSecond of fromTheLowest(plan)) {
    const label = showStep(bar, ratePerSecond, options);
    let rung = await measureRung(subject, ratePerSecond, options);
    const repeatedBecause = disturbanceOf(rung);
    if (repeatedBecause !== undefined) {
      report.line(`${label}, once more: ${repeatedBecause}`);
      showStep(bar, ratePerSecond, options);
      rung = { ...await measureRung(subject, ratePerSecond, options), repeatedBecause };
    }
    rungs.push(rung);
    if (rungs.length >= 2 && rungs.slice(-2).every(({ holds }) => !holds)) break;
  }
  bar.end();
  const isValid = rungs.every(({ problem }) => problem === undefined);
  return { plan, rungs, capacityPerSecond: isValid ? capacity(rungs) : undefined };
}

/** Returns what of the machine disturbed a step; undefined if nothing did. */
function disturbanceOf({ machine }: Rung): string | undefined {
  const reasons = judgeMachine(machine);
  return reasons.length === 0 ? undefined : reasons.map(({ message }) => message).join("; ");
}

/** Measures one step. */
async function measureRung(
  subject: Target,
  ratePerSecond: number,
  options: LadderOptions,
): Promise<Rung> {
  const { plan, warmUp, session: { poolMax } } = options;
  const load = await loadAt(subject, ratePerSecond, options);
  const rung = describeRung(load, ratePerSecond, plan);
  const { connections } = plan;
  const problems = [
    // Failures are part of the objective.
    ...judgeLoad(factsOf(load.observation), { connections, poolMax, warmUp })
      .filter(({ code }) => code !== "failures"),
    ...judgeMachine(rung.machine),
  ].map(({ message }) => message);
  if (problems.length === 0) return rung;
  return { ...rung, holds: false, problem: problems.join("; ") };
}

/**
 * Measures the null server at each rate of the plan: the latency that load generator and machine add to every figure,
 * mostly because the generator's timer is up to 1 ms late.
 */
export async function measureFloor(
  nullServer: Target,
  options: FloorOptions,
): Promise<Ladder["floor"]> {
  const { plan, session } = options;
  await using conditions = await nullConditions(session);
  const floor: Ladder["floor"] = [];
  using bar = startBar(session.report);
  for (const ratePerSecond of fromTheLowest(plan)) {
    showStep(bar, ratePerSecond, options);
    const load = await loadAt(nullServer, ratePerSecond, { ...options, conditions });
    const { unsent, latencySeconds } = describeRung(load, ratePerSecond, plan);
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
  rungs: Pick<Rung, "ratePerSecond" | "holds">[],
): number | undefined {
  const firstFailed = rungs.findIndex(({ holds }) => !holds);
  return rungs[(firstFailed === -1 ? rungs.length : firstFailed) - 1]?.ratePerSecond;
}

function fromTheLowest({ ratesPerSecond }: LadderPlan): number[] {
  return ratesPerSecond.toSorted((a, b) => a - b);
}

/** Loads a server at one rate, for as long as the plan says. */
async function loadAt(
  server: Target,
  ratePerSecond: number,
  { plan: { connections, secondsPerRung: seconds }, session, conditions }: Omit<
    LadderOptions,
    "warmUp"
  >,
): Promise<ObservedLoad> {
  const amount = { seconds, ratePerSecond };
  await using load = await beginLoad(server, { session, conditions, connections, amount });
  return await load.finish();
}

/** Moves the bar to the step of one rate, and returns its label. */
function showStep(bar: Bar, ratePerSecond: number, { plan, title }: FloorOptions): string {
  const { ratesPerSecond: rates, secondsPerRung } = plan;
  const higher = rates.filter((rate) => rate > ratePerSecond).length;
  const label = `${title} at ${ratePerSecond} requests per second`;
  const isFirst = higher === rates.length - 1;
  bar.step(
    `${label} (step ${rates.length - higher} of at most ${rates.length})`,
    higher,
    // Later steps are estimated from the first, which includes the overhead of a load.
    isFirst ? secondsPerRung : undefined,
  );
  return label;
}

function describeRung(
  { observation, dueLatency }: ObservedLoad,
  ratePerSecond: number,
  plan: LadderPlan,
): Rung {
  const { attempted, correct } = observation;
  const count = Math.round(ratePerSecond * plan.secondsPerRung);
  const latency = dueLatency ?? observation.latency;
  const percentilesOf = ({ histogram }: Rung["latency"]) =>
    correct === 0 ? undefined : latencyPercentiles(decodeLatencyHistogram(histogram));
  const rung = {
    ...factsOf(observation),
    ratePerSecond,
    durationSeconds: plan.secondsPerRung,
    due: count,
    // If the rate does not divide a second, one more request may be due at the very end.
    unsent: Math.max(0, count - attempted),
    latencySeconds: percentilesOf(latency),
    uncorrectedSeconds: percentilesOf(observation.latency),
    latency,
    machine: observation.resources?.machine,
  };
  return { ...rung, holds: holds(rung, plan.goal) };
}

/**
 * Tells whether a step meets the objective.
 *
 * Unsent requests count as failed, except those due less than the objective's latency before the end, which could
 * still have been answered in time. Requests are sent in the order in which they are due, so the last ones are the
 * unsent ones.
 */
export function holds(
  rung: Pick<
    Rung,
    "ratePerSecond" | "due" | "attempted" | "unsent" | "correct" | "latencySeconds"
  >,
  goal: LadderPlan["goal"],
): boolean {
  const { ratePerSecond, due, attempted, unsent, correct, latencySeconds } = rung;
  const late = Math.max(0, unsent - ratePerSecond * goal.p99Seconds);
  return latencySeconds !== undefined && latencySeconds.p99 <= goal.p99Seconds &&
    attempted - correct + late <= goal.failureShare * due;
}
