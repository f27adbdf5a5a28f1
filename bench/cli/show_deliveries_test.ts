import { assertEquals, assertStringIncludes } from "@std/assert";
import { stripAnsiCode } from "@std/fmt/colors";
import { exampleDeliveries } from "../testing/example_deliveries.ts";
import { exampleResult } from "../testing/example_result.ts";
import { formatDeliveries } from "./show_deliveries.ts";

const [, pooled, doubling] = exampleDeliveries("20260105T000000Z-0000005");

Deno.test("formatDeliveries() has a row for each rate, and the highest that is sustainable", () => {
  const lines = formatDeliveries(pooled!).map(stripAnsiCode).join("\n").split("\n");
  const cellsOf = (word: string) =>
    lines.find((line) => line.includes(word))!.split("│").map((cell) => cell.trim()).slice(1, -1);
  assertEquals(cellsOf("users").slice(2, 5), ["accepted", "lost", "arrived/s"]);
  assertEquals(cellsOf("1,600"), [
    ...["1,600", "2,667", "160,020", "40,020 (25.0 %)", "2,000"],
    ...["4.00", "–", "0.10", "12", "50.0"],
  ]);
  assertStringIncludes(
    lines.at(-1)!,
    "≤ 0.1 % lost, given up, unsent or not accepted, arrival p99 ≤ 1 s, last arrival ≤ 2 s): 167 per second",
  );
});

Deno.test("formatDeliveries() says what disturbed a rate that counts all the same", () => {
  const [low, ...others] = pooled!.deliveries!.steps;
  const disturbed = "the hypervisor took 3.0 % of the machine's CPU time";
  const deliveries = { ...pooled!.deliveries!, steps: [{ ...low!, disturbed }, ...others] };
  const text = formatDeliveries({ ...pooled!, deliveries }).map(stripAnsiCode).join("\n");
  assertStringIncludes(text, `100 users: times are upper bounds, because ${disturbed}`);
  assertStringIncludes(
    text,
    "≤ 0.1 % lost, given up, unsent or not accepted, arrival p99 ≤ 1 s, last arrival ≤ 2 s): 167 per second",
  );
});

Deno.test("formatDeliveries() says why a rate has no figures", () => {
  const text = formatDeliveries(doubling!).map(stripAnsiCode).join("\n");
  assertStringIncludes(text, "1,600 users: invalid: POST /notify/1 led to 2 calls of it");
  assertStringIncludes(text, "not decided, a rate is invalid");
});

Deno.test("formatDeliveries() shows nothing of a scenario that has none", () => {
  assertEquals(formatDeliveries(exampleResult()), []);
});
