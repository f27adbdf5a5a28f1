/** Client: notifies a server of ids, and tells how often each call arrived at its upstream. */
import { delay } from "@std/async";
import type { Problem } from "../../results/result_schema.ts";
import type { Upstream } from "../../upstream/upstream.ts";
import { type Found, judgeStatus, type Reply } from "../checks.ts";
import { type AskOptions, type Client, createClient } from "../client.ts";

/** How long a call may take to arrive after its notification was accepted. */
export const arrivalMs = 2_000;
/** How long to wait for a call too many. */
const surplusMs = 300;

/** Returns the path that notifies of an id. */
export function pathOf(id: number): string {
  return `/notify/${id}`;
}

/** Returns a problem if a notification was not accepted. */
export function judgeAccepted(check: string, id: number, reply: Reply): Found {
  return judgeStatus(check, `POST ${pathOf(id)}`, reply, 202);
}

/** Notifies one server. */
export interface Notifier extends Client {
  /** Notifies of an id, and returns what is wrong with the answer. */
  notify(check: string, id: number, options?: AskOptions): Promise<Found>;
}

/** Returns a notifier of the server at `url`. */
export function createNotifier(url: string, signal: AbortSignal): Notifier {
  const client = createClient(url, signal);
  return Object.assign(client, {
    notify: async (check: string, id: number, options?: AskOptions) =>
      judgeAccepted(check, id, await client.ask(pathOf(id), { ...options, method: "POST" })),
  });
}

/** How many calls of each id the upstream is to receive, and of no other. */
export type Expected = ReadonlyMap<number, number>;

/** Expects one call of each id. */
export function once(ids: number[]): [number, number][] {
  return ids.map((id) => [id, 1]);
}

/** Expects no call of these ids. */
export function never(ids: number[]): [number, number][] {
  return ids.map((id) => [id, 0]);
}

/**
 * Waits until the calls of these ids have arrived, for 2 s at most, and a moment more for one too many. Returns the first
 * id whose calls are not so many; the upstream's counts begin where they were cleared.
 */
export async function findMiscounted(
  check: string,
  expected: Expected,
  upstream: Upstream,
  signal: AbortSignal,
): Promise<Found> {
  const deadline = performance.now() + arrivalMs;
  let calls = await upstream.callsById();
  while (isLacking(calls, expected) && performance.now() < deadline) {
    await delay(20, { signal });
    calls = await upstream.callsById();
  }
  await delay(surplusMs, { signal });
  return judgeCalls(check, expected, await upstream.callsById());
}

/** Waits until the upstream has answered so many calls since its counts were cleared, and tells if that took up to 2 s. */
export async function untilAnswered(
  upstream: Upstream,
  calls: number,
  signal: AbortSignal,
): Promise<boolean> {
  const deadline = performance.now() + arrivalMs;
  while ((await upstream.counts()).answered < calls) {
    if (performance.now() > deadline) return false;
    await delay(10, { signal });
  }
  return true;
}

function isLacking(calls: Map<number, number>, expected: Expected): boolean {
  return [...expected].some(([id, count]) => (calls.get(id) ?? 0) < count);
}

function judgeCalls(check: string, expected: Expected, calls: Map<number, number>): Found {
  for (const [id, count] of expected) {
    const received = calls.get(id) ?? 0;
    if (received === count) continue;
    const because = received > count
      ? "calls were repeated, or made later"
      : "notifications were lost, joined, or kept back";
    const sent = `POST ${pathOf(id)}${count > 1 ? ` ${count} times` : ""}`;
    return miscounted(check, sent, `${received} of ${id}: ${because}`, count);
  }
  for (const [id, received] of calls) {
    if (expected.has(id)) continue;
    return miscounted(check, `no POST ${pathOf(id)}`, `${received} of ${id}`, 0);
  }
  return undefined;
}

function miscounted(check: string, sent: string, calls: string, expected: number): Problem {
  const came = `the upstream received calls: ${calls}`;
  return { check, sent, came, expected: `${expected}` };
}
