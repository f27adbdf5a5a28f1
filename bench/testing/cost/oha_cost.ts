/**
 * What does the option for random headers cost? Loads one server alternately with oha as it is released and one fixed
 * token, and with ours and 100,000 tokens of the same length; gives the ratio of their goodput.
 */
import { delay } from "@std/async";
import { join } from "@std/path";
import { BenchError } from "../../lib/error.ts";
import { startLoad } from "../../load/oha.ts";
import { logTail, startProcess } from "../../lib/process.ts";
import type { Report } from "../../lib/report.ts";
import { ensureOha } from "../../tools/tools.ts";
import { keepOha } from "../../load/build_oha.ts";

/** Goodput of the patched oha divided by plain oha's, with its 95 % confidence interval. */
export interface Comparison {
  ratio: number;
  low: number;
  high: number;
  rounds: number;
}

const rounds = 10;
// The 0.975 quantile of Student's t with rounds - 1 degrees of freedom.
const tQuantile = 2.262;
const sliceSeconds = 0.5;
const connections = 50;

/** Compares both in ABBA order, one log-ratio a round, with a t interval over the rounds. */
export async function compareWithPlainOha(
  { report, signal }: { report: Report; signal: AbortSignal },
): Promise<Comparison> {
  const ours = (await ensureOha({ report, signal })).path;
  const plain = await keepOha({ report, signal, env: Deno.env.toObject(), plain: true });
  const folder = await Deno.makeTempDir({ prefix: "backbench-cost-" });
  try {
    const headerLinesPath = join(folder, "headers");
    // Some 180 characters are the length of a token of the main job.
    const headers = Array.from(
      { length: 100_000 },
      (_, i) => `Authorization: Bearer ${`${i}`.padStart(180, "x")}`,
    );
    await Deno.writeTextFile(headerLinesPath, headers.join("\n"));

    await using server = await startConstantServer(folder, signal);
    const { url } = server;

    const goodput = async (ohaPath: string, requests: number) => {
      const sent = ohaPath === ours ? { headerLinesPath } : { header: headers[0]! };
      const options = { ohaPath, url, connections, requests, requestTimeoutSeconds: 10 };
      await using load = startLoad({ ...options, ...sent, folder, signal });
      const { responses, durationSeconds } = await load.outcome;
      const correct = responses.status.reduce((sum, status) => sum + (status === 200 ? 1 : 0), 0);
      if (correct !== requests) {
        throw new BenchError(
          `Cannot compare "${ohaPath}": ${correct} answers, expected ${requests}`,
        );
      }
      return correct / durationSeconds;
    };
    // Warms the server up, and tells how many requests a slice has on this machine.
    await goodput(plain, 50_000);
    const requests = Math.ceil(await goodput(plain, 50_000) * sliceSeconds);

    const logRatios: number[] = [];
    for (let round = 1; round <= rounds; round++) {
      const logs: number[] = [];
      for (const path of [plain, ours, ours, plain]) {
        logs.push(Math.log(await goodput(path, requests)));
      }
      logRatios.push((logs[1]! + logs[2]! - logs[0]! - logs[3]!) / 2);
      report.progress("Comparing oha with and without random headers", round, rounds);
    }
    return interval(logRatios);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Starts a server that answers every request alike, as fast as it can; disposing of it stops it. */
export async function startConstantServer(
  folder: string,
  signal: AbortSignal,
): Promise<{ url: string } & AsyncDisposable> {
  const logPath = join(folder, "server.log");
  const script = join(import.meta.dirname!, "constant_server.ts");
  const process = startProcess([Deno.execPath(), "run", "--allow-net", script], { logPath });
  try {
    const url = `http://127.0.0.1:${await portFrom(logPath, signal)}/`;
    return { url, [Symbol.asyncDispose]: () => process[Symbol.asyncDispose]() };
  } catch (error) {
    await process.stop();
    throw error;
  }
}

function interval(logRatios: number[]): Comparison {
  const mean = logRatios.reduce((sum, value) => sum + value, 0) / rounds;
  const variance = logRatios.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (rounds - 1);
  const half = tQuantile * Math.sqrt(variance / rounds);
  return { ratio: Math.exp(mean), low: Math.exp(mean - half), high: Math.exp(mean + half), rounds };
}

async function portFrom(logPath: string, signal: AbortSignal): Promise<string> {
  for (let attempt = 0; attempt < 100; attempt++) {
    await delay(100, { signal });
    const port = /^port (\d+)$/m.exec(await logTail(logPath))?.[1];
    if (port !== undefined) return port;
  }
  throw new BenchError(`Cannot start "constant_server.ts": it does not listen after 10 s`, {
    help: await logTail(logPath),
  });
}
