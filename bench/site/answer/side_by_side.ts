/**
 * How fast is each implementation in every scenario? In: all views, and the list of implementations. Out:
 * `data/side_by_side.json`, the share of the fastest one's warm throughput that each has in the current run of each
 * scenario, at the level that is shown first. Runs and machines differ from scenario to scenario.
 */
import type { ListedImpl } from "../impl_groups.ts";
import { axes } from "./throughput.ts";
import type { AnswerRow, AnswerView } from "./view.ts";

/** A table: a column for each scenario, a row for each implementation. */
export interface SideBySide {
  /** Those whose current run relates implementations to the fastest of their class. */
  scenarios: Pick<AnswerView, "scenario" | "connections" | "address">[];
  /** By name, those of which one of these runs has a result. */
  impls: SideBySideImpl[];
}

export interface SideBySideImpl extends Pick<ListedImpl, "name" | "address" | "class"> {
  /** In the order of the scenarios; empty where the run does not have it. */
  shares: Share[];
}

/** Of the throughput of the fastest of its class. */
interface Share extends Pick<AnswerRow, "relative" | "interval"> {
  /** Why is told by the view. */
  isUnknown?: true;
}

/** Returns the table; the first view of each scenario and figure is the one that is shown first. */
export function sideBySide(
  views: readonly AnswerView[],
  impls: readonly ListedImpl[],
): SideBySide {
  const related = views.filter(({ axis }) => axis === axes.leader);
  const shown = [...Map.groupBy(related, ({ scenario }) => scenario).values()].map(([first]) =>
    first!
  );
  const runs = shown.map(({ groups }) =>
    new Map(groups.flatMap(({ rows }) => rows.map((row) => [row.id, row])))
  );
  return {
    scenarios: shown.map(({ scenario, connections, address }) => ({
      scenario,
      connections,
      address,
    })),
    impls: impls.filter(({ id }) => runs.some((rows) => rows.has(id))).map((impl) => ({
      name: impl.name,
      address: impl.address,
      class: impl.class,
      shares: runs.map((rows) => shareOf(rows.get(impl.id))),
    })),
  };
}

function shareOf(row: AnswerRow | undefined): Share {
  if (row === undefined) return {};
  const { relative, interval } = row;
  return relative === undefined ? { isUnknown: true } : { relative, interval };
}
