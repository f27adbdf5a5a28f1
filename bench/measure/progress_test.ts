import { assertEquals } from "@std/assert";
import { levelProgress } from "./progress.ts";

Deno.test("levelProgress() counts what is measured again as more work, not as work undone", () => {
  const plan = { levels: [10, 50], requests: 1_000 };
  const impl = { id: "deno" };
  const now = { connections: 10, repetitions: 0, requests: 900 };
  assertEquals(levelProgress({ impl, levels: [] }, now, plan), [
    "deno, 10 connections (level 1 of 2)",
    900,
    2_000,
  ]);
  const again = { ...now, repetitions: 1, requests: 0 };
  assertEquals(levelProgress({ impl, levels: [] }, again, plan), [
    "deno, 10 connections (level 1 of 2, again)",
    1_000,
    3_000,
  ]);
  const startedAt = "2026-01-01T00:00:00.000Z";
  const repetition = { startedAt, validity: { valid: true as const } };
  const levels = [{ repetitions: [repetition, repetition] }];
  const next = { connections: 50, repetitions: 0, requests: 500 };
  assertEquals(levelProgress({ impl, levels }, next, plan), [
    "deno, 50 connections (level 2 of 2)",
    2_500,
    3_000,
  ]);
});
