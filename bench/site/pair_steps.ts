/**
 * Pages of pairs whose scenario has bursts or deliveries in place of levels. In: the page of a pair, and the run that it is of.
 * Out: the same page with the figures of both. They were not loaded alternately, so nothing tells their difference from
 * chance, and the answer names no winner.
 */
import { dateText } from "./answer/answers.ts";
import type { PairView } from "./answer/pair_view.ts";
import type { CurrentRun } from "./current_run.ts";
import { showBursts, type ShownBursts } from "./run/bursts.ts";
import { showDeliveries, type ShownDeliveries } from "./run/deliveries.ts";
import { machineNames } from "./run_summary.ts";

/** The page of a pair, with what it has in place of levels: `assets/<address>view.json`. */
export interface PairPage extends PairView {
  /** Of both; absent where the scenario has none, and where they were measured on different machines. */
  bursts?: ShownBursts;
  /** Likewise. */
  deliveries?: ShownDeliveries;
}

/** Returns the page of a pair with its bursts or deliveries; as it is where the scenario has levels. */
export function withSteps(pair: PairView, { api, results }: CurrentRun): PairPage {
  const both = results.filter(({ impl }) => pair.impls.some(({ id }) => id === impl.id));
  const steps = { bursts: showBursts(both), deliveries: showDeliveries(both) };
  const shown = steps.bursts ?? steps.deliveries;
  if (shown === undefined) return pair;
  const machines = machineNames(both);
  const page = { ...pair, facts: [dateText(api.startedAt), ...machines] };
  if (machines.length > 1) {
    const answer = "They were measured on different machines, whose figures are not comparable.";
    return { ...page, answer };
  }
  return { ...page, ...steps, answer: `${shown.finding}.` };
}
