import { assertEquals } from "@std/assert";
import { qualifierAt, ratioAt } from "./compared.ts";
import { isGeneratorBound } from "./outcome.ts";
import { missingOf, valueOf } from "./known.ts";
import type { ReasonCode, Result } from "./result_schema.ts";
import { exampleCeiling, exampleComparedLevel, exampleRun } from "../testing/example_run.ts";

/** A result of so many times the control's goodput, with what the null server gave as a multiple of the control's. */
function boundResult(ceiling: number, halfWidth = 0, ratio = 1.3): Result {
  const [result] = exampleRun("20260105T000000Z-0000000");
  const connections = 10;
  const level = exampleComparedLevel({ ratio, seed: 5, connections });
  const { goodputPerSecond } = level;
  return {
    ...result!,
    comparison: { ...result!.comparison!, levels: [level] },
    ceilings: [{
      ...exampleCeiling(goodputPerSecond!.reference * ceiling, halfWidth),
      connections,
    }],
  };
}

Deno.test("ratioAt() gives a ratio where the load generator bounds the server only: it is at least that", () => {
  const result = boundResult(1.8);
  const { connections, goodput } = result.comparison!.levels[0]!;
  assertEquals(valueOf(ratioAt(result, connections)), goodput);
});

Deno.test("ratioAt() gives none where the interval of the ceiling does not tell", () => {
  const result = boundResult(1.5, 0.1);
  assertEquals(isGeneratorBound(result, 10), true);
  assertEquals(valueOf(ratioAt(result, result.comparison!.levels[0]!.connections)), undefined);
});

Deno.test("ratioAt() gives none where the load generator bounds the control, too", () => {
  const result = boundResult(1.3);
  assertEquals(
    missingOf(ratioAt(result, result.comparison!.levels[0]!.connections)),
    `the load generator limited both ${result.impl.name} and the control`,
  );
});

Deno.test("isGeneratorBound() also goes by warm goodput: a process may reach the ceiling only when it is warm", () => {
  const { levels: [level], ...result } = boundResult(1);
  const { connections, goodputPerSecond } = result.comparison!.levels[0]!;
  const withCeiling = (perSecond: number): Result => ({
    ...result,
    levels: [{ ...level!, frame: undefined }],
    ceilings: [{ ...exampleCeiling(perSecond, 0), connections }],
  });
  const [far, near] = [2, 1.4].map((times) => withCeiling(goodputPerSecond!.subject * times));
  assertEquals([far, near].map((it) => isGeneratorBound(it!, connections)), [false, true]);
  assertEquals([far, near].map((it) => qualifierAt(it!, connections)), [undefined, "at least"]);
});

Deno.test("qualifierAt() is at most where the load generator limited the control only", () => {
  const qualifiers = [10, 1].map((ceiling) => qualifierAt(boundResult(ceiling, 0, 0.5), 10));
  assertEquals(qualifiers, [undefined, "at most"]);
});

Deno.test("ratioAt() gives none beside a cold load that speaks against the server, and one beside a disturbed load", () => {
  const [result] = exampleRun("20260105T000000Z-0000000");
  const [level] = result!.levels;
  const { connections, goodput } = result!.comparison!.levels[0]!;
  const ratioBeside = (...codes: ReasonCode[]) => {
    const reasons = codes.map((code) => ({ code, message: `because of ${code}` }));
    const { startedAt } = level!.repetitions[0]!;
    const repetitions = [{ startedAt, validity: { valid: false as const, reasons } }];
    const levels = [{ connections, repetitions }];
    return ratioAt({ ...result!, levels }, connections);
  };
  assertEquals(valueOf(ratioBeside("foreign-load", "steal", "swapping")), goodput);
  assertEquals(
    missingOf(ratioBeside("foreign-load", "query-count")),
    `${result!.impl.name} is invalid at ${connections} connections: because of query-count`,
  );
});
