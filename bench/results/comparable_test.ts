import { assertEquals, assertNotEquals } from "@std/assert";
import { comparableKeyOf, conditionChanges, conditionsOf } from "./comparable.ts";
import { exampleBursts } from "../testing/example_bursts.ts";
import { exampleResult } from "../testing/example_result.ts";

const result = { ...exampleResult(), control: { version: "1.0.0" } };

Deno.test("comparableKeyOf() is the same for the same job, profile, processor and control", () => {
  assertEquals(
    comparableKeyOf(conditionsOf(result)),
    "jwt-mysql, custom, Example CPU, 2 processors, 1.0.0",
  );
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
  assertEquals(
    comparableKeyOf(conditionsOf(bursts!)),
    "delay, full, Example CPU, 2 processors, none, net.core.somaxconn 4096, net.ipv4.tcp_synack_retries 5",
  );
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

Deno.test("results are comparable only if idle processors poll in both or in neither", () => {
  const halting = conditionsOf(result);
  const polling = conditionsOf({ ...result, machine: { ...result.machine, idle: "polls" } });
  assertEquals(
    comparableKeyOf(polling),
    "jwt-mysql, custom, Example CPU, 2 processors, polling when idle, 1.0.0",
  );
  assertEquals(conditionChanges(halting, polling), [
    { what: "idle processors", before: "not known to poll", now: "poll" },
  ]);
});

Deno.test("bursts are comparable only where the kernel's settings are the same, in whatever order", () => {
  const [bursts] = exampleBursts("20260105T000000Z-0000005");
  const withSettings = (kernelSettings?: Record<string, string>) =>
    conditionsOf({ ...bursts!, bursts: { steps: [], kernelSettings } });
  const before = conditionsOf(bursts!);
  const same = withSettings({ "net.ipv4.tcp_synack_retries": "5", "net.core.somaxconn": "4096" });
  assertEquals(comparableKeyOf(same), comparableKeyOf(before));
  assertEquals(conditionChanges(before, same), []);
  const other = withSettings({ "net.ipv4.tcp_synack_retries": "5", "net.core.somaxconn": "128" });
  assertNotEquals(comparableKeyOf(other), comparableKeyOf(before));
  assertEquals(conditionChanges(before, other), [
    { what: "kernel setting net.core.somaxconn", before: "4096", now: "128" },
  ]);
  const unknown = withSettings();
  assertNotEquals(comparableKeyOf(unknown), comparableKeyOf(before));
  assertEquals(conditionChanges(before, unknown), [
    { what: "kernel setting net.core.somaxconn", before: "4096", now: "unknown" },
    { what: "kernel setting net.ipv4.tcp_synack_retries", before: "5", now: "unknown" },
  ]);
});
