import { assertEquals } from "@std/assert";
import { missingOf, valueOf } from "./known.ts";
import { invalidReasons, isValid, outcomeAt, outcomeOf } from "./outcome.ts";
import type { Level, Repetition } from "./result_schema.ts";
import { exampleResult } from "../testing/example_result.ts";

const result = exampleResult();
const [level] = result.levels;
const [valid] = level!.repetitions;
const invalid: Repetition = {
  startedAt: valid!.startedAt,
  validity: {
    valid: false,
    reasons: [
      { code: "failures", message: "2 % failed" },
      { code: "swapping", message: "the machine swapped" },
    ],
  },
};

Deno.test("outcomeOf() judges a level by its last repetition", () => {
  const repeated: Level = { ...level!, repetitions: [invalid, valid!] };
  assertEquals(valueOf(outcomeOf(repeated))?.figures, valid!.figures);
  assertEquals([isValid(repeated), invalidReasons(repeated)], [true, []]);
  const worse: Level = { ...level!, repetitions: [valid!, invalid] };
  assertEquals(missingOf(outcomeOf(worse)), "2 % failed; the machine swapped");
  assertEquals([isValid(worse), invalidReasons(worse).length], [false, 2]);
});

Deno.test("outcomeAt() says why a level was not measured", () => {
  assertEquals(missingOf(outcomeAt(result, 7)), "not measured");
  const failure = { stage: "build" as const, message: "exit code 1", detail: "" };
  assertEquals(
    missingOf(outcomeAt({ ...result, status: "failed", failure }, 7)),
    "failed at build: exit code 1",
  );
});
