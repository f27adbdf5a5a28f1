import { assertEquals } from "@std/assert";
import { exampleBursts } from "../testing/example_bursts.ts";
import { exampleDeliveries } from "../testing/example_deliveries.ts";
import { exampleResult } from "../testing/example_result.ts";
import { partsDone } from "./parts_done.ts";

const runId = "20260105T000000Z-0000005";

Deno.test("partsDone() counts levels, or what a scenario has in place of them", () => {
  const result = exampleResult();
  assertEquals(partsDone({ ...result, levels: [] }), {
    name: "levels",
    done: 0,
    planned: result.plan.levels.length,
  });
  const [bursts] = exampleBursts(runId);
  assertEquals(partsDone(bursts!), { name: "bursts", done: 4, planned: 4 });
  const [deliveries] = exampleDeliveries(runId);
  assertEquals(partsDone(deliveries!), { name: "deliveries", done: 2, planned: 2 });
  const { deliveries: _, ...begun } = deliveries!;
  assertEquals(partsDone(begun), { name: "deliveries", done: 0, planned: 2 });
});
