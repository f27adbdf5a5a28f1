/**
 * Ceiling: how fast is the load generator on this machine at this level? Takes the running null server; returns its
 * goodput, which no implementation can exceed.
 */
import { RunBroken } from "../lib/error.ts";
import { timeOfLoad } from "./observe_load.ts";
import { type LoadOptions, startLoad } from "../load/oha.ts";
import { logTail } from "../lib/process.ts";
import { startSampler } from "../machine/sampler.ts";
import type { Target } from "../scenario/scenario.ts";
import type { Ceiling } from "../results/protocols_schema.ts";

/**
 * Measures one level, with the load options of the level that the ceiling is for.
 *
 * @throws {RunBroken} when a request is not answered with status 200, because the null server is part of the harness.
 */
export async function measureCeiling(
  { url, process }: Target,
  { load: options, seconds }: { load: Omit<LoadOptions, "url" | "requests">; seconds: number },
): Promise<Ceiling> {
  using sampler = startSampler({ subject: process.pid, harness: Deno.pid });
  const startMs = performance.now();
  const wallClockMs = Date.now() - startMs;
  await using load = startLoad({ ...options, url, seconds });
  sampler.add("generator", load.pid);
  const outcome = await load.outcome;
  const { beginMs, endMs } = timeOfLoad(outcome, startMs, wallClockMs);
  const generator = sampler.finish(beginMs, endMs)?.generator;
  const { responses: { status }, errors, durationSeconds } = outcome;
  const failed = status.filter((code) => code !== 200).length +
    Object.values(errors).reduce((total, count) => total + count, 0);
  const { connections } = options;
  if (failed > 0 || status.length < connections) {
    throw new RunBroken(
      `Cannot measure the ceiling at ${connections} connections: ` +
        `${failed} requests failed beside ${status.length} answers, expected answers only`,
      { help: await logTail(process.logPath) },
    );
  }
  return {
    connections,
    requests: status.length,
    goodputPerSecond: status.length / durationSeconds,
    generatorCpuSecondsPerAnswer: generator && generator.cpuSeconds / status.length,
  };
}
