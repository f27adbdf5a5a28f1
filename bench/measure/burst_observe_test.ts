import { assertEquals } from "@std/assert";
import { describeWaits } from "./burst_observe.ts";

Deno.test("describeWaits() takes users without an answer for those who waited longest", () => {
  const waits = Array.from({ length: 100 }, (_, index) => 100 - index);
  assertEquals(describeWaits(waits, 100), { mean: 50.5, p50: 50, p99: 99, max: 100 });
  // Of 101 users, 100 are 99 %; of 102, they are not.
  assertEquals(describeWaits(waits, 101).p99, 100);
  assertEquals(describeWaits(waits, 102), { mean: 50.5, p50: 51, p99: undefined, max: 100 });
  assertEquals(describeWaits(waits, 201).p50, undefined);
});
