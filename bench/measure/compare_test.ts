import { assert, assertEquals, assertMatch } from "@std/assert";
import { concludeLevel } from "./compare.ts";
import type { ComparedRound, ComparedSide } from "../results/comparison_schema.ts";

function side(correct: number, failed = 0): ComparedSide {
  return { correct, failed, seconds: 1, perSlice: [correct], cpuSecondsPerAnswer: 1 / correct };
}

function roundsOf(pairs: [subject: ComparedSide, reference: ComparedSide][]): ComparedRound[] {
  return pairs.map(([subject, reference]) => ({
    startedAt: "2026-01-01T00:00:00.000Z",
    order: "srrs",
    subject,
    reference,
  }));
}

Deno.test("concludeLevel() gives the ratio of goodput, and that of CPU time the other way round", () => {
  const level = concludeLevel(50, roundsOf([1, 2, 3].map(() => [side(2_000), side(1_000)])));
  assertEquals([level.goodput?.estimate, level.goodput?.rounds], [2, 3]);
  assertEquals(level.cpuPerAnswer?.estimate, 0.5);
  assertEquals(level.goodputPerSecond, { subject: 2_000, reference: 1_000 });
});

Deno.test("concludeLevel() gives no ratio of two rounds", () => {
  const level = concludeLevel(50, roundsOf([1, 2].map(() => [side(2_000), side(1_000)])));
  assertEquals([level.goodput, level.problem], [undefined, undefined]);
});

Deno.test("concludeLevel() gives the problem in place of a ratio where too many answers failed", () => {
  const level = concludeLevel(
    50,
    roundsOf([1, 2, 3].map(() => [side(2_000), side(1_000, 2)])),
  );
  assertEquals(level.goodput, undefined);
  assertMatch(level.problem!, /^6 requests to the reference failed, with 3000 correct answers/);
});

Deno.test("concludeLevel() takes a round without any answer for a problem, not for a ratio of zero", () => {
  const silent = { correct: 0, failed: 0, seconds: 1, perSlice: [0] };
  const level = concludeLevel(
    50,
    roundsOf([[side(1_000), side(1_000)], [side(1_000), side(1_000)], [silent, side(1_000)]]),
  );
  assertEquals(level.goodput, undefined);
  assert(level.problem !== undefined);
});
