/**
 * Warm-up: unmeasured requests to a fresh process before the measured ones. Their answers are judged like all others.
 */
import type { Target } from "../scenario/scenario.ts";
import type { Observation } from "../results/result_schema.ts";
import { beginLoad, type BeginOptions } from "./load.ts";

/** Options for {@linkcode warmUp}. */
export interface WarmUpOptions extends Omit<BeginOptions, "amount"> {
  /** 0 for none. */
  requests: number;
}

/** Sends exactly so many requests, and returns what was seen; undefined where none were sent. */
export async function warmUp(
  subject: Target,
  { requests, ...options }: WarmUpOptions,
): Promise<Observation | undefined> {
  if (requests === 0) return undefined;
  const connections = Math.min(options.connections, requests);
  await using load = await beginLoad(subject, { ...options, connections, amount: { requests } });
  return (await load.finish()).observation;
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
  subject: Target,
  options: Omit<WarmUpOptions, "requests">,
  { leastRequests, mostRequests, onPart }: FindWarmUpOptions,
): Promise<number> {
  const parts: WarmUpPart[] = [];
  let sent = 0;
  while (sent < mostRequests) {
    const requests = Math.min(sent === 0 ? leastRequests : sent, mostRequests - sent);
    onPart?.(requests, mostRequests - sent - requests, parts.at(-1)?.rate);
    const seen = await warmUp(subject, { ...options, requests });
    sent += requests;
    parts.push({
      requests: sent,
      rate: seen === undefined ? 0 : seen.correct / seen.durationSeconds,
    });
  }
  return enoughRequests(parts);
}

/** Returns the fewest requests after which no later part was 10 % faster. */
export function enoughRequests(parts: WarmUpPart[]): number {
  const isEnough = ({ rate }: WarmUpPart, index: number) =>
    parts.slice(index + 1).every((later) => later.rate < risesBy * rate);
  return parts.find(isEnough)?.requests ?? 0;
}
