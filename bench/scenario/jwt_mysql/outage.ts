/**
 * Outage: what does a server do without its database, and afterwards? Takes a running server; stops the database,
 * sends requests, restarts it, sends requests; returns every problem.
 */
import { describeExit } from "../../lib/process.ts";
import { delay } from "@std/async";
import type { CheckOptions, Outage, Target } from "../scenario.ts";
import type { Problem } from "../../results/result_schema.ts";
import { judgeStatus, stackTraceIn, TargetGone } from "../checks.ts";
import { type Client, createClient, describeRequest } from "./client.ts";
import type { Users } from "./known_users.ts";

const requestsAtOnce = 32;
const recoveryMs = 30_000;
const requestsAfter = 20;

/** Checks a server during and after the loss of its database; see `verifyOutage` of a scenario. */
export async function verifyOutage(
  target: Target,
  outage: Outage,
  users: Users,
  secret: string,
  options: CheckOptions,
): Promise<Problem[]> {
  const client = createClient(target.url, secret, options.signal);
  const problems: Problem[] = [];
  let check = "database gone";
  let sent = "requests with valid tokens, the database stopped";
  try {
    options.report.line("Stopping the database");
    await outage.stop();
    try {
      problems.push(...await askWithoutDatabase(client, users));
    } finally {
      options.report.line("Restarting the database");
      await outage.start();
    }
    if (target.process.exited() === undefined) {
      check = "database back";
      problems.push(...await askWithDatabase(client, users, options.signal));
    }
  } catch (error) {
    if (!(error instanceof TargetGone)) throw error;
    sent = error.sent;
    problems.push({ check, sent, came: error.message, expected: "an answer" });
  }
  const exit = target.process.exited();
  if (exit === undefined) return problems;
  const came = `the process has ended with ${describeExit(exit)}`;
  return [{ check, sent, came, expected: "it to live" }];
}

/** Two waves: the first finds the pool's connections broken, the second finds none available. */
async function askWithoutDatabase(client: Client, users: Users): Promise<Problem[]> {
  for (let wave = 0; wave < 2; wave++) {
    const asked = users.random.slice(0, requestsAtOnce).map(({ email }) =>
      askOnceWithout(client, email)
    );
    await Promise.allSettled(asked);
    const problems = (await Promise.all(asked)).filter((problem) => problem !== undefined);
    if (problems.length > 0) return problems.slice(0, 1);
  }
  return [];
}

async function askOnceWithout(client: Client, email: string): Promise<Problem | undefined> {
  const check = "database gone";
  const sent = `${describeRequest(email)}, the database stopped`;
  const reply = await client.askFor(email);
  const problem = judgeStatus(check, sent, reply, "5xx", (it) => it >= 500 && it < 600);
  if (problem !== undefined || reply.kind === "failure") return problem;
  const trace = stackTraceIn(reply.body);
  if (trace === undefined) return undefined;
  return { check, sent, came: `the body shows "${trace}"`, expected: "no stack trace" };
}

/** Waits until the server answers again; from then on, every answer must be correct. */
async function askWithDatabase(
  client: Client,
  users: Users,
  signal: AbortSignal,
): Promise<Problem[]> {
  const check = "database back";
  const { email } = users.random[0]!;
  const deadline = performance.now() + recoveryMs;
  for (;;) {
    const reply = await client.askFor(email);
    const problem = judgeStatus(check, describeRequest(email), reply, "200", (it) => it === 200);
    if (problem === undefined) break;
    if (performance.now() > deadline) {
      return [{ ...problem, came: `${problem.came}, 30 s after the database had come back` }];
    }
    await delay(250, { signal });
  }
  const problems: Problem[] = [];
  for (const user of users.random.slice(0, requestsAfter)) {
    const problem = await client.checkUser(check, user);
    if (problem !== undefined) problems.push(problem);
  }
  return problems.slice(0, 1);
}
