import { assertEquals, assertThrows } from "@std/assert";
import { BenchError } from "../lib/error.ts";
import { scenarioIds } from "../scenario/ids.ts";
import { newRunIds, parseRunIds } from "./run_ids.ts";

Deno.test("newRunIds() gives each scenario a run of its own, at the same commit", () => {
  const ids = newRunIds(new Date("2026-01-05T23:59:59.500Z"), "1a2b3c4" + "0".repeat(33));
  assertEquals(Object.keys(ids), scenarioIds);
  assertEquals(Object.values(ids)[0], "20260105T235959Z-1a2b3c4");
  assertEquals(new Set(Object.values(ids)).size, scenarioIds.length);
  assertEquals(parseRunIds(JSON.stringify(ids)), ids);
});

Deno.test("parseRunIds() refuses what is not an id for each of some scenarios", () => {
  const id = "20260105T235959Z-1a2b3c4";
  const texts = ["", "[]", id, `{"jwt-mysql":"../x"}`, `{"no-scenario":"${id}"}`];
  for (const text of texts) {
    assertThrows(() => parseRunIds(text), BenchError, "Cannot read the ids of runs: they are ");
  }
});
