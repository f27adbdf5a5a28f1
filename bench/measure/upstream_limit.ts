/**
 * Upstream limit: what can the upstream do by itself on this machine? Takes a running upstream; returns the calls per
 * second up to which it is late by at most 5 ms at p99. A load that comes near them would measure the upstream.
 */
import { join } from "@std/path";
import { formatInteger } from "../lib/format_integer.ts";
import { countFailed } from "../load/oha_output.ts";
import { startLoad } from "../load/oha.ts";
import type { UpstreamLimit } from "../results/protocols_schema.ts";
import { rateSweepPlans } from "../results/profiles.ts";
import { offeredRates } from "../results/rate_sweep.ts";
import type { Upstream } from "../upstream/upstream.ts";
import { watchMachine } from "../machine/window.ts";
import { disturbanceOf } from "./judge_machine.ts";
import { measureAgain } from "./measure_again.ts";
import { startBar } from "./progress.ts";
import type { LoadSession } from "./session.ts";
import { requestTimeoutSeconds } from "../results/unanswered.ts";

/** How late one answer in a hundred may be, beyond what it is near idle. */
const mostLateSeconds = 0.005;
/**
 * What the upstream is offered, from near idle up; around its limit, there are rates between. The control makes up to
 * 50,000 calls a second on two processors, more than 70 % of 64,000.
 */
const allRates = [2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 128_000];
/** The ratio of neighbours around the limit is at most this, as in rate sweeps. */
const { stepRatio } = rateSweepPlans.full;
/** Over which calls come. */
export const limitConnections = 100;
const loadSeconds = 1.5;
/** The first part of a load, in which connections open and the generator starts: it does not count. */
const settleSeconds = 0.5;
const ids = 1_000;
/** How often a load that the machine disturbed is repeated: a limit that is too low makes other loads invalid. */
const usualRepeats = 3;

type LimitSession = Pick<LoadSession, "oha" | "folder" | "signal" | "report" | "mostRepeats">;

/** Measures it, up to the first of the rates that is answered late, and then between it and the one before. */
export async function measureUpstreamLimit(
  upstream: Upstream,
  session: LimitSession,
  ratesPerSecond: readonly number[] = allRates,
): Promise<UpstreamLimit> {
  using bar = startBar(session.report);
  bar.step("what the upstream can do", 0, ratesPerSecond.length * loadSeconds);
  const callsPerSecond = await highestInTime(
    ratesPerSecond,
    (ratePerSecond) => lateness(upstream, session, ratePerSecond),
  );
  bar.end();
  return { callsPerSecond };
}

/**
 * Returns the last number before the first that is late twice in a row, beyond what the first one is: near idle, load
 * generator and machine are late by themselves. Between these two, it then climbs in fine steps.
 */
export async function highestInTime(
  numbers: readonly number[],
  latenessOf: (number: number) => Promise<number>,
): Promise<number> {
  const [idle = 0, ...others] = numbers;
  const most = await latenessOf(idle) + mostLateSeconds;
  const isLate = async (number: number) => {
    const seconds = await latenessOf(number);
    // Where nothing is answered near idle, nothing is in time.
    return seconds > most || seconds === Infinity;
  };
  const firstLate = async (numbers: readonly number[]): Promise<number | undefined> => {
    for (const number of numbers) {
      // Once may be the machine's fault.
      if (await isLate(number) && await isLate(number)) return number;
    }
  };
  const before = (numbers: readonly number[], late: number | undefined) =>
    numbers.findLast((number) => late === undefined || number < late) ?? idle;
  const late = await firstLate(others);
  const highest = before(others, late);
  if (late === undefined) return highest;
  const between = offeredRates({ ratesPerSecond: [highest, late], stepRatio }).slice(1, -1);
  return before([highest, ...between], await firstLate(between));
}

/** Returns by how much one answer in a hundred is later than its call was due, in seconds; failures are never in time. */
async function lateness(
  upstream: Upstream,
  session: LimitSession,
  ratePerSecond: number,
): Promise<number> {
  const { seconds } = await measureAgain(
    async () => {
      const endWindow = watchMachine();
      const seconds = await latenessOnce(upstream, session, ratePerSecond);
      // The load generator has ended: its time is that of whoever waited for it.
      return { seconds, machine: endWindow(new Set([Deno.pid, upstream.pid])) };
    },
    {
      session,
      usualRepeats,
      title: `What the upstream can do, ${formatInteger(ratePerSecond)} calls per second`,
      why: ({ machine }) => disturbanceOf(machine),
    },
  );
  return seconds;
}

async function latenessOnce(
  upstream: Upstream,
  { oha, folder, signal }: LimitSession,
  ratePerSecond: number,
): Promise<number> {
  const requestsPath = join(folder, "upstream-requests.jsonl");
  const lines = Array.from({ length: ids }, (_, id) => `{"path":"/items/${id * 100}"}\n`);
  await Deno.writeTextFile(requestsPath, lines.join(""));
  await using running = startLoad({
    ohaPath: oha.path,
    url: upstream.url,
    requestsPath,
    folder,
    signal,
    ratePerSecond,
    connections: limitConnections,
    firstLine: 0,
    seconds: loadSeconds,
    requestTimeoutSeconds,
  });
  const { responses, errors } = await running.outcome;
  const { startSeconds, endSeconds } = responses;
  const due = responses.dueSeconds ?? startSeconds;
  const late = endSeconds.map((end, index) => end - due[index]!)
    .filter((_, index) => due[index]! >= settleSeconds).sort();
  const failed = countFailed({ errors });
  const offered = ratePerSecond * (loadSeconds - settleSeconds);
  const missing = Math.max(failed, offered - late.length);
  return missing > late.length / 100 ? Infinity : late[Math.floor(0.99 * late.length)] ?? Infinity;
}
