import { assertEquals } from "@std/assert";
import { falseAlarmTexts } from "./noise.ts";

Deno.test("falseAlarmTexts() adds up all measurements of a scenario, without comparisons that have no ratio", () => {
  const of = (scenario: string, ...alarms: (boolean | undefined)[]) => ({
    scenario,
    comparisons: alarms.map((isFalseAlarm) => ({ connections: 50, isFalseAlarm })),
  });
  const noises = [
    of("jwt-mysql", true, false, undefined),
    of("jwt-mysql", false),
    of("hello", true, true),
  ];
  assertEquals(falseAlarmTexts(noises), {
    "jwt-mysql": "programs compared with themselves: 1 false alarm in 3",
    "hello": "programs compared with themselves: 2 false alarms in 2",
  });
  assertEquals(falseAlarmTexts([]), {});
});
