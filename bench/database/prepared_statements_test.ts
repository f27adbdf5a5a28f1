import { assertEquals } from "@std/assert";
import { preparedBetween } from "./prepared_statements.ts";

Deno.test("preparedBetween() has what each statement did meanwhile", () => {
  const before = [
    { text: "a", executions: 100, rowsSent: 90 },
    { text: "of a connection that ends", executions: 500, rowsSent: 500 },
    { text: "gone", executions: 1, rowsSent: 1 },
  ];
  const after = [
    { text: "a", executions: 150, rowsSent: 139 },
    { text: "of a connection that ends", executions: 30, rowsSent: 20 },
    { text: "new", executions: 7, rowsSent: 7 },
  ];
  assertEquals(preparedBetween(before, after), [
    { text: "a", executions: 50, rowsSent: 49 },
    { text: "of a connection that ends", executions: 30, rowsSent: 20 },
    { text: "new", executions: 7, rowsSent: 7 },
  ]);
});
