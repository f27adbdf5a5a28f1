/** New plan: what will a run measure, and in which order? In: what a person asked for, and the scenario's contract. */
import { BenchError } from "../lib/error.ts";
import { formatInteger } from "../lib/format_integer.ts";
import { createRandom, randomSeed, shuffle } from "../lib/random.ts";
import { makePlan, planFor } from "../results/plan.ts";
import type { Plan } from "../results/result_schema.ts";
import type { Contract } from "../scenario/words.ts";
import type { BenchRequest } from "./bench_request.ts";

/**
 * Returns the plan of a new run, its parts in random order.
 *
 * @throws {BenchError} when a level has fewer requests than connections.
 */
export function newPlan(
  { profile = "full", reproduces, ...overrides }: BenchRequest,
  { full, protocols }: Pick<Contract, "full" | "protocols">,
  seed = randomSeed(),
): Plan {
  const plan = planFor(protocols, {
    ...makePlan(profile, overrides, seed, full),
    reproduces,
  });
  const highest = Math.max(0, ...plan.levels);
  if (plan.requests < highest) {
    const [few, many] = [plan.requests, highest].map(formatInteger);
    throw new BenchError(
      `Cannot measure ${many} connections with ${few} requests, expected at least one for each`,
    );
  }
  return inRandomOrder(plan);
}

/**
 * Draws an order of levels, and of the steps of bursts and deliveries, by the plan's seed. Each has a fresh process; in
 * ascending order, what changes on the machine within hours would look like an effect of more users.
 */
function inRandomOrder(plan: Plan): Plan {
  const { seed, levels, bursts, deliveries } = plan;
  const shuffled = <Item>(items: readonly Item[]) => shuffle(items, createRandom(seed));
  return {
    ...plan,
    levels: shuffled(levels),
    bursts: bursts && { ...bursts, steps: shuffled(bursts.steps) },
    deliveries: deliveries && { ...deliveries, steps: shuffled(deliveries.steps) },
  };
}
