import { assertEquals } from "@std/assert";
import { makePlan, planFor } from "../results/plan.ts";
import { loadContracts } from "../scenario/words.ts";
import { judgesUpstream } from "./protocols.ts";

Deno.test("judgesUpstream() is true of every plan of deliveries, and of one with levels unless it is the shortest", async () => {
  const contracts = await loadContracts();
  const judged = (id: string) => {
    const { protocols } = contracts.find((contract) => contract.id === id)!;
    return (["smoke", "quick", "full"] as const)
      .map((profile) => judgesUpstream(planFor(protocols, makePlan(profile, {}, 7))));
  };
  assertEquals(judged("notify"), [true, true, true]);
  assertEquals(judged("gateway"), [false, true, true]);
});
