/** What tests of loads share: a session without a command line. */
import type { Ground, LoadSession } from "../measure/session.ts";
import { openGround } from "../measure/session.ts";
import { silent } from "../lib/report.ts";
import { loadScenario } from "../scenario/list.ts";
import { ensureOha } from "../tools/tools.ts";

/** Returns a session for loads; by default of few requests, so that the file of them is written in a moment. */
export async function loadSessionOf<Some extends Ground>(
  ground: Some,
  { requestLines = 20_000, stallMs }: { requestLines?: number; stallMs?: number } = {},
): Promise<Some & LoadSession> {
  return { ...ground, oha: await ensureOha(ground), requestLines, stallMs };
}

/** Opens a session that needs no database, for servers that answer anything. */
export async function openBareSession(): Promise<LoadSession & AsyncDisposable> {
  const { signal } = new AbortController();
  const folder = await Deno.makeTempDir({ prefix: "backbench-test-" });
  const ground = await openGround({
    ...{ scenario: await loadScenario("hello"), impls: [], poolMax: 1, seed: 1 },
    ...{ folder, signal, report: silent },
  });
  return {
    ...await loadSessionOf(ground),
    [Symbol.asyncDispose]: async () => {
      await ground[Symbol.asyncDispose]();
      await Deno.remove(folder, { recursive: true });
    },
  };
}
