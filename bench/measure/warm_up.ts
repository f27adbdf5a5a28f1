/**
 * Warm up: the requests before those that count. Takes a fresh subject and how many: what a just-started process
 * answers is neither measured nor judged here.
 */
import { type LoadOptions, type LoadOutcome, startLoad } from "../load/oha.ts";

/** Warms a subject up with just as many requests as the options say; 0 for none. */
export async function warmUp(options: LoadOptions): Promise<void> {
  if (options.requests > 0) await load(options);
}

/** By so much must more requests raise goodput, or the subject was warm before them. */
const risesBy = 1.1;

/** How many requests {@linkcode findWarmUp} tries. */
export interface FindWarmUpOptions {
  /** In the first part; each later one doubles what was sent. */
  leastRequests: number;
  /** In all parts. */
  mostRequests: number;
  /** Called before each part: requests in it and after it, and the answers per second of the part before. */
  onPart?: (requests: number, later: number, rate?: number) => void;
}

/** A part of a warm-up. */
export interface WarmUpPart {
  /** From the start of the process to the end of this part. */
  requests: number;
  /** Answers per second in this part. */
  rate: number;
}

/**
 * Finds out how many requests make a subject warm, on a process that is for nothing else, and returns them. It gets
 * the most in any case, in parts that each double what was sent. To stop where a part is no faster than the one
 * before is not enough: a just-in-time compiler has plateaus, and every process leaves them at another moment.
 */
export async function findWarmUp(
  options: Omit<LoadOptions, "requests">,
  { leastRequests, mostRequests, onPart }: FindWarmUpOptions,
): Promise<number> {
  const parts: WarmUpPart[] = [];
  let sent = 0;
  while (sent < mostRequests) {
    const requests = Math.min(sent === 0 ? leastRequests : sent, mostRequests - sent);
    onPart?.(requests, mostRequests - sent - requests, parts.at(-1)?.rate);
    const { responses, durationSeconds } = await load({ ...options, requests });
    sent += requests;
    parts.push({ requests: sent, rate: responses.endSeconds.length / durationSeconds });
  }
  return enoughRequests(parts);
}

/** Returns the least requests after which no later part was faster by a tenth. */
export function enoughRequests(parts: WarmUpPart[]): number {
  const isEnough = ({ rate }: WarmUpPart, index: number) =>
    parts.slice(index + 1).every((later) => later.rate < risesBy * rate);
  return parts.find(isEnough)?.requests ?? 0;
}

async function load(options: LoadOptions): Promise<LoadOutcome> {
  const connections = Math.min(options.connections, options.requests);
  await using running = startLoad({ ...options, connections });
  return await running.outcome;
}
