/** Merges what is known of several loads into what is known of all of them. */
import { sum, sumOf } from "../lib/sum.ts";
import type { ComparedRound, ComparedSide } from "../results/comparison_schema.ts";
import type { Calls, LoadFacts, MachineUse, Queries } from "../results/load_schema.ts";

/** Returns the facts of several loads of one server, or of one implementation; undefined of none. */
export function mergeFacts(loads: LoadFacts[]): LoadFacts | undefined {
  if (loads.length === 0) return undefined;
  const problems = loads.flatMap((load) => load.problems);
  return {
    attempted: sumOf(loads, (load) => load.attempted),
    correct: sumOf(loads, (load) => load.correct),
    refused: sumOf(loads, (load) => load.refused),
    wrong: mergeCounts(loads.map((load) => load.wrong)),
    problems: problems.filter(({ check }, index) =>
      problems.findIndex((earlier) => earlier.check === check) === index
    ),
    failures: mergeCounts(loads.map((load) => load.failures)),
    reconnects: sumIfKnown(loads, (load) => load.reconnects),
    queries: mergeQueries(loads),
    calls: mergeCalls(loads),
    notCounted: unique(loads.flatMap((load) => load.notCounted ?? [])),
    rowLocks: sumOf(loads, (load) => load.rowLocks ?? 0) || undefined,
    rowsStillSeconds: Math.max(...loads.map((load) => load.rowsStillSeconds ?? 0)) || undefined,
    log: { lines: sumOf(loads, (load) => load.log.lines) },
    leftGroup: unique(loads.flatMap((load) => load.leftGroup ?? [])),
    schedulingChanges: unique(loads.flatMap((load) => load.schedulingChanges ?? [])),
  };
}

/** Returns what the machine did in several loads, one after the other; undefined if that is unknown of one. */
export function mergeMachine(uses: (MachineUse | undefined)[]): MachineUse | undefined {
  if (!uses.every((use) => use !== undefined) || uses.length === 0) return undefined;
  return {
    capacityCpuSeconds: sumOf(uses, (use) => use.capacityCpuSeconds),
    foreignCpuSeconds: sumIfKnown(uses, (use) => use.foreignCpuSeconds),
    busiestOther: busiestOf(uses.flatMap(({ busiestOther }) => busiestOther ?? [])),
    idleCpuSeconds: sumOf(uses, (use) => use.idleCpuSeconds),
    stealCpuSeconds: sumOf(uses, (use) => use.stealCpuSeconds),
    swappedBytes: sumOf(uses, (use) => use.swappedBytes),
  };
}

/** Adds up what processes of one name used, and returns the one that used the most; undefined of none. */
function busiestOf(
  others: NonNullable<MachineUse["busiestOther"]>[],
): MachineUse["busiestOther"] {
  return [...Map.groupBy(others, ({ name }) => name)]
    .map(([name, those]) => ({ name, cpuSeconds: sumOf(those, (it) => it.cpuSeconds) }))
    .sort((a, b) => b.cpuSeconds - a.cpuSeconds)[0];
}

/** Weighs figures per request by requests; of what is at most so much at one time, the most is kept. */
function mergeQueries(loads: LoadFacts[]): Queries | undefined {
  const counted = loads.flatMap(({ attempted, queries }) =>
    queries === undefined ? [] : [{ attempted, queries }]
  );
  if (counted.length === 0) return undefined;
  const attempted = sumOf(counted, (load) => load.attempted);
  const mean = (value: (queries: Queries) => number | undefined) => {
    const total = sumIfKnown(counted, (load) => {
      const perRequest = value(load.queries);
      return perRequest && perRequest * load.attempted;
    });
    return total && total / Math.max(1, attempted);
  };
  const peaks = counted.flatMap(({ queries }) => queries.peakConnections ?? []);
  return {
    perRequest: mean((queries) => queries.perRequest) ?? 0,
    expectedPerRequest: mean((queries) => queries.expectedPerRequest) ?? 0,
    executesPerRequest: mean((queries) => queries.executesPerRequest) ?? 0,
    prepares: sumOf(counted, (load) => load.queries.prepares),
    pingsPerRequest: mean((queries) => queries.pingsPerRequest) ?? 0,
    rowsReadPerRequest: mean((queries) => queries.rowsReadPerRequest),
    aroundPerRequest: mean((queries) => queries.aroundPerRequest),
    transactionsPerRequest: mean((queries) => queries.transactionsPerRequest),
    problems: unique(counted.flatMap(({ queries }) => queries.problems ?? [])),
    outOfStep: counted.flatMap(({ queries }) => queries.outOfStep ?? [])[0],
    peakConnections: peaks.length === 0 ? undefined : Math.max(...peaks),
  };
}

/** Adds counts up; of what is at most so much at one time, the most is kept. */
function mergeCalls(loads: LoadFacts[]): Calls | undefined {
  const calls = loads.flatMap((load) => load.calls ?? []);
  if (calls.length === 0) return undefined;
  const late = calls.flatMap(({ lateSeconds }) => lateSeconds ?? []);
  return {
    received: sumOf(calls, ({ received }) => received),
    answered: sumOf(calls, ({ answered }) => answered),
    connectionsOpened: sumOf(calls, ({ connectionsOpened }) => connectionsOpened),
    peakConnections: Math.max(...calls.map(({ peakConnections }) => peakConnections)),
    peakOpen: Math.max(...calls.map(({ peakOpen }) => peakOpen)),
    faults: sumOf(calls, ({ faults }) => faults ?? 0) || undefined,
    lateSeconds: late.length === 0 ? undefined : sumOf(late, (seconds) => seconds),
  };
}

function mergeCounts(counts: Record<string, number>[]): Record<string, number> {
  const merged: Record<string, number> = {};
  for (const [name, count] of counts.flatMap(Object.entries<number>)) {
    merged[name] = (merged[name] ?? 0) + count;
  }
  return merged;
}

/** Returns each text once; undefined where there is none. */
function unique(texts: string[]): string[] | undefined {
  return texts.length === 0 ? undefined : [...new Set(texts)];
}

/** Returns the sum, or undefined if one is unknown. */
function sumIfKnown<T>(items: T[], value: (item: T) => number | undefined): number | undefined {
  const values = items.map(value);
  return values.every((it) => it !== undefined) ? sum(values) : undefined;
}

/** Merges the loads of one round. */
export function mergeLoads(loads: ComparedRound[]): ComparedRound {
  const mergeSide = (sides: ComparedSide[]): ComparedSide => {
    const correct = sumOf(sides, (side) => side.correct);
    const hasCpu = sides.every((side) => side.cpuSecondsPerAnswer !== undefined);
    return {
      correct,
      failed: sumOf(sides, (side) => side.failed),
      seconds: sumOf(sides, (side) => side.seconds),
      perSlice: sides.flatMap((side) => side.perSlice),
      secondsPerLoad: sides.every(({ secondsPerLoad }) => secondsPerLoad !== undefined)
        ? sides.flatMap(({ secondsPerLoad }) => secondsPerLoad!)
        : undefined,
      settling: mergeSettling(sides),
      cpuSecondsPerAnswer: hasCpu && correct > 0
        ? sumOf(sides, (side) => side.cpuSecondsPerAnswer! * side.correct) / correct
        : undefined,
      schedulingChanges: unique(sides.flatMap(({ schedulingChanges }) => schedulingChanges ?? [])),
      frozenCpuSeconds: sumOf(sides, (side) => side.frozenCpuSeconds ?? 0) || undefined,
      ranOnSeconds: Math.max(...sides.map((side) => side.ranOnSeconds ?? 0)) || undefined,
      rivalConnections: sumOf(sides, (side) => side.rivalConnections ?? 0) || undefined,
      load: mergeFacts(sides.flatMap(({ load }) => load ?? [])),
    };
  };
  return {
    startedAt: loads[0]!.startedAt,
    order: loads.map(({ order }) => order).join(" "),
    subject: mergeSide(loads.map(({ subject }) => subject)),
    reference: mergeSide(loads.map(({ reference }) => reference)),
    machine: mergeMachine(loads.map(({ machine }) => machine)),
  };
}

/** Merges what does not count; absent in earlier results. */
export function mergeSettling(sides: readonly ComparedSide[]): ComparedSide["settling"] {
  const settling = sides.flatMap((side) => side.settling ?? []);
  return settling.length === 0 ? undefined : {
    correct: sumOf(settling, ({ correct }) => correct),
    seconds: sumOf(settling, ({ seconds }) => seconds),
  };
}
