import { assertEquals } from "@std/assert";
import { falseAlarmTexts } from "./noise.ts";

Deno.test("falseAlarmTexts() adds up all measurements of a scenario, without comparisons that have no ratio", () => {
  const of = (scenario: string, name: string, ...alarms: (boolean | undefined)[]) => ({
    ...{ scenario, name },
    comparisons: alarms.map((isFalseAlarm) => ({ connections: 50, isFalseAlarm })),
  });
  const noises = [
    of("jwt-mysql", "Rust, Actix Web", true, false, undefined),
    of("jwt-mysql", "Deno, Koa", false),
    of("hello", "Rust, Actix Web", true, true),
  ];
  assertEquals(falseAlarmTexts(noises), {
    "jwt-mysql": "Deno and Rust compared with themselves: 1 false alarm in 3",
    "hello": "Rust compared with itself: 2 false alarms in 2",
  });
  assertEquals(falseAlarmTexts([]), {});
});
