/**
 * Workload: what do loads send, and what holds while they run? The requests, what changes meanwhile, a table that they
 * write to, what a right answer is, and the connection over which statements are counted.
 */
import type { Connection } from "mysql2/promise";
import { sum } from "../lib/sum.ts";
import type { Database, SideName } from "../database/database.ts";
import type { RateSweepPlan } from "../results/protocols_schema.ts";
import { offeredRates } from "../results/rate_sweep.ts";
import type { Plan } from "../results/result_schema.ts";
import type {
  Answers,
  PreparedScenario,
  RequestFile,
  Upstreams,
  Witnessed,
} from "../scenario/scenario.ts";

/** See {@linkcode openWorkload}; disposing of it ends the changes. */
export interface Workload extends AsyncDisposable {
  readonly requests: RequestFile;
  /** Judges every answer of a load; see {@linkcode PreparedScenario.judge}. */
  judge(answers: Answers, toleranceMs: number, side: SideName): Witnessed | Promise<Witnessed>;
  /** Where calls are counted; absent where the scenario needs no upstream, and of the null server. */
  readonly upstreams?: Upstreams;
  /** Where statements are counted; absent where the scenario needs no database. */
  readonly counted?: { readonly database: Database; readonly connection: Connection };
}

/** Options for {@linkcode openWorkload}. */
export interface WorkloadOptions {
  scenario: PreparedScenario;
  /** How many requests there are to be before one comes again; see {@linkcode requestLines}. */
  requestLines: number;
  signal: AbortSignal;
}

/** Prepares requests, and starts what changes. The database has all data in memory then. Only one may be open at a time. */
export async function openWorkload(
  { scenario, requestLines, signal }: WorkloadOptions,
): Promise<Workload> {
  await using stack = new AsyncDisposableStack();
  const requests = await scenario.requestFile(requestLines);
  const database = scenario.database?.server;
  const connection = stack.use(await database?.connect());
  if (connection !== undefined) await scenario.database?.warm(connection);
  const changes = await scenario.startChanges?.({ signal });
  if (changes !== undefined) stack.use(changes);
  const watch = await scenario.startWatch?.({ signal });
  if (watch !== undefined) stack.use(watch);
  const opened = stack.move();
  return {
    requests,
    judge: (answers, toleranceMs, side) => scenario.judge(answers, toleranceMs, side),
    upstreams: scenario.upstreams,
    counted: database && connection && { database, connection },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** Returns the workload of the null server, which answers every request alike: any status 200 is right. */
export async function nullWorkload(
  { scenario, requestLines }: Omit<WorkloadOptions, "signal">,
): Promise<Workload> {
  return {
    requests: await scenario.requestFile(requestLines),
    judge: ({ status }) => {
      const isRight = Uint8Array.from(status, (code) => code === 200 ? 1 : 0);
      const wrong: Record<string, number> = {};
      for (const code of status) {
        if (code !== 200) wrong[`status-${code}`] = (wrong[`status-${code}`] ?? 0) + 1;
      }
      return { isRight, wrong, problems: [], statements: 0, refused: 0 };
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

/** How long the control is offered notifications before its CPU time counts: it opens its connections. */
export const controlWarmUpSeconds = 1;

/**
 * Requests per second that no load is expected to send: the control sent 60,000 in a published comparison (`gateway` of
 * 25 November 2026).
 */
export const mostPerSecond = 100_000;

/** Returns the rates that a process is offered that sustains all but the highest: with the steps before that. */
function ratesOfProcess(plan: RateSweepPlan): number[] {
  const coarse = plan.ratesPerSecond.toSorted((a, b) => a - b);
  const top = coarse.at(-2) ?? 0;
  return [...coarse, ...offeredRates(plan).filter((rate) => rate > top && rate < coarse.at(-1)!)];
}

/** Returns how many requests a plan sends to one process, at most. */
export function requestLines(
  { requests = 0, warmUpRequests = 0, comparison, rateSweep, deliveries }: Partial<Plan>,
): number {
  return Math.ceil(Math.max(
    requests + warmUpRequests,
    comparison === undefined ? 0 : comparison.warmUpRequests +
      mostPerSecond *
        ((comparison.mostSecondsToQuiet ?? 0) +
          comparison.levels.length * comparison.loads * comparison.slices *
            comparison.sliceSeconds),
    rateSweep === undefined ? 0 : rateSweep.warmUpRequests +
      mostPerSecond * (rateSweep.mostSecondsToQuiet ?? 0) +
      rateSweep.secondsPerStep * sum(ratesOfProcess(rateSweep)),
    // A process is warmed up at the lowest rate, and has one step.
    deliveries === undefined ? 0 : Math.max(
      ...deliveries.steps.map(({ ratePerSecond }) => ratePerSecond),
    ) * (deliveries.secondsPerStep + deliveries.warmUpSeconds),
    deliveries?.control === undefined
      ? 0
      : deliveries.control.ratePerSecond * (deliveries.control.seconds + controlWarmUpSeconds),
  ));
}
