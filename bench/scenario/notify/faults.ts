/**
 * Faults: what does a server make of notifications while its upstream hangs, is slow, breaks off or is gone, and
 * afterwards? Takes a running server and its upstream; returns every problem. Faults are of some ids only, so that others
 * can be sent meanwhile.
 */
import { delay } from "@std/async";
import type { Problem } from "../../results/result_schema.ts";
import type { Fault, Upstream } from "../../upstream/upstream.ts";
import { allEnded, type Found } from "../checks.ts";
import { countDescriptors, judgeOpen, recoveryMs, untilClosed, untilFound } from "../left_open.ts";
import type { CheckOptions, Target } from "../scenario.ts";
import { meanwhileMs, verifyDuringFaults, whileOthersHung } from "../upstream_checks.ts";
import { arrivalMs, createNotifier, findMiscounted, never, type Notifier, once } from "./client.ts";

/** How many notifications meet each fault, at once: so many that what each leaves open is seen. */
const timesEach = 12;
const goneAtOnce = 32;
const requestsAfter = 20;

/** A call whose connection is reset is repeated by many clients, if the connection had been used before. */
const faults: { fault: Fault; isOnce: boolean }[] = [
  { fault: "hang", isOnce: true },
  { fault: "slow", isOnce: true },
  { fault: "short", isOnce: true },
  { fault: "reset", isOnce: false },
];

/** What the checks of one server use. */
interface Means {
  target: Target;
  upstream: Upstream;
  /** Returns an id that was not used before. */
  freshId: () => number;
  client: Notifier;
  signal: AbortSignal;
}

/** Checks a server during and after faults of its upstream; see `verifyFaults` of a scenario. */
export async function verifyFaults(
  target: Target,
  upstream: Upstream,
  freshId: () => number,
  options: CheckOptions,
): Promise<Problem[]> {
  const { signal } = options;
  const client = createNotifier(target.url, signal);
  const means = { target, upstream, freshId, client, signal };
  return await verifyDuringFaults(target, "notifications", {
    misbehaving: () => notifyMisbehaving(means),
    gone: () => notifyWithoutUpstream(means),
  }, options);
}

async function notifyMisbehaving(means: Means): Promise<Found[]> {
  const { target, upstream, freshId, client, signal } = means;
  const cases = faults.flatMap((fault) =>
    Array.from({ length: timesEach }, () => ({ ...fault, id: freshId() }))
  );
  const descriptorsBefore = await countDescriptors(target, upstream);
  await upstream.clearCounts();
  for (const { fault, id } of cases) await upstream.misbehave(id, fault);
  try {
    const [{ found, ids }, ...accepted] = await allEnded([
      notifyMeanwhile(means),
      ...cases.map(({ id }) => client.notify("accepted during faults", id)),
    ]);
    found.push(...accepted);
    if (target.process.exited() !== undefined) return found;
    found.push(
      await untilFound(signal, async () => judgeOpen((await upstream.counts()).open, cases.length)),
      await untilClosed({ target, upstream, signal }, descriptorsBefore, cases.length),
    );
    const calls = await upstream.callsById();
    const expected = new Map(once(ids));
    for (const { id, isOnce } of cases) {
      expected.set(id, isOnce ? 1 : Math.max(1, calls.get(id) ?? 0));
    }
    found.push(await findMiscounted("no call again", expected, upstream, signal));
    return found;
  } finally {
    await upstream.behave();
  }
}

/** Notifies of other ids while calls hang. */
async function notifyMeanwhile(
  { client, freshId }: Means,
): Promise<{ found: Found[]; ids: number[] }> {
  const ids = Array.from({ length: requestsAfter }, freshId);
  const found: Found[] = [];
  for (const id of ids) {
    const options = { timeoutMs: meanwhileMs };
    found.push(whileOthersHung(await client.notify("others meanwhile", id, options)));
  }
  return { found, ids };
}

async function notifyWithoutUpstream(means: Means): Promise<Found[]> {
  const { target, upstream, freshId, client, signal } = means;
  const found: Found[] = [];
  const lost: number[] = [];
  await upstream.stop();
  try {
    // Two waves: the first finds connections broken, the second finds none.
    for (let wave = 0; wave < 2; wave++) {
      const ids = Array.from({ length: goneAtOnce }, freshId);
      lost.push(...ids);
      found.push(...await allEnded(ids.map((id) => client.notify("upstream gone", id))));
    }
    // A call that comes late, when the upstream is back, would be taken for a second one.
    await delay(arrivalMs, { signal });
  } finally {
    await upstream.start();
  }
  if (target.process.exited() !== undefined) return found;
  const check = "upstream back";
  const arrivals = (ids: number[]) =>
    findMiscounted(check, new Map([...once(ids), ...never(lost)]), upstream, signal);
  // It has just begun to count.
  found.push(await arrivals([]));
  const first = await untilFound(signal, async () => {
    const id = freshId();
    await upstream.clearCounts();
    return await client.notify(check, id) ?? await arrivals([id]);
  });
  if (first !== undefined) {
    const came = `${first.came}, ${recoveryMs / 1000} s after the upstream had come back`;
    return [...found, { ...first, came }];
  }
  await upstream.clearCounts();
  const ids = Array.from({ length: requestsAfter }, freshId);
  for (const id of ids) found.push(await client.notify(check, id));
  return [...found, await arrivals(ids)];
}
