/** What tests of loads share: a session without a command line. */
import type { Ground, LoadSession } from "../measure/session.ts";
import { loadScenario } from "../scenario/list.ts";
import { ensureOha } from "../tools/tools.ts";
import { groundOf } from "./ground.ts";

/** Returns a session for loads; by default of few requests, so that the file of them is written in a moment. */
export async function loadSessionOf<Some extends Ground>(
  ground: Some,
  { requestLines = 20_000, stallMs }: { requestLines?: number; stallMs?: number } = {},
): Promise<Some & LoadSession> {
  return { ...ground, oha: await ensureOha(ground), requestLines, stallMs };
}

/** Opens a session that needs no database, for servers that answer anything. */
export async function openBareSession(): Promise<LoadSession & AsyncDisposable> {
  return await loadSessionOf(await groundOf(await loadScenario("hello"), { poolMax: 1 }));
}
