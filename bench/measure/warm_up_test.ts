import { assertEquals } from "@std/assert";
import { enoughRequests } from "./warm_up.ts";

Deno.test("enoughRequests() does not take a plateau for the end", () => {
  const parts = [20, 40, 80, 160, 320].map((requests) => ({ requests, rate: 3_000 }));
  parts[4]!.rate = 12_000;
  assertEquals(enoughRequests(parts), 320);
  parts[3]!.rate = 11_900;
  assertEquals(enoughRequests(parts), 160);
});

Deno.test("enoughRequests() gives none where none were sent", () => {
  assertEquals(enoughRequests([]), 0);
});
