import { assertEquals, assertThrows } from "@std/assert";
import { allPassed } from "./all_passed.ts";
import { BenchError } from "../lib/error.ts";

Deno.test("allPassed() is false when one job failed or was cancelled", () => {
  assertEquals(allPassed('["success", "skipped"]'), true);
  assertEquals(allPassed('["success", "failure"]'), false);
  assertEquals(allPassed('["cancelled", "success"]'), false);
});

Deno.test("allPassed() throws on what is no list of results", () => {
  for (const json of ["", "[]", '["ok"]', "{}"]) {
    assertThrows(() => allPassed(json), BenchError, "Cannot read the jobs' results");
  }
});
