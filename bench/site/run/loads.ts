/**
 * The cold loads of a run (protocol A) and their order. A level is judged by its last repetition. Rates of different machines or
 * classes are not ordered.
 */
import { formatInteger } from "../../lib/format_integer.ts";
import { machineOf } from "../../results/comparable.ts";
import { digitsText } from "../../../site/assets/step_text.js";
import type { Frame } from "../../results/protocols_schema.ts";
import { type ColdStart, coldStartAt } from "../../results/goodput.ts";
import { valueOf } from "../../results/known.ts";
import { frameAt } from "../../results/bottleneck.ts";
import { isGeneratorBound, outcomeAt } from "../../results/outcome.ts";
import type { Figures, Observation, Result } from "../../results/result_schema.ts";
import { list, proseNames } from "../../results/words.ts";
import { bottleneckWords } from "../../results/bottleneck_words.ts";
import { threeDigits } from "../three_digits.ts";
import { seriesIntervalSeconds, type Silence } from "../../statistics/mod.ts";

/** One cold load of a run: its figures, or why there are none. */
export interface ShownLoad {
  id: string;
  name: string;
  class: Result["impl"]["class"];
  machine: string;
  /** The number of its mark. */
  order: number;
  connections: number;
  /** Present exactly where there are no figures. */
  missing?: string;
  figures?: Figures;
  isGeneratorBound: boolean;
  frame?: Frame;
  /** What bounds it, in words; absent where no ceiling was measured. */
  bottleneck?: string;
  /** 95 % confidence interval of what the null server answered per second; absent where it was not measured. */
  ceiling?: { low: number; high: number };
  observation?: Omit<Observation, "series" | "latency">;
  coldStart?: ColdStart;
  failed?: number;
  /** How many failed in which way: `12 timeout, 3 status 500`. */
  failures?: string;
  /** To the database, per request: statements, pings and resets; absent where the scenario needs none. */
  roundTripsPerRequest?: number;
  /** Connections that it opened to its upstream, per request; absent where the scenario needs none. */
  upstreamConnectionsPerRequest?: number;
  /** How long no answer came, in a clause; absent where it never took an interval of the series. */
  silence?: string;
}

/** Loads that make an order: the highest cold goodput first, those without one last. */
export interface LoadGroup {
  label: string;
  loads: ShownLoad[];
}

/** Returns a load for each level of the plan; none where the implementation failed. */
export function loadsOf(result: Result, order: number): ShownLoad[] {
  if (result.status === "failed") return [];
  return result.plan.levels.toSorted((a, b) => a - b)
    .map((connections) => loadOf(result, order, connections));
}

function loadOf(result: Result, order: number, connections: number): ShownLoad {
  const { impl: { id, name, class: implClass } } = result;
  const load = {
    id,
    name,
    class: implClass,
    order,
    connections,
    machine: machineOf(result.machine),
    isGeneratorBound: isGeneratorBound(result, connections),
  };
  const outcome = outcomeAt(result, connections);
  if ("missing" in outcome) return { ...load, missing: outcome.missing };
  const { figures, observation } = outcome.value;
  const frame = frameAt(result, connections);
  const { series: _, latency: __, ...seen } = observation;
  return {
    ...load,
    figures,
    frame,
    bottleneck: frame && bottleneckWords[frame.bottleneck],
    ceiling: nullServerAt(result, connections),
    observation: seen,
    coldStart: valueOf(coldStartAt(result, connections)),
    failed: observation.attempted - observation.correct,
    failures: Object.entries(observation.failures)
      .map(([kind, count]) => `${formatInteger(count)} ${kind}`).join(", ") || "none",
    roundTripsPerRequest: observation.queries &&
      observation.queries.perRequest + observation.queries.pingsPerRequest,
    upstreamConnectionsPerRequest: observation.calls &&
      observation.calls.connectionsOpened / observation.attempted,
    silence: silenceText(figures.silence),
  };
}

function nullServerAt({ ceilings }: Result, connections: number): ShownLoad["ceiling"] {
  const ceiling = ceilings?.find((it) => it.connections === connections);
  return ceiling && { low: ceiling.lowPerSecond, high: ceiling.highPerSecond };
}

function silenceText({ intervals, longestSeconds }: Silence): string | undefined {
  if (intervals === 0) return undefined;
  const width = digitsText(1000 * seriesIntervalSeconds);
  return `no answer came in ${intervals} ${
    intervals === 1 ? "interval" : "intervals"
  } of ${width} ms, for ${digitsText(longestSeconds)} s at a stretch`;
}

/** Returns the loads of a run in groups: by level, class and kind of machine. */
export function loadGroups(loads: ShownLoad[]): LoadGroup[] {
  const machines = new Set(loads.map(({ machine }) => machine));
  const rank = ({ connections, class: implClass }: ShownLoad) =>
    2 * connections + (implClass === "tuned" ? 1 : 0);
  const ordered = loads.toSorted((a, b) =>
    rank(a) - rank(b) || (b.figures?.goodputPerSecond ?? 0) - (a.figures?.goodputPerSecond ?? 0)
  );
  const groups = Map.groupBy(ordered, ({ connections, class: implClass, machine }) => {
    const label = `${connections} connections${implClass === "tuned" ? " (tuned)" : ""}`;
    return machines.size > 1 ? `${label}, on ${machine}` : label;
  });
  return [...groups].map(([label, loads]) => ({ label, loads }));
}

/**
 * Returns one sentence, without its period, on what the valid loads of a run show. It claims no difference beyond
 * this run, because one repetition has no interval.
 */
export function loadsFinding(loads: ShownLoad[]): string {
  const called = proseNames(loads.map(({ name }) => name));
  const valid = loadGroups(loads.filter(({ figures }) => figures !== undefined));
  const firsts = valid.flatMap(({ loads: [first, second] }) =>
    first === undefined || second === undefined ? [] : [{ first, second }]
  );
  // What is bound may be more, whoever has it.
  const isHidden = valid.some(({ loads: [, ...rest] }) => rest.some((it) => it.isGeneratorBound));
  if (isHidden) {
    return "The load generator limited some cold loads, so which of them is highest is not known";
  }
  const isBound = valid.some(({ loads }) => loads.some((it) => it.isGeneratorBound));
  const bound = isBound ? "at least " : "";
  const [leader, ...others] = new Set(firsts.map(({ first }) => first.name));
  const seconds = new Set(firsts.map(({ second }) => second.name));
  if (leader !== undefined && others.length > 0) {
    return "No implementation had the highest cold goodput at every level";
  }
  if (leader !== undefined && seconds.size > 1) {
    return `${called.get(leader)} had the highest cold goodput wherever two or more were measured`;
  }
  if (leader !== undefined) {
    const ratios = firsts.map(({ first, second }) => goodputOf(first) / goodputOf(second));
    const range = rangeText(ratios, (ratio) => ratio.toFixed(1));
    return `${called.get(leader)} reached ${bound}${range} times the cold goodput of ${
      called.get([...seconds][0]!)
    }`;
  }
  const all = valid.flatMap(({ loads }) => loads);
  if (all.length === 0) return "No level was valid";
  const names = new Set(all.map(({ name }) => called.get(name)!));
  const connections = rangeText(all.map(({ connections }) => connections), formatInteger);
  return `${list([...names])} reached ${bound}${
    rangeText(all.map(goodputOf), threeDigits)
  } correct answers per second at ${connections} connections, cold`;
}

function goodputOf({ figures }: ShownLoad): number {
  return figures?.goodputPerSecond ?? 0;
}

function rangeText(values: number[], textOf: (value: number) => string): string {
  const [low, high] = [textOf(Math.min(...values)), textOf(Math.max(...values))];
  return low === high ? low : `${low} to ${high}`;
}
