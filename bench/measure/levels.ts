/**
 * Levels: start, verify, warm up, measure and judge one implementation, with a fresh process per level, so that
 * levels do not influence each other.
 */
import type { Impl } from "../impl/impl.ts";
import { BenchError } from "../lib/error.ts";
import { formatInteger } from "../lib/format_integer.ts";
import { countLines, firstLinesAfter } from "../lib/log_lines.ts";
import { judge } from "./judge.ts";
import { reasonToRepeat, stealWarning } from "./judge_machine.ts";
import { beginLoad } from "./load.ts";
import { LoadBroken } from "./watch_load.ts";
import { measureAgain } from "./measure_again.ts";
import { openWorkload } from "./workload.ts";
import { watchMachine } from "../machine/window.ts";
import { levelProgress } from "./progress.ts";
import type { Level, Observation, Problem, Repetition, Result } from "../results/result_schema.ts";
import type { Startable, Subject } from "../impl/start.ts";
import { formatProblem, formatProblems } from "../scenario/verify.ts";
import { findProblems, start } from "./ground.ts";
import type { Contestant, Session } from "./session.ts";
import { warmUp } from "./warm_up.ts";

/**
 * Verifies the whole contract on a fresh process.
 *
 * @throws {BenchError} that counts the problems and lists each, when there are any.
 */
export async function verifyContestant(contestant: Contestant, session: Session): Promise<void> {
  const found = await findBeforeLoads(contestant, session);
  const { database } = session.scenario;
  contestant.result.verification = {
    problems: found.problems,
    outage: database && (database.server.outage === undefined ? "not-checked" : "checked"),
  };
  requireNone(contestant.impl, found);
}

/** What verification found, and what the server logged while it found the first problems. */
interface Findings {
  problems: Problem[];
  logged: string[];
}

/** Checks the whole contract, as what is loaded next must meet it, and warns where the machine is disturbed meanwhile. */
export async function findBeforeLoads(side: Startable, session: Session): Promise<Findings> {
  const { report } = session;
  report.line(`Verifying ${side.impl.id}`);
  const machineUse = watchMachine();
  let logged: string[] = [];
  const problems = await findProblems(side, session, (lines) => logged = lines);
  const warning = stealWarning(machineUse(), `While ${side.impl.id} was verified`);
  if (warning !== undefined) report.line(warning);
  return { problems, logged };
}

/** @throws {BenchError} that counts the problems and lists each, when there are any. */
export function requireNone(impl: Impl, { problems, logged }: Findings): void {
  if (problems.length === 0) return;
  throw new BenchError(
    `Cannot measure "${impl.id}": ${problems.length} problem${
      problems.length === 1 ? "" : "s"
    } with its answers, expected none`,
    { help: formatProblems(problems, logged) },
  );
}

/** Measures one level, and once more, or as often as the session says, where it is invalid because of the machine only. */
export async function measureLevel(
  contestant: Contestant,
  connections: number,
  session: Session,
): Promise<Level> {
  const repetitions: Repetition[] = [];
  const measure = async () => {
    const measured = await measureOnce(contestant, connections, session, repetitions.length);
    repetitions.push(measured);
    return measured;
  };
  const title = `${contestant.impl.id}, ${formatInteger(connections)} connections`;
  await measureAgain(measure, { session, title, why: reasonToRepeat });
  return { connections, repetitions };
}

async function measureOnce(
  contestant: Contestant,
  connections: number,
  session: Session,
  /** Of this level, before this repetition. */
  repetitions: number,
): Promise<Repetition> {
  const startedAt = new Date().toISOString();
  await using subject = await start(contestant, session);
  const { logPath } = subject.process;
  const linesBefore = await countLines(logPath);
  const { result } = contestant;
  const judged = await loadAndJudge(subject, { result, connections, repetitions }, session);
  const repetition = { startedAt, ...judged };
  if (!repetition.validity.valid && reasonToRepeat(repetition) === undefined) {
    const logged = describeLog(subject.impl.id, {
      count: await countLines(logPath) - linesBefore,
      first: await firstLinesAfter(logPath, linesBefore),
    });
    if (logged !== undefined) session.report.line(logged);
  }
  return repetition;
}

async function loadAndJudge(
  subject: Subject,
  { result, connections, repetitions }: {
    result: Result;
    connections: number;
    repetitions: number;
  },
  session: Session,
): Promise<Omit<Repetition, "startedAt">> {
  const { facts: { plan }, report, scenario } = session;
  try {
    const { warm, observation } = await loadAtLevel(
      subject,
      connections,
      session,
      (requests) =>
        report.progress(
          ...levelProgress(result, { connections, repetitions, requests }, plan),
        ),
    );
    const problems = await scenario.verifyAnswers(subject, session);
    const judgement = judge(observation, {
      connections,
      poolMax: plan.poolMax,
      requests: plan.requests,
      warmUp: warm,
      upstreamLimit: result.upstreamLimit,
      verificationFailures: problems.map(formatProblem),
    });
    return { ...judgement, observation };
  } catch (error) {
    if (!(error instanceof LoadBroken)) throw error;
    return { validity: { valid: false, reasons: [{ code: error.code, message: error.message }] } };
  }
}

/** Shows the first lines that a server logged in a level that is invalid by its own doing; undefined for an empty log. */
function describeLog(
  implId: string,
  { count, first }: { count: number; first: readonly string[] },
): string | undefined {
  if (count === 0) return undefined;
  const shown = first.slice(0, 5).map((line) => `  ${line.slice(0, 200)}`);
  const lines = count === 1 ? "a line" : `${formatInteger(count)} lines`;
  return [
    `${implId} logged ${lines} meanwhile${count > shown.length ? "; the first" : ""}:`,
    ...shown,
  ].join("\n");
}

/** Warms a fresh process up, and loads it. */
async function loadAtLevel(
  subject: Subject,
  connections: number,
  session: Session,
  onProgress: (requests: number) => void,
): Promise<{ warm?: Observation; observation: Observation }> {
  const { warmUpRequests, requests } = session.facts.plan;
  await using workload = await openWorkload(session);
  const options = { session, workload, connections };
  const warm = await warmUp(subject, { ...options, requests: warmUpRequests });
  await using load = await beginLoad(subject, { ...options, amount: { requests }, onProgress });
  const { observation } = await load.finish();
  return { warm, observation };
}
