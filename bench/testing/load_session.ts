/** What tests of loads share: a session without a command line. */
import { lockedVersions } from "../impl/lock_files.ts";
import type { Startable } from "../impl/start.ts";
import { describeMachine } from "../machine/describe.ts";
import { beginResult, type RunFacts } from "../measure/begin_result.ts";
import type { Ground } from "../measure/ground.ts";
import { measureLevel } from "../measure/levels.ts";
import type { LoadSession, Session } from "../measure/session.ts";
import type { Result } from "../results/result_schema.ts";
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

/** Returns the facts of a run on this machine. */
export async function exampleFacts(scenario: string, plan: RunFacts["plan"]): Promise<RunFacts> {
  return {
    runId: "20260101T000000Z-0000000",
    scenario,
    plan,
    machine: await describeMachine(),
    checkout: { commit: "0".repeat(40), dirty: true },
    tools: {},
  };
}

/** Measures one level, and returns a result that has it and nothing else. */
export async function measureOne(
  { impl, toolchain }: Startable,
  connections: number,
  session: Session,
): Promise<Result> {
  const versions = await lockedVersions(impl, toolchain);
  const result = await beginResult(impl, toolchain, versions, session.facts);
  result.levels.push(await measureLevel({ impl, toolchain, result }, connections, session));
  return result;
}
