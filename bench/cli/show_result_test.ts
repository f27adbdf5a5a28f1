import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { stripAnsiCode } from "@std/fmt/colors";
import { exampleResult } from "../testing/example_result.ts";
import { exampleCeiling, exampleRun, withSlowGenerator } from "../testing/example_run.ts";
import type { Result } from "../results/result_schema.ts";
import { formatLevels, formatRest, formatResult } from "./show_result.ts";

const heading = "example  koa 3.0.0, mysql2 3.0.0, jsonwebtoken 9.0.0, Deno 2.0.0";
const cold = "cold: one load of 10,000 requests on a fresh process after 1,000 warm-up requests";

/** Formats the example after a change, and returns its lines without colours. */
function show(change: (result: Result) => void): string[] {
  const result = exampleResult();
  change(result);
  return stripAnsiCode(formatResult(result)).split("\n");
}

Deno.test("formatResult() shows a valid level in the units that people read", () => {
  assertEquals(show(() => {}), [
    heading,
    cold,
    "┌─────────────┬────────────────┬────────┬────────┬────────┬───────────────┬────────────┐",
    "│ connections │ cold answers/s │ p50 ms │ p99 ms │ failed │ CPU µs/answer │ memory MiB │",
    "├─────────────┼────────────────┼────────┼────────┼────────┼───────────────┼────────────┤",
    "│          10 │          4,000 │   2.50 │   2.75 │      0 │           100 │         20 │",
    "└─────────────┴────────────────┴────────┴────────┴────────┴───────────────┴────────────┘",
  ]);
});

Deno.test("formatResult() shows the load with commits on disk, or why there is none, in no table", () => {
  const besides = (durable: Result["durable"]) =>
    show((result) => {
      result.plan.durable = { connections: 50, requests: 10_000 };
      result.durable = durable;
    }).slice(7);
  const { levels: [load] } = exampleResult();
  const what = "cold goodput at 50 connections, every commit on disk, in no ranking";
  assertEquals(besides({ load }), [`${what}: 4,000 per second, p99 2.75 ms`]);
  assertEquals(besides({ missing: "it cannot be set" }), [`${what}: none, it cannot be set`]);
});

Deno.test("formatResult() shows that a percentile among unanswered requests is a lower bound", () => {
  const lines = show(({ levels: [level] }) => {
    const latency = level!.repetitions[0]!.figures!.latencySeconds;
    Object.assign(latency, { p99: 10, atLeast: ["p99", "p999", "max"] });
  });
  assertStringIncludes(lines.join("\n"), "│   2.50 │ ≥ 10000.00 │");
});

Deno.test("formatResult() shows all reasons of an invalid level, below a table that they do not widen", () => {
  const reasons = [
    { code: "failures" as const, message: "9 of 90 requests failed, expected at most 0.1 %" },
    {
      code: "pool-exceeded" as const,
      message: `40 connections were open, expected at most 16${" and so on".repeat(20)}`,
    },
  ];
  const lines = show(({ levels: [level] }) => {
    level!.repetitions[0]!.validity = { valid: false, reasons };
    delete level!.repetitions[0]!.figures;
  });
  assertEquals(lines, [
    heading,
    cold,
    "┌─────────────┬────────────────┬────────┬────────┬────────┬───────────────┬────────────┐",
    "│ connections │ cold answers/s │ p50 ms │ p99 ms │ failed │ CPU µs/answer │ memory MiB │",
    "├─────────────┼────────────────┴────────┴────────┴────────┴───────────────┴────────────┤",
    "│          10 │ invalid, see below                                                     │",
    "└─────────────┴────────────────────────────────────────────────────────────────────────┘",
    ...reasons.map(({ message }) => `10 connections: invalid: ${message}`),
  ]);
});

Deno.test("formatResult() names the bottleneck of each level, and says where goodput is a lower bound", () => {
  const lines = show(({ levels }) => {
    const frame = { shareOfCeiling: 0.5, isGeneratorBound: false, because: "it was busy" };
    const [level] = levels;
    level!.frame = { ...frame, bottleneck: "subject" };
    levels.push({ ...level!, connections: 50 });
    levels.push({ ...level!, connections: 100, frame: { ...frame, bottleneck: "generator" } });
    levels.push({
      ...level!,
      connections: 300,
      frame: { ...frame, isGeneratorBound: true, bottleneck: "generator" },
    });
  });
  assertEquals(lines.slice(-2), [
    "bottleneck: the implementation itself (10, 50), the load generator (100), the ceiling of the load generator (300)",
    "At the ceiling of the load generator, read goodput, cold and warm, as “at least”",
  ]);
});

Deno.test("formatResult() shows the last repetition of a level", () => {
  const text = show(({ levels: [level] }) => {
    const { startedAt, figures: _, ...invalid } = level!.repetitions[0]!;
    const reasons = [{ code: "swapping" as const, message: "the machine swapped" }];
    level!.repetitions.unshift({ ...invalid, startedAt, validity: { valid: false, reasons } });
  }).join("\n");
  assertStringIncludes(text, "4,000");
  assertEquals(text.includes("swapped"), false, text);
});

Deno.test("formatResult() shows where an implementation failed, why, and what may help", () => {
  const lines = show((result) => {
    result.status = "failed";
    result.failure = {
      stage: "build",
      message: 'Cannot build "example": `make` ended with exit code 2, expected 0',
      detail: "The end of its log:\nmake: nothing to make",
    };
    result.levels = [];
  });
  assertEquals(lines, [
    heading,
    'failed at build: Cannot build "example": `make` ended with exit code 2, expected 0',
    "The end of its log:",
    "make: nothing to make",
  ]);
});

Deno.test("formatResult() says how many of its levels an incomplete run has", () => {
  const lines = show((result) => {
    result.status = "incomplete";
    result.plan.levels = [50, 10, 100];
  });
  assertEquals(lines.at(-1), "incomplete: 1 of 3 levels measured");
});

Deno.test("formatResult() says what the database did not count", () => {
  const lines = show(({ levels: [level] }) => {
    level!.repetitions[0]!.observation!.notCounted = ["rows read and transactions: it is MariaDB"];
  });
  assertEquals(lines.at(-1), "not counted: rows read and transactions: it is MariaDB");
});

Deno.test("formatResult() leaves out what was not measured", () => {
  const text = show(({ levels: [level], impl }) => {
    delete level!.repetitions[0]!.observation!.resources;
    delete impl.runtime.version;
  }).join("\n");
  assertStringIncludes(text, "Deno (version unknown)");
  assertStringIncludes(text, "│             – │          – │");
  assertStringIncludes(text, "\n–: CPU and memory are unknown: the system does not report them");
});

Deno.test("formatLevels() says that CPU and memory of a short load are unknown", () => {
  const text = show(({ levels: [level] }) => {
    const observation = level!.repetitions[0]!.observation!;
    delete observation.resources;
    observation.durationSeconds = 0.4;
  }).join("\n");
  assertStringIncludes(text, "\n–: CPU and memory are unknown: the load took less than a second");
});

Deno.test("formatLevels() and formatRest() are what formatResult() shows, in two parts", () => {
  const result = exampleResult();
  result.status = "incomplete";
  result.plan.levels = [50, 10];
  assertEquals(`${formatLevels(result)}\n${formatRest(result)}`, formatResult(result));
  assertEquals(formatRest(exampleResult()), "");
});

Deno.test("formatResult() says where the load generator, or the highest offered rate, is all that is known", () => {
  const [swift, , freezing] = exampleRun("20260101T000000Z-0000000");
  const shown = (result: Result) => stripAnsiCode(formatResult(result));
  const ceilings = [exampleCeiling(4_400)];
  assertMatch(
    shown(freezing!),
    /^warm goodput at 10 connections: [12],\d{3} per second \(1,\d{3}–2,\d{3}\), 0\.50 times/m,
  );
  assertMatch(shown(freezing!), /^cold goodput as a share of warm: 20\d % \[\d+–\d+\] \(10\)$/m);
  assertMatch(shown(freezing!), /^cold start until steady: 0\.00 s and 0 requests \(10\)$/m);
  assertStringIncludes(shown(freezing!), ", 0.50 times the control's");
  assertStringIncludes(
    shown({ ...freezing!, ceilings }),
    ", at most 0.50 times the control's (96 %, 8 rounds)",
  );
  assertStringIncludes(
    shown(withSlowGenerator(swift!)),
    ", at least 1.01 times the control's (96 %, 8 rounds)",
  );
  const { rateSweep } = swift!;
  const held = (sustainablePerSecond: number) =>
    shown({ ...swift!, rateSweep: { ...rateSweep!, sustainablePerSecond } });
  assertStringIncludes(held(2_000), "2,000 requests per second, median of 3 processes (");
  assertStringIncludes(
    held(4_000),
    "4,000 requests per second, the highest offered, median of 3 processes (",
  );
});
