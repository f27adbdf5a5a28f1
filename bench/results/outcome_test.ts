import { assertEquals } from "@std/assert";
import { missingOf, valueOf } from "./known.ts";
import { frameAt } from "./bottleneck.ts";
import {
  invalidReasons,
  isColdBound,
  isGeneratorBound,
  isValid,
  outcomeAt,
  outcomeOf,
} from "./outcome.ts";
import type { Level, Repetition } from "./result_schema.ts";
import { exampleResult } from "../testing/example_result.ts";
import { exampleCeiling, exampleComparedLevel, exampleRun } from "../testing/example_run.ts";

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

Deno.test("isGeneratorBound() takes what the control got for the ceiling where the null server shows less", () => {
  const [example] = exampleRun("20260105T000000Z-0000005");
  const [cold] = example!.levels;
  const comparison = {
    ...example!.comparison!,
    levels: [exampleComparedLevel({ ratio: 0.5, seed: 3, connections: 10 })],
  };
  // Half of what the control got, and five sixths of the null server's.
  const slow = structuredClone(cold!);
  slow.repetitions[0]!.figures!.goodputPerSecond = 2_000;
  slow.frame = { ...slow.frame!, bottleneck: "generator", isGeneratorBound: true };
  const compared = { ...example!, levels: [slow], ceilings: [exampleCeiling(2_400)], comparison };
  const { comparison: _, ...alone } = compared;
  const judged = [compared, alone].map((it) => [
    isColdBound(it, 10),
    isGeneratorBound(it, 10),
    frameAt(it, 10)!.isGeneratorBound,
    frameAt(it, 10)!.bottleneck === "generator",
  ]);
  assertEquals(judged, [[false, false, false, false], [true, true, true, true]]);
});
