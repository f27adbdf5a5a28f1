/**
 * Faults: what does a gateway do while its upstream hangs, is slow, breaks off or is gone, and afterwards? Takes a
 * running server and its upstream; returns every problem. Faults are of some ids only, so that others can be asked for
 * meanwhile.
 */
import { delay } from "@std/async";
import type { Problem } from "../../results/result_schema.ts";
import type { Fault, Upstream } from "../../upstream/upstream.ts";
import { allEnded, type Found, judgeServerError, type Reply } from "../checks.ts";
import { countDescriptors, judgeOpen, recoveryMs, untilClosed, untilFound } from "../left_open.ts";
import type { CheckOptions, Target } from "../scenario.ts";
import { meanwhileMs, verifyDuringFaults, whileOthersHung } from "../upstream_checks.ts";
import { createGatewayClient, type GatewayClient, judgeItem, pathOf } from "./client.ts";
import type { Items } from "./items.ts";

/** How many requests meet each fault, at once: so many that what each leaves open is seen. */
const timesEach = 12;
const goneAtOnce = 32;
const requestsAfter = 20;

/** Checks a server during and after faults of its upstream; see `verifyFaults` of a scenario. */
export async function verifyFaults(
  target: Target,
  upstream: Upstream,
  items: Items,
  options: CheckOptions,
): Promise<Problem[]> {
  const { signal } = options;
  const client = createGatewayClient(target.url, upstream, signal);
  const means = { target, upstream, items, client, signal };
  return await verifyDuringFaults(target, "requests", {
    misbehaving: async () => [await askKnown(means), ...await askMisbehaving(means)],
    gone: () => askWithoutUpstream(means),
  }, options);
}

/** What the checks of one server use. */
interface Means {
  target: Target;
  upstream: Upstream;
  items: Items;
  client: GatewayClient;
  signal: AbortSignal;
}

/** What is right where the call of an id meets a fault. */
const faults: Record<Fault, { check: string; statuses: number[]; others: ("right" | "cut")[] }> = {
  hang: { check: "upstream hangs", statuses: [502, 504], others: [] },
  slow: { check: "upstream is slow", statuses: [502, 504], others: ["right", "cut"] },
  reset: { check: "upstream resets", statuses: [502], others: [] },
  short: { check: "upstream ends too soon", statuses: [502], others: ["cut"] },
};

/** Asks for an item once more while its call fails: an answer from memory would be right, although it was called. */
async function askKnown({ upstream, items, client }: Means): Promise<Found> {
  const id = items.fresh();
  const fault: Fault = "reset";
  const problem = await client.check(faults[fault].check, id);
  if (problem !== undefined) return problem;
  await upstream.misbehave(id, fault);
  try {
    return judgeFaulty(fault, id, await client.ask(pathOf(id)), upstream);
  } finally {
    await upstream.behave();
  }
}

async function askMisbehaving(means: Means): Promise<Found[]> {
  const { target, upstream, items, client, signal } = means;
  const names = Object.keys(faults) as Fault[];
  const cases = names.flatMap((fault) =>
    Array.from({ length: timesEach }, () => ({ fault, id: items.fresh() }))
  );
  const descriptorsBefore = await countDescriptors(target, upstream);
  for (const { fault, id } of cases) await upstream.misbehave(id, fault);
  try {
    const asked = cases.map(async ({ fault, id }) =>
      judgeFaulty(fault, id, await client.ask(pathOf(id)), upstream)
    );
    const found = (await allEnded([...asked, askMeanwhile(means)])).flat();
    if (target.process.exited() !== undefined) return found;
    await upstream.behave();
    found.push(
      await untilRight(
        means,
        "recovery from faults",
        cases.map(({ id }) => id),
        "the faults had ended",
      ),
      await untilFound(
        signal,
        async () => judgeOpen((await upstream.counts()).open, cases.length),
      ),
      await untilClosed(means, descriptorsBefore, cases.length),
    );
    return found;
  } finally {
    await upstream.behave();
  }
}

function judgeFaulty(fault: Fault, id: number, reply: Reply, upstream: Upstream): Found {
  const { check, statuses, others } = faults[fault];
  const sent = `GET ${pathOf(id)}, whose call ${check.replace("upstream ", "")}`;
  const isCut = reply.kind === "failure" && reply.reason === "connection lost";
  if (others.includes("cut") && isCut) return undefined;
  const problem = judgeItem(check, id, reply, upstream);
  if (others.includes("right") && problem === undefined) return undefined;
  if (problem === undefined) {
    const came = "the right answer, which its call did not have";
    return { check, sent, came, expected: statuses.join(" or ") };
  }
  return judgeServerError(check, sent, reply, statuses);
}

/** Asks for other items while calls hang. */
async function askMeanwhile({ client, items }: Means): Promise<Found[]> {
  const check = "others meanwhile";
  const found: Found[] = [];
  for (let count = 0; count < requestsAfter; count++) {
    const options = { timeoutMs: meanwhileMs };
    found.push(whileOthersHung(await client.check(check, items.fresh(), options)));
  }
  return found;
}

async function askWithoutUpstream(means: Means): Promise<Found[]> {
  const { target, upstream, items, client } = means;
  const descriptorsBefore = await countDescriptors(target, upstream);
  const found: Found[] = [];
  const inProgress = await beginCalls(means);
  await upstream.stop();
  try {
    for (const { sent, reply } of inProgress) {
      found.push(judgeServerError("upstream dies", sent, await reply, 502));
    }
    // Two waves: the first finds connections broken, the second finds none.
    for (let wave = 0; wave < 2; wave++) {
      const asked = Array.from({ length: goneAtOnce }, async () => {
        const path = pathOf(items.fresh());
        const sent = `GET ${path}, the upstream gone`;
        return judgeServerError("upstream gone", sent, await client.ask(path), 502);
      });
      found.push(...await allEnded(asked));
    }
  } finally {
    await upstream.start();
  }
  if (target.process.exited() !== undefined) return found;
  const ids = Array.from({ length: requestsAfter }, () => items.fresh());
  found.push(
    await untilRight(means, "upstream back", ids, "the upstream had come back"),
    await untilClosed(means, descriptorsBefore, 2 * goneAtOnce),
  );
  return found;
}

/** Begins requests whose calls are in progress when this returns, and hang. */
async function beginCalls(
  { client, upstream, items, signal }: Means,
): Promise<{ sent: string; reply: Promise<Reply> }[]> {
  const ids = Array.from({ length: timesEach }, () => items.fresh());
  for (const id of ids) await upstream.misbehave(id, "hang");
  const inProgress = ids.map((id) => ({
    sent: `GET ${pathOf(id)}, whose call was in progress when the upstream died`,
    reply: client.ask(pathOf(id)),
  }));
  // Whoever awaits one of them later sees how it failed.
  for (const { reply } of inProgress) reply.catch(() => {});
  const deadline = performance.now() + meanwhileMs;
  while ((await upstream.counts()).open < ids.length && performance.now() < deadline) {
    await delay(5, { signal });
  }
  return inProgress;
}

/** Asks until the first item is right again, for 10 s at most; from then on, every answer must be right. */
async function untilRight(
  { client, signal }: Means,
  check: string,
  ids: number[],
  since: string,
): Promise<Found> {
  const problem = await untilFound(signal, () => client.check(check, ids[0]!));
  if (problem !== undefined) {
    return { ...problem, came: `${problem.came}, ${recoveryMs / 1000} s after ${since}` };
  }
  for (const id of ids) {
    const problem = await client.check(check, id);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
