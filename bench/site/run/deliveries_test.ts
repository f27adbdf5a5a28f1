import { assertEquals, assertStringIncludes } from "@std/assert";
import { exampleDeliveries } from "../../testing/example_deliveries.ts";
import type { DeliveryStep } from "../../results/deliveries_schema.ts";
import type { Result } from "../../results/result_schema.ts";
import { showDeliveries } from "./deliveries.ts";

const results = exampleDeliveries("20260105T000000Z-0000005");
const [steady, pooled, doubling] = results;

Deno.test("showDeliveries() has a group for each rate, from the lowest up, in whichever order they were measured", () => {
  const turned = results.map((result): Result => {
    const { deliveries, plan } = result;
    return {
      ...result,
      plan: {
        ...plan,
        deliveries: { ...plan.deliveries!, steps: plan.deliveries!.steps.toReversed() },
      },
      deliveries: { ...deliveries!, steps: deliveries!.steps.toReversed() },
    };
  });
  const labels = (results: Result[]) => showDeliveries(results)!.steps.map(({ label }) => label);
  assertEquals(labels(turned), ["100 users, 167 a second", "1,600 users, 2,667 a second"]);
  assertEquals(showDeliveries(turned), showDeliveries(results));
});

Deno.test("showDeliveries() says which share may be lost, and of whom the rate is not known", () => {
  const findingOf = (...results: Result[]) => showDeliveries(results)!.finding;
  assertEquals(
    findingOf(steady!),
    "Notifications accepted within 50 ms (p99) and passed on in time, at most 0.1 % lost, given up, unsent or not accepted, by one fresh process at each rate: Steady at least 2,667 a second",
  );
  const unknown = "Up to which rate notifications are accepted and passed on in time is not known";
  assertEquals(findingOf(doubling!), unknown);
  const missing = (change: Partial<DeliveryStep>): Result => {
    const steps = doubling!.deliveries!.steps.map((step) => ({ ...step, ...change }));
    return { ...doubling!, deliveries: { steps } };
  };
  const misses = missing({ problem: undefined, holds: false });
  assertEquals(
    findingOf(misses),
    "Doubling does not accept notifications and pass them on in time at the lowest rate",
  );
  assertEquals(
    findingOf(misses, misses),
    "No implementation accepts notifications and passes them on in time at the lowest rate",
  );
  assertEquals(findingOf(misses, doubling!), unknown);
  assertEquals(
    findingOf(misses, pooled!, steady!),
    "Notifications accepted within 50 ms (p99) and passed on in time, at most 0.1 % lost, given up, unsent or not accepted, by one fresh process at each rate: " +
      "Steady at least 2,667 a second; Pooled up to 167 a second; Doubling not at the lowest rate",
  );
});

Deno.test("showDeliveries() says which part of the objective is missed, and where it is met again above a miss", () => {
  const [low, high] = steady!.deliveries!.steps;
  const slow = { ...low!, holds: false, acceptSeconds: { ...low!.acceptSeconds!, p99: 0.06 } };
  const shown = (...steps: DeliveryStep[]) =>
    showDeliveries([{ ...steady!, deliveries: { ...steady!.deliveries!, steps } }])!;
  const objectives = ({ steps }: ReturnType<typeof shown>) =>
    steps.map(({ rows: [row] }) => row!.objective);
  assertEquals(objectives(shown(low!, high!)), ["met", "met"]);
  assertEquals(objectives(shown(slow, high!)), ["missed: accept p99", "met"]);
  const late = { ...slow, arrivalSeconds: { ...low!.arrivalSeconds!, p99: 60 } };
  assertEquals(objectives(shown(late, high!))[0], "missed: accept p99, arrival p99");
  const plan = steady!.plan.deliveries!;
  const [first, last] = plan.steps;
  const between = { users: 400, ratePerSecond: 667 };
  const again = {
    ...steady!,
    plan: { ...steady!.plan, deliveries: { ...plan, steps: [first!, between, last!] } },
    deliveries: { ...steady!.deliveries!, steps: [low!, { ...slow, ...between }, high!] },
  };
  assertStringIncludes(
    showDeliveries([again])!.finding,
    "each rate: Steady up to 167 a second; Steady again at 2,667",
  );
  const invalid = { ...slow, ...between, problem: "the hypervisor took 2.0 %" };
  const above = { ...again, deliveries: { ...again.deliveries, steps: [low!, invalid, high!] } };
  assertStringIncludes(showDeliveries([above])!.finding, "each rate: Steady at least 167 a second");
});

Deno.test("showDeliveries() finds with whole names: the client is what differs", () => {
  const named = { ...steady!, impl: { ...steady!.impl, name: "Spring MVC, RestTemplate" } };
  assertStringIncludes(showDeliveries([named])!.finding, ": Spring MVC (RestTemplate) at least 2,");
});

Deno.test("showDeliveries() says what a mark before times means where one has it", () => {
  const noteOf = (change: Partial<DeliveryStep>) => {
    const steps = steady!.deliveries!.steps.map((step) => ({ ...step, ...change }));
    return showDeliveries([{ ...steady!, deliveries: { ...steady!.deliveries, steps } }])!.note;
  };
  assertEquals(noteOf({}), undefined);
  assertEquals(noteOf({ disturbed: "it swapped" })?.startsWith("≤: "), true);
});

Deno.test("showDeliveries() says what a notification cost the control before each rate, where that is known", () => {
  const rowsOf = (control: DeliveryStep["control"]) => {
    const steps = steady!.deliveries!.steps.map((step) => ({ ...step, control }));
    const slow: Result = { ...steady!, deliveries: { ...steady!.deliveries!, steps } };
    const [first] = showDeliveries([slow, pooled!])!.steps;
    return first!.rows.map(({ controlCpu }) => controlCpu);
  };
  assertEquals(rowsOf({ cpuSeconds: 74.96e-6 }), ["75", "34"]);
  assertEquals(rowsOf(undefined), [undefined, "34"]);
  assertEquals(rowsOf({ cpuSeconds: 114e-6 }), ["110", "34"]);
  assertEquals(rowsOf({ cpuSeconds: 74.96e-6, disturbed: "steal" }), ["≤ 75", "34"]);
});
