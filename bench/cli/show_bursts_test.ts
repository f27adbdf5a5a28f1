import { assertEquals } from "@std/assert";
import { stripAnsiCode } from "@std/fmt/colors";
import { exampleBursts } from "../testing/example_bursts.ts";
import { formatBursts } from "./show_bursts.ts";

Deno.test("formatBursts() says in how many rounds users failed, and how", () => {
  const queueing = exampleBursts("20260101T000000Z-0000000")[1]!;
  const failed = () =>
    formatBursts(queueing).map((line) => stripAnsiCode(line))
      .filter((line) => line.includes(": failed in "));
  assertEquals(failed(), [
    "10,000 users, 1 s: failed in 3 rounds: reset 5,154",
    "10,000 users, 5 s: failed in 3 rounds: reset 5,154",
  ]);
  for (const step of queueing.bursts!.steps) step.rounds = step.rounds.slice(0, 1);
  assertEquals(failed(), [
    "10,000 users, 1 s: failed in one round: reset 1,708",
    "10,000 users, 5 s: failed in one round: reset 1,708",
  ]);
});
