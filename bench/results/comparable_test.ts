import { assertEquals } from "@std/assert";
import { comparableKeyOf, conditionChanges, conditionsOf } from "./comparable.ts";
import { exampleBursts } from "../testing/example_bursts.ts";
import { exampleResult } from "../testing/example_result.ts";

const result = { ...exampleResult(), control: { version: "1.0.0" } };

Deno.test("comparableKeyOf() is the same for the same job, profile, processor and control", () => {
  assertEquals(comparableKeyOf(conditionsOf(result)), "jwt-mysql, custom, Example CPU, 2, 1.0.0");
  assertEquals(
    comparableKeyOf(conditionsOf({ ...result, startedAt: "2027-01-01T00:00:00.000Z" })),
    comparableKeyOf(conditionsOf(result)),
  );
});

Deno.test("comparableKeyOf() is undefined for a result without a control", () => {
  const { control: _, ...alone } = result;
  assertEquals(comparableKeyOf(conditionsOf(alone)), undefined);
});

Deno.test("comparableKeyOf() does without a control where a scenario has no levels to compare", () => {
  const [bursts] = exampleBursts("20260105T000000Z-0000005");
  assertEquals(comparableKeyOf(conditionsOf(bursts!)), "delay, full, Example CPU, 2, none");
});

Deno.test("conditionChanges() says each thing that differs, and nothing where nothing does", () => {
  const before = conditionsOf(result);
  assertEquals(conditionChanges(before, conditionsOf(result)), []);
  const { control: _, ...after } = { ...before, profile: "full" as const, cpuModel: "Other CPU" };
  assertEquals(conditionChanges(before, { ...after, cpuCount: 4 }), [
    { what: "profile", before: "custom", now: "full" },
    { what: "processor", before: "Example CPU", now: "Other CPU" },
    { what: "number of processors", before: "2", now: "4" },
    { what: "control", before: "1.0.0", now: "none" },
  ]);
});
