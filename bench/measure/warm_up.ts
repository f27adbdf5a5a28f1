/**
 * Warm-up: unmeasured requests to a fresh process before the measured ones. Their answers are judged like all others.
 * A runtime with a just-in-time compiler is warm when its compilers have nothing left to do.
 */
import { delay } from "@std/async";
import { sumOf } from "../lib/sum.ts";
import {
  type CompilerSample,
  quietAtSeconds,
  type QuietRule,
  watchCompilers,
} from "../machine/compiler_threads.ts";
import type { Toolchain } from "../impl/toolchains.ts";
import type { LoadFacts } from "../results/load_schema.ts";
import type { Observation } from "../results/result_schema.ts";
import type { Target } from "../scenario/scenario.ts";
import { beginLoad, type BeginOptions, factsOf } from "./load.ts";
import { mergeFacts } from "./merge_facts.ts";

/** Options for {@linkcode warmUp}. */
export interface WarmUpOptions extends Omit<BeginOptions, "amount"> {
  /** 0 for none. */
  requests: number;
}

/** Sends exactly so many requests, and returns what was seen; undefined where none were sent. */
export async function warmUp(
  subject: Target,
  { requests, ...options }: WarmUpOptions,
): Promise<Observation | undefined> {
  if (requests === 0) return undefined;
  const connections = Math.min(options.connections, requests);
  await using load = await beginLoad(subject, { ...options, connections, amount: { requests } });
  return (await load.finish()).observation;
}

/**
 * When compilers are done: for two seconds under load, they ran or waited for a processor for at most 5 % of one.
 * CPU time alone does not tell: on saturated processors, a compiler with a full queue waits most of the time.
 */
export const quietRule: QuietRule = { windowSeconds: 2, mostShare: 0.05 };

/**
 * The connections over which compilers are first waited for. With 50, a compiler thread is one of as many that want a
 * processor: on two processors, Spring MVC's compilers were still at work after 105 s, and it answered a third of what
 * it answered over 50 after 36 s over three, and 12 s more.
 */
const fewConnections = 3;

/** Options for {@linkcode warmUntilQuiet}. */
export interface WarmUntilQuietOptions extends WarmUpOptions {
  /** Whether its compilers can be watched, and how many times the requests it needs where they cannot. */
  toolchain: Pick<Toolchain, "compilerThreads" | "warmUpFactor">;
  /** How long compilers are waited for, in seconds, beside these requests; 0 for not at all. */
  mostSeconds: number;
}

/** How a process was warmed up. */
export interface WarmedUp {
  /** Of all its requests; absent where none were sent. */
  load?: LoadFacts;
  requests: number;
  /** Whether its compilers had become quiet; absent where nobody waited for that, or none was seen. */
  isQuiet?: boolean;
}

/**
 * Warms a process up: first over few connections until its compilers are quiet, then by a number of requests over all
 * connections, then over these until its compilers are quiet again. Where there are no compilers, it sends the requests
 * only. When it goes on depends on what the compilers do, never on how fast the answers come.
 */
export async function warmUntilQuiet(
  subject: Target,
  { requests, toolchain, mostSeconds, ...options }: WarmUntilQuietOptions,
): Promise<WarmedUp> {
  const { compilerThreads, warmUpFactor } = toolchain;
  const waits = compilerThreads.length > 0 && mostSeconds > 0;
  let endMs = performance.now() + mostSeconds * 1000;
  const untilQuiet = async (connections: number): Promise<QuietLoad | undefined> => {
    const seconds = (endMs - performance.now()) / 1000;
    if (!waits || seconds < quietRule.windowSeconds) return undefined;
    return await loadUntilQuiet(subject, { ...options, compilerThreads, connections, seconds });
  };
  const first = await untilQuiet(Math.min(fewConnections, options.connections));
  const beginMs = performance.now();
  const fixed = await warmUp(subject, { ...options, requests: requests * warmUpFactor });
  // Else the compilers of a slow server had less time.
  endMs += performance.now() - beginMs;
  const last = await untilQuiet(options.connections);
  const loads = [first?.load, fixed && factsOf(fixed), last?.load].flatMap((load) => load ?? []);
  return {
    load: mergeFacts(loads),
    requests: sumOf(loads, ({ attempted }) => attempted),
    isQuiet: waits && last === undefined ? false : last?.isQuiet,
  };
}

const sampleMs = 100;

interface QuietLoad {
  load: LoadFacts;
  isQuiet?: boolean;
}

async function loadUntilQuiet(
  subject: Target,
  { compilerThreads, seconds, ...options }:
    & Omit<BeginOptions, "amount">
    & { compilerThreads: readonly RegExp[]; seconds: number },
): Promise<QuietLoad> {
  await using load = await beginLoad(subject, { ...options, amount: { seconds } });
  let hasEnded = false;
  const finished = load.finish().finally(() => hasEnded = true);
  // It may reject while nobody awaits it yet.
  finished.catch(() => {});
  const sample = watchCompilers(subject.process.pid, compilerThreads);
  const samples: CompilerSample[] = [];
  let isQuiet = false;
  while (!isQuiet && !hasEnded) {
    await delay(sampleMs);
    samples.push(sample());
    isQuiet = quietAtSeconds(samples, quietRule) !== undefined;
  }
  await load.end();
  return {
    load: factsOf((await finished).observation),
    // Of threads that nobody sees, nobody knows whether they are quiet.
    isQuiet: samples.some(({ threads }) => threads > 0) ? isQuiet : undefined,
  };
}
