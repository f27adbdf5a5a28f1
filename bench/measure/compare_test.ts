import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import type { ComparedRound, ComparedSide } from "../results/comparison_schema.ts";
import type { LoadFacts } from "../results/load_schema.ts";
import { exampleObservation } from "../testing/example_result.ts";
import { concludeLevel } from "./compare.ts";
import { factsOf } from "./load.ts";

const plan = { poolMax: 16 };
const machine = exampleObservation().resources!.machine;

function side(correct: number, load: Partial<LoadFacts> = {}): ComparedSide {
  const facts = { ...factsOf(exampleObservation()), attempted: correct, correct, ...load };
  return {
    correct,
    failed: facts.attempted - facts.correct,
    seconds: 1,
    perSlice: [correct],
    cpuSecondsPerAnswer: 1 / correct,
    load: facts,
  };
}

function roundsOf(pairs: [subject: ComparedSide, reference: ComparedSide][]): ComparedRound[] {
  return pairs.map(([subject, reference]) => ({
    startedAt: "2026-01-01T00:00:00.000Z",
    order: "srrs",
    ...{ subject, reference, machine },
  }));
}

/** Three rounds, in the second of which the reference is another. */
function roundsWith(reference: ComparedSide): ComparedRound[] {
  return roundsOf([
    [side(2_000), side(1_000)],
    [side(2_000), reference],
    [side(2_000), side(1_000)],
  ]);
}

Deno.test("concludeLevel() gives the ratio of goodput, and that of CPU time the other way round", () => {
  const level = concludeLevel(50, roundsWith(side(1_000)), plan);
  assertEquals([level.goodput?.estimate, level.goodput?.rounds], [2, 3]);
  assertEquals(level.cpuPerAnswer?.estimate, 0.5);
  assertEquals(level.goodputPerSecond, { subject: 2_000, reference: 1_000 });
});

Deno.test("concludeLevel() gives no ratio of two rounds", () => {
  const level = concludeLevel(50, roundsWith(side(1_000)).slice(0, 2), plan);
  assertEquals([level.goodput, level.problem], [undefined, undefined]);
});

Deno.test("concludeLevel() gives the problem in place of a ratio", async (t) => {
  const wrong: Partial<LoadFacts> = {
    attempted: 1_001,
    wrong: { "another-record": 1 },
    problems: [{ check: "another-record", sent: "GET / for a", came: "b", expected: "a" }],
  };
  const cases: [title: string, reference: ComparedSide, problem: string][] = [
    [
      "where one answer was wrong",
      side(1_000, wrong),
      "the reference: under load, 1 of 3001 answers were wrong (another-record), expected none; " +
      "the first: GET / for a was answered with b, expected a",
    ],
    [
      "where an answer was wrong while a process was warmed up",
      { ...side(1_000), warmUp: side(1_000, wrong).load },
      "the reference: while it was warmed up, 1 of 1001 answers were wrong (another-record)",
    ],
    [
      "where too many requests failed",
      side(1_000, { attempted: 1_006, failures: { timeout: 6 } }),
      "the reference: 6 of 3006 requests failed (timeout: 6), expected at most 0.1 %",
    ],
    [
      "where a round had no answer, rather than a ratio of zero",
      side(0),
      "the reference: no request was answered correctly in 1 of 3 rounds, expected some",
    ],
    [
      "where statements are missing",
      side(1_000, { queries: { ...factsOf(exampleObservation()).queries!, perRequest: 0.8 } }),
      "the reference: the database counted 0.927 queries per request, expected 0.990",
    ],
  ];
  for (const [title, reference, problem] of cases) {
    await t.step(title, () => {
      const level = concludeLevel(50, roundsWith(reference), plan);
      assertEquals([level.goodput, level.cpuPerAnswer], [undefined, undefined]);
      assertStringIncludes(level.problem!, problem);
    });
  }
  await t.step("where the machine disturbed a round, however often it was measured", () => {
    const [first, ...others] = roundsWith(side(1_000));
    const disturbed = { ...first!, machine: { ...machine, stealCpuSeconds: 1 } };
    const level = concludeLevel(50, [...others, disturbed], plan);
    assertMatch(
      level.problem!,
      /^in round 3, the hypervisor took 20.0 % of the machine's CPU time/,
    );
  });
});
