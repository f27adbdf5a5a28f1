import { assertEquals } from "@std/assert";
import { makePlan, planFor } from "../results/plan.ts";
import { loadContracts } from "../scenario/words.ts";
import { exampleResult } from "../testing/example_result.ts";
import { exampleCeiling } from "../testing/example_run.ts";
import { addFrame, judgesUpstream } from "./protocols.ts";

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

Deno.test("addFrame() has the share of the ceiling of a valid level, and of an invalid one the ceiling only", () => {
  const [valid, invalid] = [exampleResult(), exampleResult()];
  // The example has 4,000 answers a second.
  const ceiling = exampleCeiling(16_000);
  addFrame(valid, valid.levels[0]!, ceiling);
  assertEquals([valid.ceilings, valid.levels[0]!.frame!.shareOfCeiling], [[ceiling], 0.25]);
  const [level] = invalid.levels;
  const { figures: _, ...repetition } = level!.repetitions[0]!;
  const reasons = [{ code: "steal" as const, message: "the hypervisor took 2 %" }];
  level!.repetitions = [{ ...repetition, validity: { valid: false, reasons } }];
  addFrame(invalid, level!, ceiling);
  assertEquals([invalid.ceilings, level!.frame], [[ceiling], undefined]);
});
