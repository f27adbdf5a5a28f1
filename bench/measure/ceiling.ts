/**
 * Ceiling: how fast is the load generator on this machine at this level? Takes the running null server; returns its
 * goodput, which no implementation can exceed whose answers are as long, with an interval over short loads.
 */
import { RunBroken } from "../lib/error.ts";
import { formatInteger } from "../lib/format_integer.ts";
import { logTail } from "../lib/log_lines.ts";
import { processTree } from "../lib/process_tree.ts";
import { watchMachine } from "../machine/window.ts";
import type { Ceiling, CeilingPlan } from "../results/protocols_schema.ts";
import type { Observation } from "../results/result_schema.ts";
import type { Target } from "../scenario/scenario.ts";
import { type TwoStageMean, twoStageMean } from "../statistics/mod.ts";
import { nullWorkload, type Workload } from "./workload.ts";
import { disturbanceOf } from "./judge_machine.ts";
import { beginLoad } from "./load.ts";
import { measureAgain } from "./measure_again.ts";
import { startBar } from "./progress.ts";
import type { LoadSession } from "./session.ts";

/** The interval's half-width is to be at most this share of the ceiling. */
export const ceilingHalfWidth = 0.05;

/** How often it is measured again on a disturbed machine; the last one counts. */
const usualRepeats = 2;

/** Options for {@linkcode measureCeiling}. */
export interface CeilingOptions {
  plan: CeilingPlan;
  session: LoadSession;
  connections: number;
}

/**
 * Measures one level, with the requests of the level that the ceiling is for: five short loads, which tell how many it
 * takes, and the rest of those, because loads of one server differ by far more than one load tells. If the machine was
 * disturbed, all are measured again: a ceiling that is too low makes an implementation seem limited by the generator.
 *
 * @throws {RunBroken} when a request is not answered with status 200, because the null server is part of the harness.
 */
export async function measureCeiling(
  nullServer: Target,
  options: CeilingOptions,
): Promise<Ceiling> {
  return await measureAgain(
    async () => {
      const endWindow = watchMachine();
      const ceiling = await measureOnce(nullServer, options);
      // The load generator has ended: its time is that of whoever waited for it.
      const { pid } = options.session.database ?? {};
      const database = pid === undefined ? [] : [pid];
      const ours = new Set([Deno.pid, ...database, ...processTree(nullServer.process.pid)]);
      return { ...ceiling, machine: endWindow(ours) };
    },
    {
      session: options.session,
      usualRepeats,
      title: `The null server at ${formatInteger(options.connections)} connections`,
      why: ({ machine }) => disturbanceOf(machine),
    },
  );
}

async function measureOnce(
  nullServer: Target,
  { plan: { loadSeconds, mostLoads }, session, connections }: CeilingOptions,
): Promise<Ceiling> {
  await using workload = await nullWorkload(session);
  using bar = startBar(session.report);
  const rates: number[] = [];
  let [requests, loads] = [0, mostLoads];
  let mean: TwoStageMean | undefined;
  while (mean === undefined || rates.length < loads) {
    const left = loads - rates.length - 1;
    bar.step(`null server, ${formatInteger(connections)} connections`, left, loadSeconds);
    const options = { session, workload, connections, seconds: loadSeconds };
    const { correct, durationSeconds } = await loadOnce(nullServer, options);
    requests += correct;
    rates.push(correct / durationSeconds);
    mean = twoStageMean(rates, ceilingHalfWidth);
    if (mean !== undefined) loads = Math.min(mean.needed, mostLoads);
  }
  bar.end();
  return {
    connections,
    requests,
    loads: rates.length,
    goodputPerSecond: mean.estimate,
    lowPerSecond: mean.low,
    highPerSecond: mean.high,
    perLoadPerSecond: rates,
  };
}

async function loadOnce(
  nullServer: Target,
  { seconds, ...options }: {
    session: LoadSession;
    workload: Workload;
    connections: number;
    seconds: number;
  },
): Promise<Observation> {
  await using load = await beginLoad(nullServer, { ...options, amount: { seconds } });
  const { observation } = await load.finish();
  const { attempted, correct } = observation;
  if (correct < attempted || correct < options.connections) {
    const [failed, right, level] = [attempted - correct, correct, options.connections]
      .map(formatInteger);
    throw new RunBroken(
      `Cannot measure the ceiling at ${level} connections: ` +
        `${failed} requests failed beside ${right} answers, expected answers only`,
      { help: await logTail(nullServer.process.logPath) },
    );
  }
  return observation;
}
