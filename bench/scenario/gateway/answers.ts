/**
 * Answers: does a gateway pass on what its upstream answers, with one call for each request? Takes a running server and
 * its upstream; returns every problem, within a second or two.
 */
import type { Problem } from "../../results/result_schema.ts";
import type { Upstream } from "../../upstream/upstream.ts";
import {
  allEnded,
  burstSize,
  type Found,
  judgeStatus,
  runSteps,
  verifyAbsent,
  verifyKeepAlive,
} from "../checks.ts";
import { type Client, verifyEncoding } from "../client.ts";
import type { CheckOptions, Target } from "../scenario.ts";
import { verifyUpstreamConnections } from "../upstream_checks.ts";
import { createGatewayClient, type GatewayClient, judgeItem, pathOf } from "./client.ts";
import type { Items } from "./items.ts";

const timesAgain = 5;

/** Checks a server while its upstream works; see `verifyAnswers` of a scenario. */
export function verifyAnswers(
  target: Target,
  upstream: Upstream,
  items: Items,
  options: CheckOptions,
): Promise<Problem[]> {
  const client = createGatewayClient(target.url, upstream, options.signal);
  return runSteps(target, client, [
    async () => [await client.check("right answer", items.fresh())],
    async () => [await client.check("missing item", items.missing())],
    async () => [await verifyEncodedId(client, items.fresh())],
    () => verifyAbsent(["/nope", "/gateway", "/gateway/1/2"], client.ask),
    () => verifyBurst(client, items),
    () => verifyCalls(client, upstream, items),
    async () => [
      await verifyUpstreamConnections(upstream, "requests, one after the other", async () => {
        await client.ask(pathOf(items.fresh()));
        return true;
      }),
    ],
    () => verifyClientConnection(target, client, items.fresh(), upstream, options.signal),
  ], options);
}

/** Asks for an id that begins with one that the upstream has; what follows is no query of the upstream's path. */
async function verifyEncodedId(client: Client, id: number): Promise<Found> {
  const path = `${pathOf(id)}%3F`;
  return judgeStatus("id with a question mark", `GET ${path}`, await client.ask(path), 404);
}

async function verifyClientConnection(
  target: Target,
  client: Client,
  id: number,
  upstream: Upstream,
  signal: AbortSignal,
): Promise<Found[]> {
  const path = pathOf(id);
  return [
    await verifyEncoding(client, path),
    ...await verifyKeepAlive(
      target,
      path,
      { signal },
      (check, _, reply) => judgeItem(check, id, reply, upstream),
    ),
  ];
}

async function verifyBurst(client: GatewayClient, items: Items): Promise<Found[]> {
  const check = `${burstSize} items at once`;
  return await allEnded(
    Array.from({ length: burstSize }, () => client.check(check, items.fresh())),
  );
}

/** Counts the calls of items that nobody has asked for before. */
async function verifyCalls(client: Client, upstream: Upstream, items: Items): Promise<Found[]> {
  await upstream.clearCounts();
  const [once, again, joined] = [items.fresh(), items.fresh(), items.fresh()];
  await client.ask(pathOf(once));
  for (let time = 0; time < timesAgain; time++) await client.ask(pathOf(again));
  await allEnded(Array.from({ length: burstSize }, () => client.ask(pathOf(joined))));
  const calls = await upstream.callsById();
  const judge = (
    check: string,
    id: number,
    expected: number,
    { sent, fewer }: { sent: string; fewer: string },
  ): Found => {
    const received = calls.get(id) ?? 0;
    if (received === expected) return undefined;
    const because = received > expected ? "calls were repeated" : fewer;
    const came = `the upstream received ${received} calls: ${because}`;
    return { check, sent: `GET ${pathOf(id)}${sent}`, came, expected: `${expected} calls` };
  };
  return [
    judge("one call for a request", once, 1, {
      sent: ", never asked for before",
      fewer: "the answer was made up",
    }),
    judge("the same item again", again, timesAgain, {
      sent: ` ${timesAgain} times in a row`,
      fewer: "answers came from a cache, or were made up",
    }),
    judge(`${burstSize} requests for one item at once`, joined, burstSize, {
      sent: ` ${burstSize} times at once`,
      fewer: "requests were joined, or answers came from a cache, or were made up",
    }),
  ];
}
