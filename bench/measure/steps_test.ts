import { assertEquals } from "@std/assert";
import { secondsOfDeliveryStep } from "./steps.ts";

Deno.test("secondsOfDeliveryStep() learns from the steps before how long deliveries take after the load", () => {
  const plan = { warmUpSeconds: 10, secondsPerStep: 60 };
  assertEquals(secondsOfDeliveryStep(plan, []), 70);
  const control = { ratePerSecond: 2_000, seconds: 5 };
  assertEquals(secondsOfDeliveryStep({ ...plan, control }, []), 75);
  // Nothing was delivered in the last.
  assertEquals(secondsOfDeliveryStep(plan, [{ drainSeconds: 126 }, { drainSeconds: 0 }, {}]), 112);
});
