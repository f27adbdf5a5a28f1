/**
 * Levels: start, verify, warm up, measure and judge one implementation, with a fresh process per level, so that
 * levels do not influence each other.
 */
import type { Impl } from "../impl/impl.ts";
import { BenchError } from "../lib/error.ts";
import { formatInteger } from "../lib/format_integer.ts";
import { judge } from "./judge.ts";
import { reasonToRepeat, stealWarning } from "./judge_machine.ts";
import { beginLoad } from "./load.ts";
import { LoadBroken } from "./watch_load.ts";
import { openConditions } from "./conditions.ts";
import { watchMachine } from "../machine/window.ts";
import { levelProgress } from "./progress.ts";
import type { RunFacts } from "./begin_result.ts";
import { lastRepetition } from "../results/outcome.ts";
import type { Level, Observation, Problem, Repetition, Result } from "../results/result_schema.ts";
import type { Startable, Subject } from "../impl/start.ts";
import { formatProblem } from "../scenario/verify.ts";
import { findProblems, type LoadSession, start } from "./session.ts";
import { warmUp } from "./warm_up.ts";

/** What all levels of all implementations of a run share. */
export interface Session extends LoadSession {
  facts: RunFacts;
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
  const problems = await findBeforeLoads(contestant, session);
  const { database } = session.scenario;
  contestant.result.verification = {
    problems,
    outage: database && (database.server.outage === undefined ? "not-checked" : "checked"),
  };
  requireNone(contestant.impl, problems);
}

/** Checks the whole contract, as what is loaded next must meet it, and warns where the machine is disturbed meanwhile. */
export async function findBeforeLoads(side: Startable, session: Session): Promise<Problem[]> {
  const { report } = session;
  report.line(`Verifying ${side.impl.id}`);
  const machineUse = watchMachine();
  const problems = await findProblems(side, session);
  const warning = stealWarning(machineUse(), `While ${side.impl.id} was verified`);
  if (warning !== undefined) report.line(warning);
  return problems;
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

/** Measures one level, and once more, or as often as the session says, where it is invalid because of the machine only. */
export async function measureLevel(
  contestant: Contestant,
  connections: number,
  session: Session,
): Promise<Level> {
  const level: Level = {
    connections,
    repetitions: [await measureOnce(contestant, connections, session)],
  };
  const { mostRepeats = 1, report } = session;
  while (level.repetitions.length <= mostRepeats) {
    const again = reasonToRepeat(lastRepetition(level));
    if (again === undefined) break;
    report.line(
      `${contestant.impl.id}, ${formatInteger(connections)} connections, once more: ${again}`,
    );
    const { length } = level.repetitions;
    level.repetitions.push(await measureOnce(contestant, connections, session, length));
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
  const { facts: { plan }, scenario } = session;
  const startedAt = new Date().toISOString();
  await using subject = await start(contestant, session);
  try {
    const { warm, observation } = await loadAtLevel(
      subject,
      connections,
      session,
      (requests) =>
        session.report.progress(
          ...levelProgress(contestant.result, { connections, repetitions, requests }, plan),
        ),
    );
    const problems = await scenario.verifyAnswers(subject, session);
    const judgement = judge(observation, {
      connections,
      poolMax: plan.poolMax,
      requests: plan.requests,
      warmUp: warm,
      upstreamLimit: contestant.result.upstreamLimit,
      verificationFailures: problems.map(formatProblem),
    });
    return { startedAt, ...judgement, observation };
  } catch (error) {
    if (!(error instanceof LoadBroken)) throw error;
    const reasons = [{ code: error.code, message: error.message }];
    return { startedAt, validity: { valid: false, reasons } };
  }
}

/** Warms a fresh process up, and loads it. */
async function loadAtLevel(
  subject: Subject,
  connections: number,
  session: Session,
  onProgress: (requests: number) => void,
): Promise<{ warm?: Observation; observation: Observation }> {
  const { warmUpRequests, requests } = session.facts.plan;
  await using conditions = await openConditions(session);
  const options = { session, conditions, connections };
  const warm = await warmUp(subject, { ...options, requests: warmUpRequests });
  await using load = await beginLoad(subject, { ...options, amount: { requests }, onProgress });
  const { observation } = await load.finish();
  return { warm, observation };
}
