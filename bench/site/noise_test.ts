import { assertEquals } from "@std/assert";
import { falseAlarmTexts } from "./noise.ts";

Deno.test("falseAlarmTexts() adds up all measurements of a scenario, without comparisons that have no ratio", () => {
  const of = (scenario: string, impl: string, ...alarms: (boolean | undefined)[]) => ({
    ...{ scenario, impl },
    comparisons: alarms.map((isFalseAlarm) => ({ connections: 50, isFalseAlarm })),
  });
  const noises = [
    of("jwt-mysql", "rust", true, false, undefined),
    of("jwt-mysql", "deno", false),
    of("hello", "rust", true, true),
  ];
  assertEquals(falseAlarmTexts(noises), {
    "jwt-mysql": "deno and rust compared with themselves: 1 false alarm in 3",
    "hello": "rust compared with itself: 2 false alarms in 2",
  });
  assertEquals(falseAlarmTexts([]), {});
});
