/**
 * Levels: start, verify, warm up, measure and judge one implementation, with a fresh process per level, so that
 * levels do not influence each other.
 */
import type { Impl } from "../impl/impl.ts";
import { BenchError } from "../lib/error.ts";
import { judge, reasonToRepeat } from "./judge.ts";
import { LoadBroken, measure } from "./observe_load.ts";
import type { LoadOptions } from "../load/oha.ts";
import { levelProgress } from "./progress.ts";
import type { RunFacts } from "./begin_result.ts";
import { lastRepetition } from "../results/outcome.ts";
import type { Level, Problem, Repetition, Result } from "../results/result_schema.ts";
import type { Startable } from "../impl/start.ts";
import { formatProblem } from "../scenario/verify.ts";
import { findProblems, type Ground, start } from "./session.ts";
import { warmUp } from "./warm_up.ts";

/** A request without an answer after this time has failed. */
const requestTimeoutSeconds = 10;

/** What all levels of all implementations of a run share. */
export interface Session extends Ground {
  facts: RunFacts;
  oha: { path: string };
  stallMs?: number;
}

/** One implementation, ready to start, and its result. */
export interface Contestant extends Startable {
  result: Result;
}

/**
 * Verifies the whole contract on a fresh process.
 *
 * @throws {BenchError} that counts the problems and lists each, when there are any.
 */
export async function verifyContestant(contestant: Contestant, session: Session): Promise<void> {
  const problems = await findProblems(contestant, session);
  const { database } = session.scenario;
  contestant.result.verification = {
    problems,
    outage: database && (database.server.outage === undefined ? "not-checked" : "checked"),
  };
  requireNone(contestant.impl, problems);
}

/** @throws {BenchError} that counts the problems and lists each, when there are any. */
export function requireNone(impl: Impl, problems: Problem[]): void {
  if (problems.length === 0) return;
  throw new BenchError(
    `Cannot measure "${impl.id}": ${problems.length} problem${
      problems.length === 1 ? "" : "s"
    } with its answers, expected none`,
    { help: problems.map(formatProblem).join("\n") },
  );
}

/** Measures one level, and once more if the first repetition is invalid because of background load or swapping only. */
export async function measureLevel(
  contestant: Contestant,
  connections: number,
  session: Session,
): Promise<Level> {
  const level: Level = {
    connections,
    repetitions: [await measureOnce(contestant, connections, session)],
  };
  const again = reasonToRepeat(lastRepetition(level));
  if (again !== undefined) {
    session.report.line(`${contestant.impl.id}, ${connections} connections, once more: ${again}`);
    level.repetitions.push(await measureOnce(contestant, connections, session, 1));
  }
  return level;
}

async function measureOnce(
  contestant: Contestant,
  connections: number,
  session: Session,
  /** Of this level, before this repetition. */
  repetitions = 0,
): Promise<Repetition> {
  const { facts: { plan }, scenario, scenario: { database }, signal } = session;
  const startedAt = new Date().toISOString();
  await using subject = await start(contestant, session);
  await using connection = await database?.server.connect();
  try {
    if (connection !== undefined) await database?.warm(connection);
    const load: LoadOptions = {
      ...loadOf(session),
      url: subject.url + scenario.load.path,
      connections,
      requests: plan.requests,
    };
    await warmUp({ ...load, requests: plan.warmUpRequests });
    const observation = await measure(subject, {
      load,
      scenario,
      connection,
      signal,
      onProgress: (requests) =>
        session.report.progress(
          ...levelProgress(contestant.result, { connections, repetitions, requests }, plan),
        ),
      stallMs: session.stallMs,
    });
    const problems = await scenario.verifyAnswers(subject, session);
    const judgement = judge(observation, {
      connections,
      plan,
      queriesPerRequest: database?.queriesPerRequest,
      verificationFailures: problems.map(formatProblem),
    });
    return { startedAt, ...judgement, observation };
  } catch (error) {
    if (!(error instanceof LoadBroken)) throw error;
    const reasons = [{ code: error.code, message: error.message }];
    return { startedAt, validity: { valid: false, reasons } };
  }
}

/** Returns what all loads of a session have in common. */
export function loadOf({ oha, scenario, folder, signal }: Session) {
  const { headerLinesPath } = scenario.load;
  return { ohaPath: oha.path, headerLinesPath, requestTimeoutSeconds, folder, signal };
}
