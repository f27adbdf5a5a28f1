import { assertEquals, assertRejects } from "@std/assert";
import { nextRuns } from "./schedule.ts";
import { BenchError } from "../../lib/error.ts";

const path = ".github/workflows/bench.yml";

Deno.test("nextRuns() reads the schedule of a workflow, in UTC, whichever comes first", async () => {
  const text = 'on:\n  schedule:\n    - cron: "17 2 * * 0"\n    - cron: "0 12 1 12 *"\n';
  assertEquals(await nextRuns({ path, text }, new Date("2026-11-22T02:17:00.000Z"), 3), [
    "2026-11-29T02:17:00.000Z",
    "2026-12-01T12:00:00.000Z",
    "2026-12-06T02:17:00.000Z",
  ]);
});

Deno.test("nextRuns() names a workflow without a schedule", async () => {
  await assertRejects(
    () => nextRuns({ path, text: "on:\n  push: {}\n" }, new Date(), 1),
    BenchError,
    `Cannot read "${path}": it has no schedule`,
  );
});
