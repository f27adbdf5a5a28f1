/**
 * Verify: does an implementation meet its scenario's contract? Takes a fresh subject; returns every problem. It stops
 * the subject at the end, because that is part of the contract.
 */
import { overConnections, request } from "../lib/http_client.ts";
import { countLines, lastLinesAfter } from "../lib/log_lines.ts";
import { describeExit } from "../lib/process.ts";
import { leftTheGroup } from "../lib/process_tree.ts";
import { commandLine } from "../machine/proc.ts";
import type { CheckOptions, PreparedScenario, Target } from "./scenario.ts";
import type { Problem } from "../results/result_schema.ts";

/** Options for {@linkcode verify}. */
export interface VerifyOptions extends CheckOptions {
  scenario: PreparedScenario;
  /** Is given what the server logged while its first problems were found. */
  onLog?: (lines: string[]) => void;
}

const stopMs = 10_000;

/**
 * Verifies the whole contract: answers, an outage if the harness started the database, faults of what it calls, its
 * process group, SIGTERM.
 */
export async function verify(target: Target, options: VerifyOptions): Promise<Problem[]> {
  const { scenario, scenario: { database } } = options;
  const linesBefore = await countLines(target.process.logPath);
  const loggedBy = ({ process }: Target) => lastLinesAfter(process.logPath, linesBefore, mostLines);
  const problems = await scenario.verifyAnswers(target, options);
  const logged = problems.length > 0;
  // Now, because it logs more when its database is lost.
  if (logged) options.onLog?.(await loggedBy(target));
  const outage = database?.server.outage;
  if (outage !== undefined && target.process.exited() === undefined) {
    problems.push(...await database!.verifyOutage(target, outage, options));
  }
  if (scenario.verifyFaults !== undefined && target.process.exited() === undefined) {
    problems.push(...await scenario.verifyFaults(target, options));
  }
  // If the process has ended, earlier problems say so.
  if (problems.length === 0 || target.process.exited() === undefined) {
    problems.push(
      ...verifyGroup(target),
      ...await verifyStop(target, scenario.path, options.signal),
    );
  }
  if (!logged && problems.length > 0) {
    options.onLog?.(await loggedBy(target));
  }
  return problems;
}

/** Checks that no process has left the server's group: loads would be invalid for it. */
function verifyGroup({ process }: Target): Problem[] {
  const left = leftTheGroup(process).map((pid) => commandLine(pid) ?? `process ${pid}`);
  if (left.length === 0) return [];
  return [{
    check: "process group",
    sent: "all requests of these checks",
    came: `a process left the group of the server: ${left.join("; ")}`,
    expected: "all to stay in it",
  }];
}

/** Checks that a process ends within 10 s of SIGTERM, even if a client keeps a connection open. */
export async function verifyStop(
  { url, process }: Target,
  path: string,
  signal: AbortSignal,
): Promise<Problem[]> {
  const check = "SIGTERM";
  const sent = "SIGTERM while an idle connection is open";
  const exit = process.exited();
  if (exit !== undefined) {
    const came = `the process had ended before, with ${describeExit(exit)}`;
    return [{ check, sent, came, expected: "it to end after SIGTERM, not before" }];
  }
  return await overConnections(1, async (agent) => {
    const reply = await request(url + path, { agent, timeoutMs: stopMs, signal });
    if (reply.kind === "failure") {
      const came = reply.reason === "timed out" ? "no answer came within 10 s" : reply.reason;
      return [{ check, sent: `GET ${path}, before SIGTERM`, came, expected: "an answer" }];
    }
    const ended = await process.stop({ timeoutMs: stopMs });
    signal.throwIfAborted();
    const came = "the process still ran after 10 s";
    const expected = "it to end by then";
    return ended.signal === "SIGKILL" ? [{ check, sent, came, expected }] : [];
  });
}

/** Returns a problem in the form of all errors, with the request on a line below. */
export function formatProblem({ check, sent, came, expected }: Problem): string {
  return `Cannot verify "${check}": ${came}, expected ${expected}\n  sent: ${sent}`;
}

/** How many lines of a log are shown, and how much of each. */
const [mostLines, mostLetters] = [10, 300];

/** Returns problems as text, with what to do about several, and the end of what the server logged meanwhile. */
export function formatProblems(problems: Problem[], logged: readonly string[] = []): string {
  const texts = problems.map(formatProblem);
  if (problems.length > 1) texts.push("Begin with the first: later ones may follow from it.");
  if (problems.length > 0 && logged.length > 0) {
    const lines = logged.slice(-mostLines).map((line) =>
      line.length > mostLetters ? `${line.slice(0, mostLetters)}…` : line
    );
    texts.push("The end of what it logged meanwhile:", ...lines);
  }
  return texts.join("\n");
}
