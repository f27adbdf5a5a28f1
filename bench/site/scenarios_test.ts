import { assertEquals } from "@std/assert";
import { deriveScenarios } from "./scenarios.ts";
import { makePlan, planFor } from "../results/plan.ts";
import { resultSchema } from "../results/result_schema.ts";

Deno.test("deriveScenarios() has every scenario that a result may be of", async () => {
  assertEquals((await deriveScenarios()).map(({ id }) => id), resultSchema.shape.scenario.options);
});

Deno.test("deriveScenarios() has the plan of every profile, as a run would have it", async () => {
  for (const { profiles, protocols, full: counts } of await deriveScenarios()) {
    const { seed: _, ...full } = planFor(protocols, makePlan("full", {}, 1, counts));
    assertEquals(profiles.map(({ profile }) => profile), ["smoke", "quick", "full"]);
    assertEquals(profiles.at(-1), full);
  }
});
