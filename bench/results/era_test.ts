import { assertEquals } from "@std/assert";
import { eraChanges, eraFactsOf, eraOf } from "./era.ts";
import { exampleResult } from "../testing/example_result.ts";

const result = { ...exampleResult(), control: { version: "1.0.0" } };

Deno.test("eraOf() is the same for the same job, profile, processor and control", () => {
  assertEquals(eraOf(result), "jwt-mysql, custom, Example CPU, 2, 1.0.0");
  assertEquals(eraOf({ ...result, startedAt: "2027-01-01T00:00:00.000Z" }), eraOf(result));
});

Deno.test("eraOf() has none for a result without a control", () => {
  const { control: _, ...alone } = result;
  assertEquals(eraOf(alone), undefined);
});

Deno.test("eraChanges() says each thing that differs, and nothing where nothing does", () => {
  const before = eraFactsOf(result);
  assertEquals(eraChanges(before, eraFactsOf(result)), []);
  const { control: _, ...after } = { ...before, profile: "full" as const, cpuModel: "Other CPU" };
  assertEquals(eraChanges(before, { ...after, cpuCount: 4 }), [
    { what: "profile", before: "custom", now: "full" },
    { what: "processor", before: "Example CPU", now: "Other CPU" },
    { what: "number of processors", before: "2", now: "4" },
    { what: "control", before: "1.0.0", now: "none" },
  ]);
});
