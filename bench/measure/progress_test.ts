import { assertEquals } from "@std/assert";
import { type Report, silent } from "../lib/report.ts";
import { levelProgress, roundsInAll, shareDone, startBar } from "./progress.ts";

Deno.test("levelProgress() counts what is measured again as more work, not as work undone", () => {
  const plan = { levels: [10, 50], requests: 1_000 };
  const impl = { id: "deno" };
  const now = { connections: 10, repetitions: 0, requests: 900 };
  assertEquals(levelProgress({ impl, levels: [] }, now, plan), [
    "deno, 10 connections (level 1 of 2)",
    900,
    2_000,
  ]);
  // More statements than requests: the next level begins where this one ends.
  const [, most] = levelProgress({ impl, levels: [] }, { ...now, requests: 4_000 }, plan);
  assertEquals(most, 1_000);
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

Deno.test("shareDone() tells time by the steps before, and what is left of the present one", () => {
  assertEquals(shareDone({ finished: [], seconds: 5, left: 9 }), 0);
  assertEquals(shareDone({ finished: [], seconds: 5, left: 9, stepSeconds: 10 }), 0.05);
  assertEquals(shareDone({ finished: [8, 12], seconds: 5, left: 7 }), 0.25);
  // A step that takes longer than those before it may end at any moment.
  assertEquals(shareDone({ finished: [10], seconds: 30, left: 1 }), 0.8);
  assertEquals(shareDone({ finished: [10, 10], seconds: 10, left: 0 }), 1);
  assertEquals(shareDone({ finished: [], seconds: 5, left: 0, stepSeconds: Infinity }), 0);
  assertEquals(shareDone({ finished: [], seconds: 0, left: 0, stepSeconds: 0 }), 0);
});

Deno.test("roundsInAll() counts those that begin before the budget is used up, and the least of them", () => {
  const plan = { minRounds: 7, budgetSeconds: 110 };
  assertEquals(roundsInAll(plan, 0, 0), 7);
  assertEquals(roundsInAll(plan, 1, 30), 7);
  assertEquals(roundsInAll(plan, 2, 20), 11);
  assertEquals(roundsInAll({ ...plan, budgetSeconds: 0 }, 3, 90), 7);
});

Deno.test("startBar() says how much of all time is over, and never goes back", () => {
  const shown: [string, number][] = [];
  const progress: Report["progress"] = (label, done, total) => {
    assertEquals(total, 1);
    shown.push([label, done]);
  };
  let seconds = 0;
  using bar = startBar({ ...silent, progress }, () => seconds);
  bar.step("round 1 of 4", 3);
  seconds = 10;
  bar.step("round 2 of 4", 2);
  seconds = 20;
  bar.step("round 3 of 4", 1);
  seconds = 80;
  bar.step("round 4 of 4", 0);
  // Two more rounds than there seemed to be: more is left than there was.
  bar.step("round 4 of 6", 2);
  bar.end();
  assertEquals(shown, [
    ["round 1 of 4", 0],
    ["round 2 of 4", 0.25],
    ["round 3 of 4", 0.5],
    ["round 4 of 4", 0.75],
    ["round 4 of 6", 0.75],
    ["round 4 of 6", 1],
  ]);
});
