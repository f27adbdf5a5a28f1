/**
 * Noise: how far apart do measurements of one program come out? Compares a built implementation with itself, again and
 * again: in warm goodput, CPU per answer and startup as in a run, and in p99 at one rate.
 */
import { type SideName, sideNames } from "../database/database.ts";
import type { Startable } from "../impl/start.ts";
import { freeze, thaw } from "../lib/signals.ts";
import { createRandom, shuffle } from "../lib/random.ts";
import type { NoiseComparison, NoisePlan } from "../results/files_schema.ts";
import { rateSweepPlans } from "../results/profiles.ts";
import type { RateSweepPlan, UpstreamLimit } from "../results/protocols_schema.ts";
import { ratioInterval } from "../statistics/mod.ts";
import { compare } from "./compare.ts";
import type { Workload } from "./workload.ts";
import { sweepProcess } from "./fixed_rates.ts";
import { type ProtocolSession, startInTurn } from "./protocols.ts";
import { type Side, withName } from "./slices.ts";

/** Options for {@linkcode compareWithItself}. */
export interface NoiseOptions {
  plan: NoisePlan;
  session: ProtocolSession;
  /** What the upstream can do by itself. */
  upstreamLimit?: UpstreamLimit;
  /** Random seed for the order of sides. */
  seed: number;
  /** Number of comparisons, the earlier ones included. */
  times: number;
  /** Those of an interrupted measurement that is resumed. */
  earlier: readonly NoiseComparison[];
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
  { plan, session, upstreamLimit, seed, times, earlier, onCompared }: NoiseOptions,
): Promise<NoiseComparison[]> {
  const sides = { subject: side, reference: side };
  const comparisons = [...earlier];
  for (let index = earlier.length; index < times; index++) {
    // A sequence of its own: the comparison draws from that of `seed + index`.
    const random = createRandom(-1 - seed - index);
    const title = `Comparison ${index + 1} of ${times}`;
    const p99Pairs: Pair[] = [];
    const { levels: [level] } = await compare(sides, {
      plan,
      session,
      upstreamLimit,
      seed: seed + index,
      title,
      afterLoads: async (round, warm, workload) => {
        if (round >= plan.p99AtRate.pairs) return;
        const options = { plan, session, upstreamLimit, workload, random, title };
        const pair = await compareP99(warm, options);
        if (pair !== undefined) p99Pairs.push(pair);
      },
    });
    const startup = session.scenario.probe === undefined
      ? undefined
      : await startInTurn(side, side, { runs: plan.startupRuns, random, session });
    comparisons.push({
      ...level!,
      startup: startup?.ratio,
      startupPairs: startup?.blocks.map(({ subject, control }) => ({
        subject: subject.seconds[0]!,
        reference: control.seconds[0]!,
      })),
      p99AtRate: ratioInterval(
        p99Pairs.map(({ subject, reference }) => Math.log(subject / reference)),
      ),
      p99Pairs,
    });
    await onCompared(comparisons);
  }
  return comparisons;
}

interface P99Options extends Pick<NoiseOptions, "plan" | "session" | "upstreamLimit"> {
  workload: Workload;
  /** Draws who is first. */
  random: () => number;
  /** Shown with what is invalid. */
  title: string;
}

/** A time of each side, in seconds, and whose load came first. */
type Pair = Record<SideName, number> & { first: SideName };

/** Measures p99 of the warm processes of a round at one rate; undefined where a load is invalid. */
async function compareP99(
  sides: Record<SideName, Side>,
  { plan, session, upstreamLimit, workload, random, title }: P99Options,
): Promise<Pair | undefined> {
  // The rounds show the progress.
  const report = { ...session.report, progress: () => {} };
  const p99: Partial<Record<SideName, number>> = {};
  const order = shuffle(sideNames, random);
  for (const name of order) {
    const { subject, account } = sides[name];
    thaw(subject.process);
    const swept = await withName(
      subject,
      sweepProcess(subject, {
        plan: sweepOf(plan),
        session: { ...session, report },
        workload,
        title,
        side: account,
        upstreamLimit,
      }),
    );
    freeze(subject.process);
    const { steps: [step], problem = step?.problem } = swept;
    if (problem !== undefined) return void report.line(`${title}: p99 is invalid: ${problem}`);
    p99[name] = step?.latencySeconds?.p99;
  }
  const { subject, reference } = p99;
  return subject === undefined || reference === undefined
    ? undefined
    : { subject, reference, first: order[0]! };
}

/** Returns the plan of a rate sweep whose only step is the rate at which p99 is compared. */
export function sweepOf(
  { p99AtRate: { ratePerSecond, connections, seconds, settleSeconds }, ...plan }: NoisePlan,
): RateSweepPlan {
  return {
    connections,
    warmUpRequests: plan.warmUpRequests,
    secondsPerStep: seconds,
    settleSeconds,
    ratesPerSecond: [ratePerSecond],
    processes: 1,
    goal: rateSweepPlans.full.goal,
  };
}
