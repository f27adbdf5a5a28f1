import { assertEquals } from "@std/assert";
import { advance, timeOfLoad } from "./load.ts";

Deno.test("advance() moves the cursor behind what was read, and behind the last line to the first", () => {
  const requests = { lines: 100, nextLine: 40 };
  advance(requests, 40, 30);
  assertEquals(requests.nextLine, 70);
  advance(requests, 70, 50);
  assertEquals(requests.nextLine, 20);
});

Deno.test("advance() moves the cursor behind the load that read more, of two that began together", () => {
  for (const used of [[30, 75], [75, 30]]) {
    const requests = { lines: 100, nextLine: 40 };
    for (const linesUsed of used) advance(requests, 40, linesUsed);
    assertEquals(requests.nextLine, 15);
  }
});

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
