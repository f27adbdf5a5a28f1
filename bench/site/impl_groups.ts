/**
 * The list of implementations. In: what it shows of each in each scenario. Out: a row for each implementation, and for each
 * scenario groups of one run, class and kind of machine, the newest run first: figures are comparable only within a group.
 */
import { orderValue } from "../results/standing.ts";
import type { ImplSummary } from "./history/join.ts";

/** An implementation over its scenarios: an entry of `data/impl_list.json`. */
export interface ListedImpl extends ImplSummary {
  scenarios: string[];
}

/** Returns each implementation once, as its first scenario has it, by name. */
export function listImpls(summaries: ImplSummary[]): ListedImpl[] {
  return [...Map.groupBy(summaries, ({ id }) => id).values()]
    .map((same) => ({ ...same[0]!, scenarios: same.map(({ scenario }) => scenario) }))
    .sort((a, b) => a.name.localeCompare(b.name, "en"));
}

/** The groups of a scenario: an entry of `data/impl_groups.json`. */
export interface ScenarioGroups {
  scenario: string;
  /** It has bursts or deliveries in place of levels: a finding of each, and no figure. */
  isWithoutLevels: boolean;
  groups: ImplGroup[];
}

/** A group of the list. */
export interface ImplGroup
  extends Pick<ImplSummary, "latest" | "scenario" | "class" | "machine" | "local" | "connections"> {
  profile: ImplSummary["conditions"]["profile"];
  /** The fastest first; those that were not compared follow, the highest cold goodput first. */
  impls: ImplSummary[];
}

/** Returns the groups of each scenario, that of the newest run first. */
export function groupImpls(summaries: ImplSummary[]): ScenarioGroups[] {
  const keyOf = ({ latest, class: implClass, machine }: ImplSummary) =>
    JSON.stringify([latest, implClass, machine]);
  const groups = [...Map.groupBy(summaries, keyOf).values()].map((impls) => {
    const { latest, scenario, class: implClass, machine, local, connections, conditions } =
      impls[0]!;
    return {
      latest,
      scenario,
      class: implClass,
      machine,
      local,
      connections,
      profile: conditions.profile,
      impls: impls.toSorted((a, b) =>
        ratioOf(b) - ratioOf(a) ||
        (b.level?.coldGoodputPerSecond ?? 0) - (a.level?.coldGoodputPerSecond ?? 0)
      ),
    };
  });
  groups.sort((a, b) =>
    compare(b.latest, a.latest) || compare(a.class, b.class) || compare(a.machine, b.machine)
  );
  return [...Map.groupBy(groups, ({ scenario }) => scenario)]
    .map(([scenario, groups]) => ({
      scenario,
      isWithoutLevels: groups[0]!.impls[0]!.conditions.control === "none",
      groups,
    }));
}

function ratioOf({ level }: ImplSummary): number {
  return level === undefined ? 0 : orderValue({ isGeneratorBound: false, ...level });
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
