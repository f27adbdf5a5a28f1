/**
 * The order of the list of implementations. In: what it shows of each. Out: groups of one run, class and kind of
 * machine, the newest run first: figures are comparable only within a group.
 */
import { orderValue } from "../results/standing.ts";
import type { ImplSummary } from "./history/join.ts";

/** A group of the list: `data/impl_groups.json`. */
export interface ImplGroup
  extends Pick<ImplSummary, "latest" | "scenario" | "class" | "machine" | "local" | "connections"> {
  profile: ImplSummary["conditions"]["profile"];
  /** The fastest first; those that were not compared follow, the highest cold goodput first. */
  impls: ImplSummary[];
}

/** Returns the groups of the list. */
export function groupImpls(summaries: ImplSummary[]): ImplGroup[] {
  const keyOf = ({ latest, class: implClass, machine }: ImplSummary) =>
    JSON.stringify([latest, implClass, machine]);
  const groups = [...Map.groupBy(summaries, keyOf).values()].map((impls) => {
    const { latest, scenario, class: implClass, machine, local, connections, conditions } =
      impls[0]!;
    return {
      ...{
        latest,
        scenario,
        class: implClass,
        machine,
        local,
        connections,
        profile: conditions.profile,
      },
      impls: impls.toSorted((a, b) =>
        ratioOf(b) - ratioOf(a) ||
        (b.level?.coldGoodputPerSecond ?? 0) - (a.level?.coldGoodputPerSecond ?? 0)
      ),
    };
  });
  return groups.sort((a, b) =>
    compare(b.latest, a.latest) || compare(a.class, b.class) || compare(a.machine, b.machine)
  );
}

function ratioOf({ level }: ImplSummary): number {
  return level === undefined ? 0 : orderValue({ isGeneratorBound: false, ...level });
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
