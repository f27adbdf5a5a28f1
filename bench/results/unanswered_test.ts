import { assertEquals } from "@std/assert";
import { unansweredOf } from "./unanswered.ts";

Deno.test("unansweredOf() counts time-outs and closed connections, and no answer of status 5xx", () => {
  const failures = { "timeout": 3, "connection-closed": 2, "status-500": 7, "status-503": 1 };
  assertEquals(unansweredOf({ failures }), { count: 5, seconds: 10 });
  assertEquals(unansweredOf({ failures: {} }).count, 0);
});
