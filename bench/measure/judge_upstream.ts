/**
 * Judge the upstream: was each request one call, over kept connections, did nobody else command the upstream, and had it
 * to spare?
 */
import { formatInteger } from "../lib/format_integer.ts";
import type { Calls, LoadFacts } from "../results/load_schema.ts";
import {
  alwaysAllowed,
  failedOf,
  type JudgeContext,
  limits,
  milliseconds,
  percent,
  type Reason,
  toldFrom,
} from "./limits.ts";

/** Each request is to be one call of the upstream, over connections that are kept, and answered as usual. */
export function judgeCalls(
  load: LoadFacts,
  { connections, loads = 1 }: Pick<JudgeContext, "connections" | "loads">,
): Reason[] {
  const { attempted, calls } = load;
  if (calls === undefined) return [];
  const reasons: Reason[] = [];
  const failed = failedOf(load);
  const allowed = Math.max(limits.calls * attempted, alwaysAllowed.calls) + failed;
  if (Math.abs(calls.received - attempted) > allowed) {
    const [received, asked, within] = [calls.received, attempted, allowed].map(formatInteger);
    const because = calls.received < attempted
      ? "answers came from a cache, were shared by requests that were joined, or were made up"
      : "calls were repeated";
    reasons.push({
      code: "upstream-calls",
      message:
        `the upstream received ${received} calls for ${asked} requests, expected one for each ` +
        `(within ${within}): ${because}`,
    });
  }
  // Clients close connections that were idle: a server that was frozen between two loads may open all of them again.
  const most = connections * loads + failed +
    Math.max(limits.upstreamConnections * attempted, alwaysAllowed.upstreamConnections);
  if (calls.connectionsOpened > most) {
    const [opened, asked, expected] = [calls.connectionsOpened, attempted, most].map(formatInteger);
    reasons.push({
      code: "upstream-connections",
      message: `${opened} connections to the upstream were opened for ${asked} requests, ` +
        `expected at most ${expected}: they were not kept alive`,
    });
  }
  const { faults = 0 } = calls;
  if (faults > 0) {
    const often = faults === 1 ? "once" : `${formatInteger(faults)} times`;
    reasons.push({
      code: "upstream-faults",
      message: `the upstream was told ${often} to answer wrongly while the load ran, expected ` +
        "never: something other than the harness did it",
    });
  }
  return reasons;
}

/** The upstream must have had to spare, or it is what was measured. */
export function judgeUpstream(
  calls: Calls | undefined,
  { attempted, durationSeconds }: { attempted: number; durationSeconds: number },
  { upstreamLimit }: Pick<JudgeContext, "upstreamLimit">,
): Reason[] {
  if (calls === undefined) return [];
  const found: string[] = [];
  const perSecond = attempted / durationSeconds;
  if (upstreamLimit !== undefined && perSecond > limits.upstream * upstreamLimit.callsPerSecond) {
    found.push(
      `had ${formatInteger(perSecond)} calls per second, expected at most ` +
        `${percent(limits.upstream)} of the ${formatInteger(upstreamLimit.callsPerSecond)} that ` +
        "it can answer by itself",
    );
  }
  const late = (calls.lateSeconds ?? 0) / Math.max(1, calls.answered);
  if (late > limits.upstreamLateSeconds) {
    const most = limits.upstreamLateSeconds;
    const is = toldFrom(most, late, milliseconds, 2);
    found.push(`answered ${is} late on average, expected at most ${milliseconds(most)}`);
  }
  return found.map((what) => ({
    code: "upstream-limit",
    message: `the upstream ${what}: the load may have measured the upstream`,
  }));
}
