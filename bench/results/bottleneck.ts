/**
 * Bottleneck: what bounds a level? Takes its observation and the null server's goodput; returns the part that would
 * have to become cheaper, or larger, for goodput to rise, with the evidence, or "undecided". The README states the
 * rule.
 */
import { formatInteger } from "../lib/format_integer.ts";
import {
  ceilingAt,
  generatorBoundShare,
  isColdBound,
  levelAt,
  outcomeOf,
  reachesCeiling,
} from "./outcome.ts";
import type { Ceiling, Frame } from "./protocols_schema.ts";
import type { Resources, Role } from "./resources_schema.ts";
import type { Observation, Result } from "./result_schema.ts";

/** Thresholds of the rule. */
export const lines = {
  /** Share of the null server's goodput from which the load generator is the bottleneck. */
  generatorBound: generatorBoundShare,
  /** Share of the time from which a thread is saturated: that it ran or, where processors are idle, was ready to run. */
  busyThread: 0.90,
  /** Share of the machine's CPU time from which its processors are busy. */
  busyMachine: 0.90,
  /** Factor by which the largest part's CPU time must exceed the next one's. */
  standsOut: 1.25,
  /** Share of the connections, of a pool or a level, from which requests in progress count as many. */
  atWork: 0.50,
};

/** What the rule looks at. */
export interface LevelFacts {
  connections: number;
  poolMax: number;
  goodputPerSecond: number;
  observation: Pick<Observation, "durationSeconds" | "queries" | "resources">;
  /** Of this level, in the same job. */
  ceiling: Pick<Ceiling, "goodputPerSecond" | "lowPerSecond">;
}

/** The result of one step of the rule; undefined where the step does not match. */
type Finding = Pick<Frame, "bottleneck" | "because"> | undefined;

/** Returns the bottleneck of a level: the first matching step of the rule decides. */
export function frameOf(facts: LevelFacts): Frame {
  const shareOfCeiling = facts.goodputPerSecond / facts.ceiling.goodputPerSecond;
  const isGeneratorBound = reachesCeiling(facts.goodputPerSecond, facts.ceiling);
  const finding = isGeneratorBound ? generatorBound(facts) : findInResources(facts);
  return { shareOfCeiling, isGeneratorBound, ...finding };
}

/**
 * Returns the bottleneck of a level of a whole result; undefined where it was not looked for. Right after the level, only
 * the null server tells what the load generator can do; where the comparison then showed that it can do more, that counts.
 */
export function frameAt(result: Result, connections: number): Frame | undefined {
  const level = levelAt(result, connections);
  const [outcome, ceiling] = [level && outcomeOf(level), ceilingAt(result, connections)];
  const frame = level?.frame;
  if (frame === undefined || !frame.isGeneratorBound || isColdBound(result, connections)) {
    return frame;
  }
  if (outcome === undefined || "missing" in outcome || ceiling === undefined) return frame;
  const { figures: { goodputPerSecond }, observation } = outcome.value;
  return frameOf({
    connections,
    poolMax: result.plan.poolMax,
    goodputPerSecond,
    observation,
    ceiling,
  });
}

function generatorBound({ goodputPerSecond, ceiling }: LevelFacts): NonNullable<Finding> {
  const most = goodputPerSecond / ceiling.lowPerSecond;
  const isSure = goodputPerSecond >= lines.generatorBound * ceiling.goodputPerSecond;
  return {
    bottleneck: "generator",
    because: `goodput is ${percent(goodputPerSecond / ceiling.goodputPerSecond)} of the null ` +
      `server's, ${isSure ? "" : `or up to ${percent(most)} by its interval, `}` +
      `${percent(lines.generatorBound)} or more`,
  };
}

function findInResources(facts: LevelFacts): NonNullable<Finding> {
  const { resources } = facts.observation;
  if (resources === undefined) {
    return {
      bottleneck: "undecided",
      because: "the system does not report who used the processors",
    };
  }
  const use = useOf(resources, facts);
  return findBusyThread(use, "subject") ?? findBusyThread(use, "generator") ??
    findBusyThread(use, "upstream") ??
    findInBusyMachine(use) ?? findReadyThread(use, "subject") ??
    findReadyThread(use, "generator") ?? findReadyThread(use, "upstream") ??
    findPool(use, facts) ?? findBusyThread(use, "database") ??
    findWaitingDatabase(use, facts) ??
    { bottleneck: "undecided", because: `${describe(use)}, and no part stands out` };
}

type Part = "subject" | "database" | "upstream" | "generator";
const names: Record<Part, string> = {
  subject: "the implementation",
  database: "the database",
  upstream: "the upstream",
  generator: "the load generator",
};

/** Who used the processors: each figure is a mean number of processors over the load. */
interface Use {
  parts: Record<Part, {
    processors: number;
    busiestThread: number;
    /** The share of the time for which that thread was ready, and waited for a processor. */
    waiting: number;
  }>;
  /**
   * "guessed": the process is not visible; its CPU time is at most what no other part used, its threads are unknown.
   */
  database: "known" | "guessed" | "none";
  hasUpstream: boolean;
  /** The harness: it watches the load. */
  harness: number;
  /** CPU time of no part and not of the harness: other programs, and the kernel. */
  others: number;
  /** Share of the processors, steal time excluded, that was not idle. */
  busyShare: number;
}

function useOf(resources: Resources, { observation }: LevelFacts): Use {
  const { subject, database, upstream, generator, harness, machine } = resources;
  const seconds = observation.durationSeconds;
  const had = machine.capacityCpuSeconds - machine.stealCpuSeconds;
  const rest = had - machine.idleCpuSeconds - subject.cpuSeconds - generator.cpuSeconds -
    harness.cpuSeconds - (upstream?.cpuSeconds ?? 0);
  const use = (
    role: Pick<Role, "cpuSeconds" | "busiestThreadCpuSeconds" | "busiestThreadWaitSeconds">,
  ) => ({
    processors: role.cpuSeconds / seconds,
    busiestThread: role.busiestThreadCpuSeconds / seconds,
    waiting: (role.busiestThreadWaitSeconds ?? 0) / seconds,
  });
  const isGuessed = database === undefined && observation.queries !== undefined;
  const guess = { cpuSeconds: isGuessed ? Math.max(0, rest) : 0, busiestThreadCpuSeconds: 0 };
  const ofDatabase = database ?? guess;
  const ofUpstream = upstream ?? { cpuSeconds: 0, busiestThreadCpuSeconds: 0 };
  return {
    parts: {
      subject: use(subject),
      database: use(ofDatabase),
      upstream: use(ofUpstream),
      generator: use(generator),
    },
    hasUpstream: upstream !== undefined,
    database: database !== undefined ? "known" : isGuessed ? "guessed" : "none",
    harness: harness.cpuSeconds / seconds,
    others: Math.max(0, rest - ofDatabase.cpuSeconds) / seconds,
    busyShare: 1 - machine.idleCpuSeconds / had,
  };
}

/** A saturated thread, like an event loop's, bounds its process while processors are idle. */
function findBusyThread({ parts }: Use, part: Part): Finding {
  const busiest = parts[part].busiestThread;
  if (busiest < lines.busyThread) return undefined;
  return {
    bottleneck: part,
    because: `one thread of ${names[part]} used ${percent(busiest)} of a processor`,
  };
}

/**
 * Processors are idle now and then, and a thread hardly ever is: whenever it does not run, it is ready to. An event loop
 * whose processor also serves others is saturated like that.
 */
function findReadyThread({ parts }: Use, part: Part): Finding {
  const { busiestThread, waiting } = parts[part];
  if (busiestThread + waiting < lines.busyThread) return undefined;
  return {
    bottleneck: part,
    because:
      `one thread of ${names[part]} used ${percent(busiestThread)} of a processor, and was ` +
      `ready and waiting for one ${percent(waiting)} of the time`,
  };
}

/** All processors are busy: the part that clearly uses the most CPU time, more than other programs and the kernel, too. */
function findInBusyMachine(use: Use): Finding {
  if (use.busyShare < lines.busyMachine) return undefined;
  const [most, next] = (["subject", "database", "upstream", "generator"] as const)
    .map((part) => ({ part, processors: use.parts[part].processors }))
    .sort((a, b) => b.processors - a.processors);
  const beside = Math.max(next!.processors, use.others);
  const standsOut = most!.processors >= lines.standsOut * beside;
  const isKnown = most!.part !== "database" || use.database === "known";
  return standsOut && isKnown
    ? { bottleneck: most!.part, because: describe(use) }
    : { bottleneck: "undecided", because: `${describe(use)}: no part clearly used the most` };
}

/** Processors are idle, requests outnumber the pool, and the pool is full: requests wait for a connection. */
function findPool(
  use: Use,
  { connections, poolMax, observation: { queries } }: LevelFacts,
): Finding {
  if (connections <= poolMax || (queries?.peakConnections ?? 0) < poolMax) return undefined;
  const onProcessors = use.parts.subject.processors +
    (use.database === "guessed" ? 0 : use.parts.database.processors);
  const atWork = Math.max(queries?.meanRunning ?? 0, onProcessors);
  if (atWork < lines.atWork * poolMax) return undefined;
  return {
    bottleneck: "pool",
    because: `${describe(use)}, and ${atWork.toFixed(1)} of ${formatInteger(connections)} ` +
      `concurrent requests were in progress over ${poolMax} database connections`,
  };
}

/** Processors are idle, and most requests are waiting inside the database. */
function findWaitingDatabase(
  use: Use,
  { connections, poolMax, observation: { queries } }: LevelFacts,
): Finding {
  const { meanRunning = 0 } = queries ?? {};
  if (meanRunning < lines.atWork * Math.min(connections, poolMax)) return undefined;
  return {
    bottleneck: "database",
    because: `${describe(use)}, and ${meanRunning.toFixed(1)} statements of ` +
      `${formatInteger(connections)} concurrent requests were in execution`,
  };
}

function describe({ parts, database, hasUpstream, harness, others, busyShare }: Use): string {
  const ofDatabase = `${parts.database.processors.toFixed(2)} with the database`;
  const shares = [
    `${parts.subject.processors.toFixed(2)} of them with the implementation`,
    ...(database === "none" ? [] : [`${database === "guessed" ? "at most " : ""}${ofDatabase}`]),
    ...(hasUpstream ? [`${parts.upstream.processors.toFixed(2)} with the upstream`] : []),
    `${parts.generator.processors.toFixed(2)} with the load generator`,
    `${harness.toFixed(2)} with the harness`,
    ...(database === "guessed" ? [] : [`${others.toFixed(2)} with others`]),
  ];
  return `the processors were ${percent(busyShare)} busy: ${shares.join(", ")}`;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
