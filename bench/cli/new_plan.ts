/** New plan: what will a run measure, and in which order? In: what a person asked for, and the scenario's contract. */
import { createRandom, shuffle } from "../lib/random.ts";
import { makePlan, planFor } from "../results/plan.ts";
import type { Plan } from "../results/result_schema.ts";
import type { Contract } from "../scenario/words.ts";
import type { BenchRequest } from "./bench_request.ts";

/** Returns the plan of a new run, its parts in random order. */
export function newPlan(
  { profile = "full", reproduces, ...overrides }: BenchRequest,
  { full, protocols }: Pick<Contract, "full" | "protocols">,
  seed = crypto.getRandomValues(new Uint32Array(1))[0]!,
): Plan {
  const plan = makePlan(profile, overrides, seed, full);
  return inRandomOrder(planFor(protocols, { ...plan, reproduces }));
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
