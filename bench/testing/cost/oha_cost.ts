/**
 * What do our options of oha cost? Loads the null server alternately with oha as it is released, which sends one
 * header again and again, and with ours, which sends 500,000 lines of a file; gives the ratio of their throughput.
 */
import { join } from "@std/path";
import { noToolchain } from "../../impl/toolchains.ts";
import { startSubject, type Subject } from "../../impl/start.ts";
import { BenchError } from "../../lib/error.ts";
import { logTail } from "../../lib/log_lines.ts";
import { runProcess } from "../../lib/process.ts";
import type { Report } from "../../lib/report.ts";
import { parseSummary } from "../../load/oha_output.ts";
import { nullServerImpl } from "../../native/native.ts";
import { median, type RatioInterval, ratioInterval } from "../../statistics/mod.ts";
import { keepOha } from "../../tools/oha.ts";
import { ensureNative, ensureOha } from "../../tools/tools.ts";

/** What {@linkcode measureCostOfOha} finds. */
export interface CostOfOha {
  /** Throughput of our oha divided by that of oha as it is released. */
  throughput: RatioInterval;
  /** Median of the time that ours takes with {@linkcode lineCount} lines, of which it sends one, in seconds. */
  startSeconds: number;
}

/** Lines of the file, as many as a load has at most. */
export const lineCount = 500_000;

const connections = 50;
/** Each has a plain load, two of ours, and a plain one; with fewer, the interval would not tell 2 %. */
const rounds = 100;
const loadSeconds = 0.5;

interface Context {
  report: Report;
  signal: AbortSignal;
}

/**
 * Compares both: a round is four loads, ABBA, which cancels what changes steadily on the machine. Each load is a
 * process of its own, because processes differ from each other more than a process from itself. The interval is that of
 * `ratioInterval()` over one log-ratio a round. Reading the file is not in the throughput; it has a figure of its own.
 */
export async function measureCostOfOha(context: Context): Promise<CostOfOha> {
  const { report, signal } = context;
  const ours = (await ensureOha(context)).path;
  const env = Deno.env.toObject();
  const plain = await keepOha({ report, signal, env, plain: true });
  const folder = await Deno.makeTempDir({ prefix: "backbench-cost-" });
  try {
    const requestsPath = join(folder, "requests.jsonl");
    const lines = Array.from({ length: lineCount }, (_, i) => `${JSON.stringify(requestOf(i))}\n`);
    await Deno.writeTextFile(requestsPath, lines.join(""));
    await using server = await startNullServer(folder, context);

    let firstLine = 0;
    const run = async (ohaPath: string, requests: number) => {
      const [[name, value]] = Object.entries(requestOf(firstLine).headers) as [[string, string]];
      const sent = ohaPath === plain
        ? ["-H", `${name}: ${value}`]
        : ["--requests-file", requestsPath, "--requests-file-start", `${firstLine}`];
      const throughput = await throughputOf(
        [ohaPath, ...sent, `${server.url}/`],
        requests,
        folder,
        signal,
      );
      firstLine = (firstLine + requests) % lineCount;
      return throughput;
    };
    // Warms the server up, and tells how many requests a load has on this machine.
    await run(plain, 50_000);
    const requests = Math.ceil(await run(plain, 50_000) * loadSeconds);

    const startSeconds: number[] = [];
    for (let start = 1; start <= 9; start++) {
      const startMs = performance.now();
      await run(ours, 1);
      startSeconds.push((performance.now() - startMs) / 1000);
    }
    const logRatios: number[] = [];
    for (let round = 1; round <= rounds; round++) {
      const logs: number[] = [];
      for (const path of [plain, ours, ours, plain]) logs.push(Math.log(await run(path, requests)));
      logRatios.push((logs[1]! + logs[2]! - logs[0]! - logs[3]!) / 2);
      report.progress("Comparing oha with and without a file of requests", round, rounds);
    }
    return { throughput: ratioInterval(logRatios)!, startSeconds: median(startSeconds) };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Starts the server that answers every request alike, as fast as the machine can; disposing of it stops it. */
export async function startNullServer(folder: string, context: Context): Promise<Subject> {
  return await startSubject(nullServerImpl(await ensureNative(context)), {
    toolchain: noToolchain,
    surroundings: { poolMax: 1, secret: "none" },
    folder,
    signal: context.signal,
  });
}

/** A line of some 300 bytes, more than those of the main job have. */
function requestOf(line: number): { headers: Record<string, string> } {
  return { headers: { authorization: `Bearer ${`${line}`.padStart(256, "x")}` } };
}

/** Runs oha once; returns answers per second from the first request to the last. */
async function throughputOf(
  [ohaPath, ...args]: string[],
  requests: number,
  folder: string,
  signal: AbortSignal,
): Promise<number> {
  const [summaryPath, logPath] = [join(folder, "oha.json"), join(folder, "oha.log")];
  const { code } = await runProcess([
    ohaPath!,
    ...["-n", `${requests}`, "-c", `${Math.min(connections, requests)}`, "-t", "10s"],
    ...["--output-format", "json", "--output", summaryPath, "--no-tui", "--no-color"],
    ...args,
  ], { logPath, signal });
  if (code !== 0) {
    throw new BenchError(`Cannot run "${ohaPath}": exit code is ${code}, expected 0`, {
      help: await logTail(logPath),
    });
  }
  const { answered, durationSeconds } = parseSummary(await Deno.readTextFile(summaryPath));
  if (answered !== requests) {
    throw new BenchError(`Cannot run "${ohaPath}": ${answered} answers, expected ${requests}`);
  }
  return answered / durationSeconds;
}
