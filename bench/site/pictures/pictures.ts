/**
 * The pictures of a run, each a stand-alone SVG with run, machine and interval inside it, at an address that stays. In: the
 * results of a run, and the marks of implementations. Out: those that the run has the figures for. A run on several
 * kinds of machine has none: absolute values of different machines do not compare.
 */
import { machineOf } from "../../results/comparable.ts";
import { shownLevel } from "../../results/profiles.ts";
import type { Result } from "../../results/result_schema.ts";
import { proseNames, runsText } from "../../results/words.ts";
import { runIdsOf } from "../current_run.ts";
import type { Marks } from "../marks.ts";
import type { Picture } from "./picture.ts";
import { deliveries } from "./deliveries.ts";
import { firstMinute } from "./first_minute.ts";
import { startCosts } from "./start_costs.ts";
import { untilItBreaks } from "./until_it_breaks.ts";
import { usersAtOnce } from "./users_at_once.ts";

/** Returns the pictures of a run. */
export function picturesOf(results: readonly Result[], marks: Marks): Picture[] {
  const machines = new Set(results.map(({ machine }) => machineOf(machine)));
  const [first] = results;
  if (first === undefined || machines.size > 1) return [];
  const names = proseNames(results.map(({ impl }) => impl.name));
  const drawn = results.map((result) => ({
    result,
    name: names.get(result.impl.name)!,
    mark: marks.get(result.impl.id)!,
  }));
  const source = `${runsText(runIdsOf(results))}, ${first.scenario}, ${machineOf(first.machine)}`;
  const drawing = { drawn, source, connections: shownLevel(first.plan.levels) };
  return [firstMinute, startCosts, untilItBreaks, usersAtOnce, deliveries].flatMap((draw) =>
    draw(drawing) ?? []
  );
}
