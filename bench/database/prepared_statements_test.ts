import { assertEquals } from "@std/assert";
import { preparedBetween } from "./prepared_statements.ts";

Deno.test("preparedBetween() has what the statements of each text did meanwhile, on whatever connection", () => {
  const before = new Map([
    ["1/1", { text: "a", executions: 100, rowsSent: 90 }],
    ["1/2", { text: "idle", executions: 3, rowsSent: 3 }],
    ["2/1", { text: "gone", executions: 1, rowsSent: 1 }],
  ]);
  const after = new Map([
    ["1/1", { text: "a", executions: 150, rowsSent: 139 }],
    ["1/2", { text: "idle", executions: 3, rowsSent: 3 }],
    ["3/1", { text: "a", executions: 30, rowsSent: 20 }],
    ["3/2", { text: "new", executions: 7, rowsSent: 7 }],
  ]);
  assertEquals(preparedBetween(before, after), [
    { text: "a", executions: 80, rowsSent: 69 },
    { text: "idle", executions: 0, rowsSent: 0 },
    { text: "new", executions: 7, rowsSent: 7 },
  ]);
});
