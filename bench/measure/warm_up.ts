/**
 * Warm-up: unmeasured requests to a fresh process before the measured ones.
 */
import { type LoadOptions, type LoadOutcome, startLoad } from "../load/oha.ts";

/** Sends exactly the warm-up requests that the options ask for; 0 for none. */
export async function warmUp(options: LoadOptions): Promise<void> {
  if (options.requests > 0) await load(options);
}

/** A subject is warm when further requests raise goodput by less than this share. */
const risesBy = 1.1;

/** How many requests {@linkcode findWarmUp} tries. */
export interface FindWarmUpOptions {
  /** In the first part; each later one doubles the total. */
  leastRequests: number;
  /** In all parts. */
  mostRequests: number;
  /** Called before each part: requests in it and after it, and the answers per second of the part before. */
  onPart?: (requests: number, later: number, rate?: number) => void;
}

/** One part of a warm-up. */
export interface WarmUpPart {
  /** From the start of the process to the end of this part. */
  requests: number;
  /** Answers per second in this part. */
  rate: number;
}

/**
 * Determines on a throwaway process how many requests warm a subject up. It always sends the maximum, in parts that
 * each double the total. Stopping at the first part that is no faster is not enough: a just-in-time compiler has
 * plateaus, and every process leaves them at a different moment.
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

/** Returns the fewest requests after which no later part was 10 % faster. */
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
