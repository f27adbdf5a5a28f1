/**
 * Rate sweep: which rates are sustainable, and at which latency (protocol C)? Takes a running, warmed-up subject and
 * a plan of offered rates; returns percentiles per step, from the lowest rate up until two in a row miss the
 * objective, and the highest sustainable rate. The sweep is an open loop: requests are due whether or not others were
 * answered, and latency counts from when each was due, so stalls show.
 */
import { decodeLatencyHistogram, latencyPercentiles } from "../statistics/mod.ts";
import { RunBroken } from "../lib/error.ts";
import { countAnswers } from "./count_answers.ts";
import { LoadBroken } from "./observe_load.ts";
import { type LoadOutcome, startLoad, type TimedLoadOptions } from "../load/oha.ts";
import { limits } from "./judge.ts";
import { type Bar, startBar } from "./progress.ts";
import type { Report } from "../lib/report.ts";
import { processorCount } from "../machine/proc.ts";
import { describeExit, logTail } from "../lib/process.ts";
import { processTree } from "../machine/process_tree.ts";
import { watchForeign } from "../machine/sampler.ts";
import type { PreparedScenario, Target } from "../scenario/scenario.ts";
import type { Ladder, LadderPlan, Rung } from "../results/protocols_schema.ts";
import { formatProblem } from "../scenario/verify.ts";

/** Options for {@linkcode measureFloor}. */
export interface FloorOptions {
  plan: LadderPlan;
  scenario: Pick<PreparedScenario, "load">;
  load: Omit<TimedLoadOptions, "url" | "connections" | "seconds" | "ratePerSecond">;
  report: Report;
  /** What is measured, as the progress names it. */
  title: string;
}

/** Options for {@linkcode measureLadder}. */
export interface LadderOptions extends FloorOptions {
  scenario: Pick<PreparedScenario, "load" | "rightLengths" | "startSideClient" | "database">;
}

/**
 * Measures one process at each rate of the plan, while the side client checks answers.
 *
 * @throws {LoadBroken} when the process ended.
 */
export async function measureLadder(
  subject: Target,
  options: LadderOptions,
): Promise<Omit<Ladder, "floor">> {
  const { plan, report } = options;
  const rungs: Rung[] = [];
  using bar = startBar(report);
  for (const ratePerSecond of fromTheLowest(plan)) {
    const label = showStep(bar, ratePerSecond, options);
    let rung = await measureRung(subject, ratePerSecond, options);
    if (rung.foreign !== undefined) {
      const repeatedBecause = rung.foreign;
      report.line(`${label}, once more: ${repeatedBecause}`);
      showStep(bar, ratePerSecond, options);
      rung = await measureRung(subject, ratePerSecond, options);
      rung.rung.repeatedBecause = repeatedBecause;
    }
    rungs.push(rung.rung);
    if (rungs.length >= 2 && rungs.slice(-2).every(({ holds }) => !holds)) break;
  }
  bar.end();
  const isValid = rungs.every(({ problem }) => problem === undefined);
  return { plan, rungs, capacityPerSecond: isValid ? capacity(rungs) : undefined };
}

/** Measures one step; `foreign` describes the background load, if it was too high. */
async function measureRung(
  subject: Target,
  ratePerSecond: number,
  options: LadderOptions,
): Promise<{ rung: Rung; foreign?: string }> {
  const { plan, scenario, load: { signal } } = options;
  const databasePid = scenario.database?.server.pid;
  const isDatabaseHidden = scenario.database !== undefined && databasePid === undefined;
  await using sideClient = await scenario.startSideClient?.(subject, { signal });
  const foreignCpu = watchForeign();
  const outcome = await loadAt(subject, subject.url + scenario.load.path, ratePerSecond, options);
  const ours = [subject.process.pid, databasePid].flatMap((pid) =>
    pid === undefined ? [] : processTree(pid)
  );
  // oha has ended, so its CPU time is in no process any more.
  const foreignShare = foreignCpu(new Set([Deno.pid, ...ours])) / processorCount();
  const wrongAnswer = (await sideClient?.stop())?.problems[0];
  const rung = describeRung(outcome, ratePerSecond, plan, scenario.rightLengths);
  if (wrongAnswer !== undefined) {
    return { rung: { ...rung, holds: false, problem: formatProblem(wrongAnswer) } };
  }
  // If the database's process is not visible, its CPU time looks like background load.
  if (isDatabaseHidden || foreignShare <= limits.foreignCpu) return { rung };
  const foreign = `processes without a role used ${
    (foreignShare * 100).toFixed(1)
  } % of the machine, expected at most ${limits.foreignCpu * 100} %`;
  return { rung: { ...rung, holds: false, problem: foreign }, foreign };
}

/**
 * Measures the null server at each rate of the plan: the latency that load generator and machine add to every figure,
 * mostly because the generator's timer is up to 1 ms late.
 */
export async function measureFloor(
  nullServer: Target,
  options: FloorOptions,
): Promise<Ladder["floor"]> {
  const { plan, scenario } = options;
  const url = nullServer.url + scenario.load.path;
  const floor: Ladder["floor"] = [];
  using bar = startBar(options.report);
  for (const ratePerSecond of fromTheLowest(plan)) {
    showStep(bar, ratePerSecond, options);
    const outcome = await loadAt(nullServer, url, ratePerSecond, options);
    const anyLength = new Set(outcome.responses.bodyBytes);
    const { unsent, latencySeconds } = describeRung(outcome, ratePerSecond, plan, anyLength);
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
  url: string,
  ratePerSecond: number,
  { plan: { connections, secondsPerRung: seconds }, load }: FloorOptions,
): Promise<LoadOutcome> {
  await using running = startLoad({ ...load, url, connections, seconds, ratePerSecond });
  const outcome = await Promise.race([running.outcome, server.process.status]);
  // Checked first, because the rest of a load against a closed port ends at once.
  const exit = server.process.exited();
  if (exit === undefined && "responses" in outcome) return outcome;
  throw new LoadBroken(
    "subject-exited",
    `the process ended with ${
      exit && describeExit(exit)
    } at ${ratePerSecond} requests per second, expected it to live`,
    await logTail(server.process.logPath),
  );
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
  outcome: LoadOutcome,
  ratePerSecond: number,
  plan: LadderPlan,
  rightLengths: ReadonlySet<number>,
): Rung {
  const { responses } = outcome;
  const sent = countAnswers(outcome, rightLengths);
  const due = countAnswers(
    { ...outcome, responses: { ...responses, startSeconds: responses.dueSeconds! } },
    rightLengths,
  );
  const { attempted, correct, failures } = sent;
  const count = Math.round(ratePerSecond * plan.secondsPerRung);
  const rung = {
    ratePerSecond,
    durationSeconds: plan.secondsPerRung,
    due: count,
    attempted,
    // If the rate does not divide a second, one more request may be due at the very end.
    unsent: Math.max(0, count - attempted),
    correct,
    failures,
    latencySeconds: percentilesOf(due),
    uncorrectedSeconds: percentilesOf(sent),
    latency: due.latency,
  };
  return { ...rung, holds: holds(rung, plan.goal) };
}

function percentilesOf({ correct, latency }: ReturnType<typeof countAnswers>) {
  return correct === 0 ? undefined : latencyPercentiles(decodeLatencyHistogram(latency.histogram));
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
