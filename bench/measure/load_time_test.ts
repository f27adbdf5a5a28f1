import { assertEquals } from "@std/assert";
import { timeOfLoad } from "./load_time.ts";

Deno.test("timeOfLoad() begins a load when its file was born, and may be off by the time to its first connection", () => {
  // The harness's clock began at 1,000,000 ms of the wall clock.
  const seen = { startMs: 500, connectedMs: 540, wallClockMs: 1_000_000 };
  const timeOf = (startedAtMs?: number) => {
    const { beginMs, toleranceMs } = timeOfLoad({ startedAtMs, durationSeconds: 2 }, seen);
    return [beginMs, toleranceMs];
  };
  assertEquals(timeOf(1_000_520), [520, 32]);
  assertEquals(timeOf(1_000_490), [500, 52]);
  assertEquals(timeOf(1_009_000), [540, 12]);
  assertEquals(timeOf(undefined), [500, 52]);
  assertEquals(timeOfLoad({ startedAtMs: 1_000_520, durationSeconds: 2 }, seen).endMs, 2_520);
});
