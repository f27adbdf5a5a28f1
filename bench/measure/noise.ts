/**
 * Noise: how far apart do measurements of one program come out? Compares a built implementation with itself, again and
 * again, in every figure that the site publishes as a ratio; each is measured as in a run.
 */
import { type SideName, sideNames } from "../database/database.ts";
import type { Startable } from "../impl/start.ts";
import { createRandom, shuffle } from "../lib/random.ts";
import type { NoiseComparison, NoisePlan } from "../results/files_schema.ts";
import { rateSweepPlans } from "../results/plan.ts";
import type { RateSweepPlan } from "../results/protocols_schema.ts";
import { type RatioInterval, ratioInterval } from "../statistics/mod.ts";
import { compare } from "./compare.ts";
import { openConditions } from "./conditions.ts";
import { type ProtocolSession, startInTurn, sweepFresh } from "./protocols.ts";

/** A plan of today: it compares every figure, at one level, because levels that share processes are not independent. */
export type FullNoisePlan = Required<Pick<NoisePlan, "startupRuns" | "p99AtRate">> & NoisePlan;

/** Options for {@linkcode compareWithItself}. */
export interface NoiseOptions {
  plan: FullNoisePlan;
  session: ProtocolSession;
  /** Random seed for the order of sides. */
  seed: number;
  /** Number of comparisons. */
  times: number;
  /** Called with the comparisons so far after each of them. */
  onCompared(comparisons: readonly NoiseComparison[]): Promise<void>;
}

/**
 * Compares an implementation with itself several times.
 *
 * @throws {BenchError} when it does not start, or ends under load.
 */
export async function compareWithItself(
  side: Startable,
  { plan, session, seed, times, onCompared }: NoiseOptions,
): Promise<NoiseComparison[]> {
  const sides = { subject: side, reference: side };
  const random = createRandom(seed);
  const comparisons: NoiseComparison[] = [];
  for (let index = 0; index < times; index++) {
    const title = `Comparison ${index + 1} of ${times}`;
    const [level] = await compare(sides, { plan, session, seed: seed + index, title });
    const startup = session.scenario.probe === undefined
      ? undefined
      : (await startInTurn(side, side, plan.startupRuns, session)).ratio;
    const p99AtRate = await comparePercentiles(side, { plan, session, random, title });
    comparisons.push({ ...level!, startup, p99AtRate });
    await onCompared(comparisons);
  }
  return comparisons;
}

interface PercentilesOptions extends Pick<NoiseOptions, "plan" | "session"> {
  /** Draws who is first. */
  random: () => number;
  /** Shown with the progress. */
  title: string;
}

/** Compares p99 at one rate over pairs of fresh processes; undefined with fewer than three valid pairs. */
async function comparePercentiles(
  side: Startable,
  { random, title, ...options }: PercentilesOptions,
): Promise<RatioInterval | undefined> {
  const { pairs } = options.plan.p99AtRate;
  const logRatios: number[] = [];
  for (let pair = 0; pair < pairs; pair++) {
    const p99: Partial<Record<SideName, number>> = {};
    for (const [index, name] of shuffle(sideNames, random).entries()) {
      const which = `process ${2 * pair + index + 1} of ${2 * pairs}`;
      p99[name] = await measureP99(side, { ...options, title: `${title}, ${which}` });
    }
    const { subject, reference } = p99;
    if (subject !== undefined && reference !== undefined) {
      logRatios.push(Math.log(subject / reference));
    }
  }
  return ratioInterval(logRatios);
}

/** Measures p99 of a fresh process at the rate of the plan, in seconds; undefined where the load is invalid. */
async function measureP99(
  side: Startable,
  { plan, session, title }: Omit<PercentilesOptions, "random">,
): Promise<number | undefined> {
  await using conditions = await openConditions(session);
  const options = { session, plan: sweepOf(plan), conditions, title };
  const { steps: [step], problem = step?.problem } = await sweepFresh(side, options);
  if (problem !== undefined) return void session.report.line(`${title}: invalid: ${problem}`);
  return step?.latencySeconds?.p99;
}

/** Returns the plan of a rate sweep whose only step is the rate at which p99 is compared. */
function sweepOf(
  { p99AtRate: { ratePerSecond, connections, seconds }, ...plan }: FullNoisePlan,
): RateSweepPlan {
  const { warmUpRequests, mostSecondsToQuiet } = plan;
  return {
    ...{ connections, warmUpRequests, mostSecondsToQuiet, secondsPerStep: seconds },
    ratesPerSecond: [ratePerSecond],
    processes: 1,
    goal: rateSweepPlans.full.goal,
  };
}
