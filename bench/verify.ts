/**
 * Verify: does an implementation meet its scenario's contract? Takes a running subject of its own; gives
 * every problem at once. The subject is stopped in the end, as that is a part of the contract.
 */
import type { Database } from "./database.ts";
import type { CheckOptions, PreparedScenario, Problem, Target } from "./scenario.ts";

/** Options for {@linkcode verify}. */
export interface VerifyOptions extends CheckOptions {
  scenario: PreparedScenario;
  database: Pick<Database, "outage">;
}

const stopMs = 10_000;

/** Verifies the whole contract: the answers, an outage where the database is ours to stop, SIGTERM. */
export async function verify(target: Target, options: VerifyOptions): Promise<Problem[]> {
  const { scenario, database: { outage } } = options;
  const problems = await scenario.verifyAnswers(target, options);
  if (outage !== undefined && target.process.exited() === undefined) {
    problems.push(...await scenario.verifyOutage(target, outage, options));
  }
  // Of a process that has ended, the problems before tell already.
  if (problems.length === 0 || target.process.exited() === undefined) {
    problems.push(...await verifyStop(target, scenario.path));
  }
  return problems;
}

/** Checks that a process ends within 10 s of SIGTERM, though a client keeps a connection open. */
export async function verifyStop({ url, process }: Target, path: string): Promise<Problem[]> {
  const check = "SIGTERM";
  const sent = "SIGTERM while an idle connection is open";
  const expected = "it to end within 10 s of SIGTERM, not before";
  const cameOf = async () => {
    const { hostname, port } = new URL(url);
    using connection = await Deno.connect({ hostname, port: Number(port) });
    const ask = `GET ${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`;
    await connection.write(new TextEncoder().encode(ask));
    await connection.read(new Uint8Array(16_384));
    const { signal } = await process.stop({ timeoutMs: stopMs });
    return signal === "SIGKILL" ? "the process still ran after 10 s" : undefined;
  };
  const exit = process.exited();
  const came = exit === undefined
    ? await cameOf()
    : `the process had ended before, with ${exit.signal ?? `exit code ${exit.code}`}`;
  return came === undefined ? [] : [{ check, sent, came, expected }];
}

/** Returns a problem as a sentence of the form that all failures have, what was sent on a line below. */
export function formatProblem({ check, sent, came, expected }: Problem): string {
  return `Cannot verify "${check}": ${came}, expected ${expected}\n  sent: ${sent}`;
}
