/**
 * Bottleneck: what bounds a level? Takes what was observed at it, and how fast the load generator is with a
 * server that does nothing; gives the part that would have to become cheaper, or larger, for goodput to rise,
 * with the figures that say so. Where none stands out, it is undecided. The README states the rule.
 */
import { generatorBoundShare } from "../results/outcome.ts";
import type { Observation, Resources } from "../results/result_schema.ts";
import type { Ceiling, Frame } from "../results/protocols_schema.ts";

/** Where the rule draws its lines. */
export const lines = {
  /** Of the null server's goodput: from here on, the load generator bounds. */
  generatorBound: generatorBoundShare,
  /** Of one processor: a thread that can do no more. */
  busyThread: 0.90,
  /** Of the processor time that the machine had: there is none to wait for. */
  busyMachine: 0.90,
  /** The largest part's processor time over the next one's: it stands out. */
  standsOut: 1.25,
  /** Of the connections of a pool, or of a level: so many requests were at work at once. */
  atWork: 0.50,
};

/** What is known of a level. */
export interface LevelFacts {
  connections: number;
  poolMax: number;
  goodputPerSecond: number;
  observation: Pick<Observation, "durationSeconds" | "queries" | "resources">;
  /** Of this level, in the same job. */
  ceiling: Pick<Ceiling, "goodputPerSecond">;
}

/** What one step of the rule found; undefined where it says nothing. */
type Finding = Pick<Frame, "bottleneck" | "because"> | undefined;

/** Gives the frame of a level: the first step of the rule that says something decides. */
export function frameOf(facts: LevelFacts): Frame {
  const shareOfCeiling = facts.goodputPerSecond / facts.ceiling.goodputPerSecond;
  const isGeneratorBound = shareOfCeiling >= lines.generatorBound;
  const finding = findGeneratorBound(shareOfCeiling) ?? findInResources(facts);
  return { shareOfCeiling, isGeneratorBound, ...finding };
}

function findGeneratorBound(shareOfCeiling: number): Finding {
  if (shareOfCeiling < lines.generatorBound) return undefined;
  return {
    bottleneck: "generator",
    because: `goodput is ${percent(shareOfCeiling)} of what the load generator reaches ` +
      `with a server that does nothing, ${percent(lines.generatorBound)} or more`,
  };
}

function findInResources(facts: LevelFacts): NonNullable<Finding> {
  const { resources } = facts.observation;
  if (resources === undefined) {
    return {
      bottleneck: "undecided",
      because: "the machine does not tell who used its processors",
    };
  }
  const use = useOf(resources, facts);
  return findBusyThread(use, "subject") ?? findBusyThread(use, "generator") ??
    findInBusyMachine(use) ?? findPool(use, facts) ?? findBusyThread(use, "database") ??
    findWaitingDatabase(use, facts) ??
    { bottleneck: "undecided", because: `${describe(use)}, and nothing stands out` };
}

type Part = "subject" | "database" | "generator";
const names: Record<Part, string> = {
  subject: "the subject",
  database: "the database",
  generator: "the load generator",
};

/** Who used the processors: each figure is a mean number of processors over the load. */
interface Use {
  parts: Record<Part, { processors: number; busiestThread: number }>;
  /** Guessed: what no other part used, an upper bound, its threads unknown, as its process is not visible. */
  database: "known" | "guessed" | "none";
  /** What no part used, the harness neither: other programs, and the system on behalf of nobody. */
  others: number;
  /** Of the processors that the hypervisor left us: the share that was not idle. */
  busyShare: number;
}

function useOf(resources: Resources, { observation }: LevelFacts): Use {
  const { subject, database, generator, harness, machine } = resources;
  const seconds = observation.durationSeconds;
  const had = machine.capacityCpuSeconds - machine.stealCpuSeconds;
  const rest = had - machine.idleCpuSeconds - subject.cpuSeconds - generator.cpuSeconds -
    harness.cpuSeconds;
  const use = (role: Pick<typeof subject, "cpuSeconds" | "busiestThreadCpuSeconds">) => ({
    processors: role.cpuSeconds / seconds,
    busiestThread: role.busiestThreadCpuSeconds / seconds,
  });
  const isGuessed = database === undefined && observation.queries !== undefined;
  const guess = { cpuSeconds: isGuessed ? Math.max(0, rest) : 0, busiestThreadCpuSeconds: 0 };
  const ofDatabase = database ?? guess;
  return {
    parts: { subject: use(subject), database: use(ofDatabase), generator: use(generator) },
    database: database !== undefined ? "known" : isGuessed ? "guessed" : "none",
    others: Math.max(0, rest - ofDatabase.cpuSeconds) / seconds,
    busyShare: 1 - machine.idleCpuSeconds / had,
  };
}

/** One thread that never rests, like an event loop's, bounds its process while processors are idle. */
function findBusyThread({ parts }: Use, part: Part): Finding {
  const busiest = parts[part].busiestThread;
  if (busiest < lines.busyThread) return undefined;
  return {
    bottleneck: part,
    because: `one thread of ${names[part]} took ${percent(busiest)} of a processor`,
  };
}

/** All processors are busy: the part that uses clearly the most of them, also compared with what is not ours. */
function findInBusyMachine(use: Use): Finding {
  if (use.busyShare < lines.busyMachine) return undefined;
  const [most, next] = ([["subject"], ["database"], ["generator"]] as const)
    .map(([part]) => ({ part, processors: use.parts[part].processors }))
    .sort((a, b) => b.processors - a.processors);
  const beside = Math.max(next!.processors, use.others);
  const standsOut = most!.processors >= lines.standsOut * beside;
  const isKnown = most!.part !== "database" || use.database === "known";
  return standsOut && isKnown
    ? { bottleneck: most!.part, because: describe(use) }
    : { bottleneck: "undecided", because: `${describe(use)}: none used clearly the most` };
}

/** Processors are idle, requests outnumber the pool, and the pool is full: they wait for it. */
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
    because: `${describe(use)}, and of ${connections} requests at a time ${atWork.toFixed(1)} ` +
      `were at work over ${poolMax} database connections`,
  };
}

/** Processors are idle, and most requests are inside the database, which waits. */
function findWaitingDatabase(
  use: Use,
  { connections, poolMax, observation: { queries } }: LevelFacts,
): Finding {
  const { meanRunning = 0 } = queries ?? {};
  if (meanRunning < lines.atWork * Math.min(connections, poolMax)) return undefined;
  return {
    bottleneck: "database",
    because: `${describe(use)}, and it had ${
      meanRunning.toFixed(1)
    } statements of ${connections} requests at a time in execution`,
  };
}

function describe({ parts, database, others, busyShare }: Use): string {
  const ofDatabase = `${parts.database.processors.toFixed(2)} with the database`;
  const shares = [
    `${parts.subject.processors.toFixed(2)} of them with the subject`,
    ...(database === "none" ? [] : [`${database === "guessed" ? "at most " : ""}${ofDatabase}`]),
    `${parts.generator.processors.toFixed(2)} with the load generator`,
    ...(database === "guessed" ? [] : [`${others.toFixed(2)} with others`]),
  ];
  return `the processors were ${percent(busyShare)} busy: ${shares.join(", ")}`;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
