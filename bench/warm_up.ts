/**
 * Warm up: the requests before those that count. Takes a fresh subject and how many: what a just-started process
 * answers is neither measured nor judged here.
 */
import type { Connection } from "mysql2/promise";
import { type LoadOptions, type LoadOutcome, startLoad } from "./oha.ts";

/** Warms a subject up with just as many requests as the options say; 0 for none. */
export async function warmUp(options: LoadOptions, signal: AbortSignal): Promise<void> {
  if (options.requests > 0) await load(options, signal);
}

/** By so much must goodput rise with twice as many requests, or the subject counts as warm. */
const risesBy = 1.1;

/** How long a subject is warmed up. */
export interface WarmUpPlan {
  preWarmRequests: number;
  preWarmMostRequests?: number | undefined;
}

/**
 * Warms a subject up with the requests of the plan and, where it says so, with as many again, as long as that
 * raises its rate by a tenth or more, up to the plan's most; returns how many it answered. A just-in-time compiler
 * goes on for hundreds of thousands of requests: how far it got by a fixed number would be compared otherwise.
 */
export async function preWarm(
  options: Omit<LoadOptions, "requests">,
  { preWarmRequests, preWarmMostRequests = preWarmRequests }: WarmUpPlan,
  signal: AbortSignal,
): Promise<number> {
  let sent = 0;
  let before = 0;
  while (sent < preWarmMostRequests) {
    const most = preWarmMostRequests - sent;
    const requests = Math.min(sent === 0 ? preWarmRequests : sent, most);
    const { responses, durationSeconds } = await load({ ...options, requests }, signal);
    sent += requests;
    const rate = responses.endSeconds.length / durationSeconds;
    if (rate < risesBy * before) break;
    before = rate;
  }
  return sent;
}

async function load(options: LoadOptions, signal: AbortSignal): Promise<LoadOutcome> {
  const connections = Math.min(options.connections, options.requests);
  await using running = startLoad({ ...options, connections });
  const stop = () => void running.stop();
  signal.addEventListener("abort", stop);
  try {
    return await running.outcome;
  } finally {
    signal.removeEventListener("abort", stop);
    signal.throwIfAborted();
  }
}

/**
 * Reads the whole table once, so that every level finds all of it in the server's memory: without this, the
 * first level after a restart of the server pays for reading it.
 */
export async function warmDatabase(connection: Connection): Promise<void> {
  await connection.query("SELECT SUM(LENGTH(CONCAT_WS('', first, last, city, county))) FROM users");
}
