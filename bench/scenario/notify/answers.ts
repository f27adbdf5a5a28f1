/**
 * Answers: does a server accept notifications, and call its upstream once for each? Takes a running server and its
 * upstream; returns every problem, within some seconds.
 */
import type { Problem } from "../../results/result_schema.ts";
import type { Upstream } from "../../upstream/upstream.ts";
import {
  allEnded,
  burstSize,
  each,
  type Found,
  judgeStatus,
  runSteps,
  verifyKeepAlive,
} from "../checks.ts";
import { verifyEncoding } from "../client.ts";
import type { CheckOptions, Target } from "../scenario.ts";
import { verifyUpstreamConnections } from "../upstream_checks.ts";
import {
  createNotifier,
  findMiscounted,
  judgeAccepted,
  type Notifier,
  once,
  pathOf,
  untilAnswered,
} from "./client.ts";

const timesAgain = 5;

/** What the checks of one server use. */
interface Means {
  target: Target;
  upstream: Upstream;
  /** Returns an id that was not used before. */
  freshId: () => number;
  client: Notifier;
  signal: AbortSignal;
}

/** Checks a server while its upstream works; see `verifyAnswers` of a scenario. */
export function verifyAnswers(
  target: Target,
  upstream: Upstream,
  freshId: () => number,
  options: CheckOptions,
): Promise<Problem[]> {
  const { signal } = options;
  const client = createNotifier(target.url, signal);
  const means = { target, upstream, freshId, client, signal };
  return runSteps(target, client, [
    () => verifyOne(means),
    () => verifyAgain(means),
    () => verifyBurst(means),
    () => verifyPaths(means),
    () => verifyConnections(means),
    () => verifyClientConnection(means),
  ], options);
}

async function verifyOne({ upstream, freshId, client, signal }: Means): Promise<Found[]> {
  await upstream.clearCounts();
  const id = freshId();
  const accepted = await client.notify("accepted", id);
  if (accepted !== undefined) return [accepted];
  const check = "one call for a notification";
  return [await findMiscounted(check, new Map(once([id])), upstream, signal)];
}

async function verifyAgain({ upstream, freshId, client, signal }: Means): Promise<Found[]> {
  const check = "the same id again";
  await upstream.clearCounts();
  const id = freshId();
  const found: Found[] = [];
  for (let time = 0; time < timesAgain; time++) found.push(await client.notify(check, id));
  found.push(await findMiscounted(check, new Map([[id, timesAgain]]), upstream, signal));
  return found;
}

async function verifyBurst({ upstream, freshId, client, signal }: Means): Promise<Found[]> {
  const check = `${burstSize} ids at once`;
  await upstream.clearCounts();
  const ids = Array.from({ length: burstSize }, freshId);
  const found = await allEnded(ids.map((id) => client.notify(check, id)));
  return [...found, await findMiscounted(check, new Map(once(ids)), upstream, signal)];
}

/** Checks that nothing but a POST of an id is a notification. */
async function verifyPaths({ upstream, freshId, client, signal }: Means): Promise<Found[]> {
  await upstream.clearCounts();
  const other = "GET instead of POST";
  const found = await each([
    { check: other, method: "GET", path: pathOf(freshId()) },
    { check: "path /notify", method: "POST", path: "/notify" },
    { check: "path /notify/1/2", method: "POST", path: "/notify/1/2" },
  ], async ({ check, method, path }) => {
    const reply = await client.ask(path, { method });
    return judgeStatus(check, `${method} ${path}`, reply, [404, 405]);
  });
  return [...found, await findMiscounted(other, new Map(), upstream, signal)];
}

async function verifyConnections({ upstream, freshId, client, signal }: Means): Promise<Found[]> {
  const requests = "notifications, each after the call of the one before";
  return [
    await verifyUpstreamConnections(upstream, requests, async (count) => {
      await client.ask(pathOf(freshId()), { method: "POST" });
      return await untilAnswered(upstream, count, signal);
    }),
  ];
}

async function verifyClientConnection(
  { target, freshId, client, signal }: Means,
): Promise<Found[]> {
  const [encoded, kept] = [freshId(), freshId()];
  return [
    await verifyEncoding(client, pathOf(encoded), "POST"),
    ...await verifyKeepAlive(
      target,
      pathOf(kept),
      { method: "POST", signal },
      (check, _, reply) => judgeAccepted(check, kept, reply),
    ),
  ];
}
