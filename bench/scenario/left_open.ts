/** What a server leaves open where its upstream has failed: calls and file descriptors. Gateways and notifiers share it. */
import { delay } from "@std/async";
import { formatInteger } from "../lib/format_integer.ts";
import { processTree } from "../lib/process_tree.ts";
import { sum } from "../lib/sum.ts";
import { descriptorCount } from "../machine/proc.ts";
import type { Upstream } from "../upstream/upstream.ts";
import type { Found } from "./checks.ts";
import type { Target } from "./scenario.ts";

/** How long a server may take to be well again. */
export const recoveryMs = 10_000;
/** Descriptors that a server may open meanwhile for something else. */
const allowedDescriptors = 8;

/** Repeats a check until it finds no problem, for 10 s at most. */
export async function untilFound(
  signal: AbortSignal,
  check: () => Found | Promise<Found>,
): Promise<Found> {
  const deadline = performance.now() + recoveryMs;
  while (true) {
    const problem = await check();
    if (problem === undefined || performance.now() > deadline) return problem;
    await delay(250, { signal });
  }
}

/** Returns a problem if the upstream still has open calls. */
export function judgeOpen(open: number, faults: number): Found {
  if (open === 0) return undefined;
  return {
    check: "calls left open",
    sent: `${faults} requests whose calls met faults`,
    came: `${open} calls are still open ${recoveryMs / 1000} s after the last answer`,
    expected: "none: a call that is given up is closed",
  };
}

/** Returns a problem if more file descriptors are open than before; without `/proc`, nothing is known. */
function judgeDescriptors(
  before: number | undefined,
  after: number | undefined,
  faults: number,
): Found {
  if (before === undefined || after === undefined || after <= before + allowedDescriptors) {
    return undefined;
  }
  const [now, then] = [after, before].map(formatInteger);
  return {
    check: "descriptors left open",
    sent: `${faults} requests whose calls met faults`,
    came: `${now} file descriptors are open besides calls, ${then} before`,
    expected: `at most ${allowedDescriptors} more`,
  };
}

/** Returns how many descriptors are open, without the connections to the upstream, which a pool may keep. */
export async function countDescriptors(
  { process }: Target,
  upstream: Upstream,
): Promise<number | undefined> {
  const counts = processTree(process.pid).flatMap((pid) => descriptorCount(pid) ?? []);
  if (counts.length === 0) return undefined;
  const { openConnections } = await upstream.counts();
  return sum(counts) - openConnections;
}

/** Waits until hardly more descriptors are open than before so many faults, for 10 s at most. */
export async function untilClosed(
  { target, upstream, signal }: { target: Target; upstream: Upstream; signal: AbortSignal },
  before: number | undefined,
  faults: number,
): Promise<Found> {
  return await untilFound(
    signal,
    async () => judgeDescriptors(before, await countDescriptors(target, upstream), faults),
  );
}
