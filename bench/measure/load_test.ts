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

Deno.test("timeOfLoad() begins a load when its file was born, within what the harness saw", () => {
  // The harness's clock began at 1,000,000 ms of the wall clock.
  const seen = { startMs: 500, begunMs: 540, wallClockMs: 1_000_000 };
  const begins = (startedAtMs?: number) =>
    timeOfLoad({ startedAtMs, durationSeconds: 2 }, seen).beginMs;
  assertEquals(begins(1_000_520), 520);
  assertEquals(begins(1_000_490), 500);
  assertEquals(begins(1_009_000), 540);
  assertEquals(begins(undefined), 540);
  assertEquals(timeOfLoad({ startedAtMs: 1_000_520, durationSeconds: 2 }, seen).endMs, 2_520);
});
