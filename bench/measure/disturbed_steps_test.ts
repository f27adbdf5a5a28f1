import { assertEquals } from "@std/assert";
import { burstFigures } from "../results/burst.ts";
import type { BurstRound, BurstStep } from "../results/burst_schema.ts";
import type { DeliveryStep } from "../results/deliveries_schema.ts";
import { exampleBursts } from "../testing/example_bursts.ts";
import { exampleDeliveries } from "../testing/example_deliveries.ts";
import { countDisturbedSteps, isDisturbedBurst, isDisturbedRate } from "./disturbed_steps.ts";
import { judgeMachine } from "./judge_machine.ts";

const runId = "20260105T000000Z-0000005";
const [bursts] = exampleBursts(runId);
const [deliveries] = exampleDeliveries(runId);
const machine = {
  ...{ capacityCpuSeconds: 120, foreignCpuSeconds: 0, idleCpuSeconds: 60 },
  ...{ stealCpuSeconds: 12, swappedBytes: 0 },
};
const [steal] = judgeMachine(machine).map(({ message }) => message);

function burst(...changes: Partial<BurstRound>[]): BurstStep {
  const [step] = bursts!.bursts!.steps;
  const rounds = step!.rounds.map((round, index) => ({ ...round, ...changes[index] }));
  return { ...step!, rounds, figures: burstFigures(step!, rounds) };
}

function rate(change: Partial<DeliveryStep>): DeliveryStep {
  return { ...deliveries!.deliveries!.steps[0]!, machine, ...change };
}

Deno.test("isDisturbedBurst() is for a burst that nothing but the machine left without figures", () => {
  const disturbed = { disturbed: steal };
  assertEquals(isDisturbedBurst(burst(disturbed)), true);
  assertEquals(isDisturbedBurst(burst()), false);
  const wrong = { invalidBecause: ["3 users had a wrong answer"] };
  assertEquals(isDisturbedBurst(burst(disturbed, wrong)), false);
  assertEquals(isDisturbedBurst({ ...burst(disturbed), leftOut: "no room" }), false);
  assertEquals(isDisturbedBurst({ ...burst(disturbed), invalidBecause: "not held" }), false);
});

Deno.test("isDisturbedRate() is for a rate that the machine disturbed, whether or not it met the objective", () => {
  assertEquals(isDisturbedRate(rate({ holds: false, problem: steal })), true);
  assertEquals(isDisturbedRate(rate({ disturbed: steal })), true);
  assertEquals(isDisturbedRate(rate({})), false);
  assertEquals(
    isDisturbedRate(rate({ holds: false, problem: `a call too many; ${steal}` })),
    false,
  );
});

Deno.test("countDisturbedSteps() is of complete results", () => {
  assertEquals([bursts!, deliveries!].map(countDisturbedSteps), [0, 0]);
  const steps = [burst({ disturbed: steal }), ...bursts!.bursts!.steps.slice(1)];
  const disturbed = { ...bursts!, bursts: { steps } };
  assertEquals(countDisturbedSteps(disturbed), 1);
  assertEquals(countDisturbedSteps({ ...disturbed, status: "incomplete" }), 0);
  const rates = deliveries!.deliveries!.steps.map((step) => ({ ...step, disturbed: steal }));
  assertEquals(countDisturbedSteps({ ...deliveries!, deliveries: { steps: rates } }), 2);
});
