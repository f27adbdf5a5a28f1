import { assert, assertEquals, assertThrows } from "@std/assert";
import { BenchError } from "../lib/error.ts";
import { makePlan, measuresSame, planFor, planOfProfile, type Protocol } from "../results/plan.ts";
import { profiles } from "../results/profiles.ts";
import type { Plan } from "../results/result_schema.ts";
import { loadContracts } from "../scenario/words.ts";
import { asWritten } from "../testing/as_written.ts";
import { newPlan } from "./new_plan.ts";

const seeds = Array.from({ length: 20 }, (_, seed) => seed);

/** What a full run measures one after the other, as texts, by the protocol that it belongs to. */
const parts: [Protocol, (plan: Plan) => string[]][] = [
  ["levels", ({ levels }) => levels.map(String)],
  ["bursts", ({ bursts }) => bursts!.steps.map((step) => JSON.stringify(step))],
  ["deliveries", ({ deliveries }) => deliveries!.steps.map((step) => JSON.stringify(step))],
];

for (const [protocol, partsOf] of parts) {
  Deno.test(`newPlan() has all ${protocol} in an order that its seed draws`, () => {
    const orders = seeds.map((seed) => {
      const order = partsOf(newPlan({}, { protocols: [protocol] }, seed));
      assertEquals(partsOf(newPlan({}, { protocols: [protocol] }, seed)), order);
      const own = partsOf(planFor([protocol], makePlan("full", {}, seed)));
      assertEquals(order.toSorted(), own.toSorted());
      return order.join();
    });
    assert(new Set(orders).size > 1, `each order is ${orders[0]}`);
  });
}

Deno.test("newPlan() draws another seed each time, and changes nothing else of a plan", () => {
  const contract = { protocols: ["levels", "rateSweep"] satisfies Protocol[] };
  const [one, other] = [newPlan({}, contract), newPlan({}, contract)];
  assert(one.seed !== other.seed);
  const { levels: _, ...rest } = asWritten(newPlan({ profile: "quick" }, contract, 7));
  const { levels: __, ...own } = planFor(contract.protocols, makePlan("quick", {}, 7));
  assertEquals(rest, asWritten(own));
});

Deno.test("newPlan() takes no level with fewer requests than connections, the scenario's own included", () => {
  const contract = {
    protocols: ["levels"] satisfies Protocol[],
    full: { levels: [50, 2_000], requests: 500_000 },
  };
  assertThrows(
    () => newPlan({ requests: 1_000 }, contract),
    BenchError,
    "Cannot measure 2,000 connections with 1,000 requests, expected at least one for each",
  );
  assertEquals(newPlan({ requests: 1_000, levels: [50] }, contract).levels, [50]);
  assertEquals(newPlan({ requests: 1_000, profile: "quick" }, contract).requests, 1_000);
});

Deno.test("newPlan() measures the same as its profile in every scenario, and not what another profile does", async () => {
  for (const contract of await loadContracts()) {
    for (const profile of Object.keys(profiles) as (keyof typeof profiles)[]) {
      const plan = asWritten(newPlan({ profile }, contract));
      for (const other of Object.keys(profiles) as (keyof typeof profiles)[]) {
        const isSame = measuresSame(plan, planOfProfile(other, contract));
        assertEquals(isSame, profile === other, `${contract.id}: ${profile} and ${other}`);
      }
    }
  }
});
