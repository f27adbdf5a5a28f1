/** Limits: beyond which of them is a load invalid? Has what all rules share; `judge.ts` lists the rules. */
import { sum } from "../lib/sum.ts";
import type { LoadFacts } from "../results/load_schema.ts";
import type { UpstreamLimit } from "../results/protocols_schema.ts";
import type { ReasonCode } from "../results/result_schema.ts";
import { mostAround } from "../scenario/statements.ts";

/** Limits beyond which a load is invalid, as in the README's table of reasons. */
export const limits = {
  /** Failures per attempted request. */
  failures: 0.001,
  /**
   * Longest time without a change of a row, of which there are fifty a second. In 74 honest loads on two busy processors, it was
   * up to 0.73 s (29 November 2026).
   */
  rowsStillSeconds: 3,
  /** Connections beyond the level's own, per attempted request. */
  reconnects: 0.001,
  /** Statements per request beyond the expected number, and executions of prepared ones. */
  queries: 0.01,
  /**
   * Those that are missing, and rows and transactions: what joined requests save. None was missing in any valid load that is
   * published (November 2026, 4,500 of them), but those of failed requests.
   */
  missing: 0.001,
  around: mostAround,
  /** Prepares per request: a statement is prepared once on each connection. */
  prepares: 0.01,
  /** Deviation of the upstream's calls from one for each request: what a cache or joined requests save. */
  calls: 0.001,
  /**
   * Connections to the upstream beyond the level's own, per request: above, one is not even used twice. Some clients keep
   * few idle ones (Bun's fetch 64, https://github.com/oven-sh/bun/issues/42608), and pay for those that they open again.
   */
  upstreamConnections: 0.5,
  /** Share of what the upstream can do by itself; above, it may bound a figure. */
  upstream: 0.7,
  /** Mean time by which the upstream answers late: a pool's limit then is 5 % lower, with calls of 100 ms. */
  upstreamLateSeconds: 0.005,
  /** Logged lines per request. */
  logLines: 0.01,
  /** Deviation of mean latency from connections divided by throughput, in a closed loop; honest loads have up to 0.6 %. */
  latencyGap: 0.05,
  /** Share of the load in which no answer came, in intervals of 250 ms. */
  silence: 0.01,
  /** Background load: share of the machine's CPU time used by processes without a role. */
  foreignCpu: 0.05,
  /** Share of the machine's CPU time that the hypervisor took. */
  steal: 0.005,
  /** Bytes swapped in or out. */
  swapping: 1024 * 1024,
  /**
   * Throughput in the first part of turns, which does not count, as a share of that in the rest, at least: a server that has
   * less holds answers back until they count. One that has just as much gains 8 %. Honest servers had 0.8 to 2.1 (29 November
   * 2026): what was in progress when they were frozen is soon done.
   */
  settling: 0.5,
  /**
   * How long the database may still work for a side that was frozen, in seconds: it is waited for, and nothing is measured
   * meanwhile. Honest statements ended within 0.1 s on two busy processors; a commit may wait for a slow disk.
   */
  ranOnSeconds: 1,
};

/**
 * Absolute allowances for what happens a few times in any load, however short: a pool opens its last connection, a
 * line is logged at the start, a kernel thread runs.
 */
export const alwaysAllowed = {
  reconnects: 10,
  statements: 64,
  prepares: 64,
  calls: 10,
  upstreamConnections: 64,
  logLines: 10,
  /** Of the load's length: connections open, and the last answers are awaited. */
  latencyGapSeconds: 0.25,
  silentSeconds: 1,
  foreignCpuSeconds: 0.25,
  /** Three ticks of the kernel's clock. */
  stealCpuSeconds: 0.03,
  /** Of a load, likewise: honest servers used up to 0.002 s while frozen, which counts as a tick where one ends meanwhile. */
  frozenCpuSeconds: 0.03,
};

/** What a load was to be, and what else is known of it. */
export interface JudgeContext {
  connections: number;
  /** How many loads are judged as one, each over as many connections of its own; 1 by default. */
  loads?: number;
  /** Most connections to the database that the subject may hold. */
  poolMax: number;
  /** Requests that were to be sent; absent for a load of a fixed time. */
  requests?: number;
  /** What the upstream can do by itself; absent where that is unknown. */
  upstreamLimit?: UpstreamLimit;
  /** What the same process answered while it was warmed up. */
  warmUp?: LoadFacts;
  /** Violations of the contract right after the load, as sentences. */
  verificationFailures?: string[];
}

export type Reason = { code: ReasonCode; message: string };

/** Counts requests that were not answered, or with a status 5xx. */
export function failedOf({ failures }: LoadFacts): number {
  return sum(Object.values(failures));
}

/** Returns a time as text. */
export function milliseconds(seconds: number, digits = 2): string {
  return `${(seconds * 1000).toFixed(digits)} ms`;
}

/** Returns a share as text, with one digit after the point. */
export function percent(share: number, digits = 1): string {
  return `${(share * 100).toFixed(digits)} %`;
}

/**
 * Returns a value as text that does not read as another beside it: with `least` digits, and up to three more where these
 * tell them apart.
 */
export function toldFrom(
  other: number,
  value: number,
  textOf: (value: number, digits: number) => string,
  least: number,
): string {
  const enough = [0, 1, 2].map((more) => least + more)
    .find((digits) => textOf(value, digits) !== textOf(other, digits));
  return textOf(value, enough ?? least + 3);
}
