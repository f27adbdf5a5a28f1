/**
 * Ladder: what rate does it stand, and how long does an answer take then? Takes a running, warmed-up subject and
 * a plan of offered rates; gives percentiles at each rate, from the lowest up until two rates in a row are too
 * much for it, and the highest rate that holds the goal. Requests are due whether or not others were answered,
 * and latency counts from that moment: where the server stalls, all that becomes due meanwhile waits.
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
 * Measures one process at each rate of the plan, while a side client asks what it knows the answer to.
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

/** Measures one rate; `foreign` says by how much other programs spoilt it, if they did. */
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
  // oha has ended, and is in no account any more.
  const foreignShare = foreignCpu(new Set([Deno.pid, ...ours])) / processorCount();
  const wrongAnswer = (await sideClient?.stop())?.problems[0];
  const rung = describeRung(outcome, ratePerSecond, plan, scenario.rightLengths);
  if (wrongAnswer !== undefined) {
    return { rung: { ...rung, holds: false, problem: formatProblem(wrongAnswer) } };
  }
  // Where the database's process cannot be seen, what it used cannot be told from what others did.
  if (isDatabaseHidden || foreignShare <= limits.foreignCpu) return { rung };
  const foreign = `processes without a role used ${
    (foreignShare * 100).toFixed(1)
  } % of the machine, expected at most ${limits.foreignCpu * 100} %`;
  return { rung: { ...rung, holds: false, problem: foreign }, foreign };
}

/**
 * Measures the null server at each rate of the plan: what generator and machine take themselves, which is also
 * in each figure of a subject. Above all, the generator's timer is late by up to 1 ms.
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

/** Returns the highest rate of which it, and every lower one, held the goal. */
export function capacity(
  rungs: Pick<Rung, "ratePerSecond" | "holds">[],
): number | undefined {
  const firstFailed = rungs.findIndex(({ holds }) => !holds);
  return rungs[(firstFailed === -1 ? rungs.length : firstFailed) - 1]?.ratePerSecond;
}

function fromTheLowest({ ratesPerSecond }: LadderPlan): number[] {
  return ratesPerSecond.toSorted((a, b) => a - b);
}

/** Loads a server at one rate, as long as the plan says. */
async function loadAt(
  server: Target,
  url: string,
  ratePerSecond: number,
  { plan: { connections, secondsPerRung: seconds }, load }: FloorOptions,
): Promise<LoadOutcome> {
  await using running = startLoad({ ...load, url, connections, seconds, ratePerSecond });
  const outcome = await Promise.race([running.outcome, server.process.status]);
  // Asked first: the rest of a load against a closed port is over at once.
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

/** Moves a bar on to the step of one rate, and returns how that is called. */
function showStep(bar: Bar, ratePerSecond: number, { plan, title }: FloorOptions): string {
  const { ratesPerSecond: rates, secondsPerRung } = plan;
  const higher = rates.filter((rate) => rate > ratePerSecond).length;
  const label = `${title} at ${ratePerSecond} requests per second`;
  const isFirst = higher === rates.length - 1;
  bar.step(
    `${label} (step ${rates.length - higher} of at most ${rates.length})`,
    higher,
    // The steps after it tell what the load takes beside its seconds.
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
    // A rate that is no divisor of a second may have one more that is due at the very end.
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
 * Tells whether a rung meets the goal.
 *
 * What was not sent in time counts as failed, but for the last moment: a request that became due less than the
 * goal's latency before the end could still have been answered within it. Requests are sent in the order in which
 * they became due, so that no more are unsent than became due in that moment, if those are all.
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
