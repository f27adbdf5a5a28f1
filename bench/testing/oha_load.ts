/** What tests of loads share: the real oha, and a server of the test's own. */
import { join } from "@std/path";
import { silent } from "../lib/report.ts";
import {
  type Load,
  type LoadOptions,
  type LoadOutcome,
  startLoad,
  type TimedLoadOptions,
} from "../load/oha.ts";
import { ensureOha } from "../tools/tools.ts";
import { temporaryFolder } from "./temporary_folder.ts";

const { signal } = new AbortController();

/** Loads with the real oha, over ten connections. */
export async function load(
  { lines = [{}], requests = 10, seconds, ratePerSecond, onBegun, ...options }:
    & Partial<LoadOptions>
    & Partial<Pick<TimedLoadOptions, "seconds" | "ratePerSecond">>
    & { url: string; lines?: unknown[]; onBegun?: (running: Load) => Promise<void> },
): Promise<LoadOutcome> {
  await using folder = await temporaryFolder();
  const { path: ohaPath } = await ensureOha({ report: silent, signal });
  const requestsPath = join(folder.path, "requests.jsonl");
  await Deno.writeTextFile(
    requestsPath,
    lines.map((line) => `${JSON.stringify(line)}\n`).join(""),
  );
  const shared = {
    ...{ ohaPath, requestsPath, firstLine: 0, folder: folder.path },
    ...{ connections: 10, requestTimeoutSeconds: 10, signal },
    ...options,
  };
  await using running = startLoad(
    seconds === undefined ? { ...shared, requests } : { ...shared, seconds, ratePerSecond },
  );
  await running.begun;
  await onBegun?.(running);
  return await running.outcome;
}

/** Starts a server for a test, which is given its URL. */
export async function withServer(
  handler: (request: Request) => Response | Promise<Response>,
  test: (url: string) => Promise<void>,
): Promise<void> {
  await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, handler);
  await test(`http://127.0.0.1:${server.addr.port}/`);
}
