/**
 * Outage: what does a server do without its database, and afterwards? Takes a running server; stops the database,
 * sends requests, restarts it, sends requests; returns every problem.
 */
import { delay } from "@std/async";
import type { Outage } from "../database/database.ts";
import { BenchError, messageOf, RunBroken } from "../lib/error.ts";
import type { Problem } from "../results/result_schema.ts";
import {
  allEnded,
  type Found,
  judgeAlive,
  judgeServerError,
  judgeStatus,
  type Reply,
  TargetGone,
  untilEnded,
} from "./checks.ts";
import type { CheckOptions, Target } from "./scenario.ts";

/** Requests that need the database. */
export interface Asking {
  /** What they have, as a part of a sentence: "valid tokens". */
  what: string;
  /** The status of a right answer. */
  right: number;
  /**
   * Sends the request of that number, below 32.
   *
   * @throws {TargetGone} when nothing listens.
   */
  ask(index: number): Promise<{ sent: string; reply: Reply }>;
  /** Sends the request of that number, and judges the answer. */
  check(check: string, index: number): Promise<Found>;
}

const requestsAtOnce = 32;
const recoveryMs = 30_000;
const requestsAfter = 20;

/** Checks a server during and after the loss of its database; see `verifyOutage` of a scenario. */
export async function verifyOutage(
  target: Target,
  outage: Outage,
  asking: Asking,
  { report, signal }: CheckOptions,
): Promise<Problem[]> {
  const problems: Problem[] = [];
  let check = "database gone";
  let sent = `requests with ${asking.what}, the database stopped`;
  try {
    report.line("Stopping the database");
    await outage.stop();
    try {
      problems.push(...await askWithoutDatabase(asking));
    } finally {
      report.line("Restarting the database");
      await restart(outage);
    }
    if (target.process.exited() === undefined) {
      check = "database back";
      problems.push(...await askWithDatabase(asking, signal));
    }
  } catch (error) {
    if (!(error instanceof TargetGone)) throw error;
    sent = error.sent;
    problems.push({ check, sent, came: error.message, expected: "an answer" });
    await untilEnded(target);
  }
  const ended = judgeAlive(target, check, sent);
  return ended === undefined ? problems : [ended];
}

/** @throws {RunBroken} when the database does not come back, which says nothing of the server. */
async function restart(outage: Outage): Promise<void> {
  try {
    await outage.start();
  } catch (cause) {
    const help = cause instanceof BenchError ? cause.help : undefined;
    throw new RunBroken(
      `Cannot go on without the database, which was stopped for a check: ${messageOf(cause)}`,
      { help, cause },
    );
  }
}

/** Two waves: the first finds the pool's connections broken, the second finds none available. */
async function askWithoutDatabase(asking: Asking): Promise<Problem[]> {
  for (let wave = 0; wave < 2; wave++) {
    const asked = Array.from(
      { length: requestsAtOnce },
      (_, index) => askOnceWithout(asking, index),
    );
    const problems = (await allEnded(asked)).filter((problem) => problem !== undefined);
    if (problems.length > 0) return problems.slice(0, 1);
  }
  return [];
}

async function askOnceWithout(asking: Asking, index: number): Promise<Found> {
  const check = "database gone";
  const { sent: request, reply } = await asking.ask(index);
  const sent = `${request}, the database stopped`;
  const isFailure = (status: number) => status >= 500 && status < 600;
  return judgeServerError(check, sent, reply, { text: "5xx", is: isFailure });
}

/** Waits until the server answers again; from then on, every answer must be correct. */
async function askWithDatabase(asking: Asking, signal: AbortSignal): Promise<Problem[]> {
  const check = "database back";
  const { right } = asking;
  const deadline = performance.now() + recoveryMs;
  for (;;) {
    const { sent, reply } = await asking.ask(0);
    const problem = judgeStatus(check, sent, reply, right);
    if (problem === undefined) break;
    if (performance.now() > deadline) {
      return [{ ...problem, came: `${problem.came}, 30 s after the database had come back` }];
    }
    await delay(250, { signal });
  }
  const problems: Problem[] = [];
  for (let index = 0; index < requestsAfter; index++) {
    const problem = await asking.check(check, index);
    if (problem !== undefined) problems.push(problem);
  }
  return problems.slice(0, 1);
}
