import { assertEquals } from "@std/assert";
import type { ComparedRound } from "./comparison_schema.ts";
import { problemOf, unevenWarmUp } from "./uneven_warm_up.ts";

function round(requests: number, correct: number): ComparedRound {
  const side = { failed: 0, seconds: 1, perSlice: [] };
  return {
    startedAt: "2026-01-01T00:00:00.000Z",
    order: "srrs",
    warmUpRequests: { subject: requests, reference: 40_000 },
    subject: { ...side, correct },
    reference: { ...side, correct: 10_000 },
  };
}

const long = [4_000, 4_200, 4_400].map((correct) => round(400_000, correct));

Deno.test("unevenWarmUp() finds rounds that stopped to warm up while they were cold", () => {
  const short = [1_000, 1_200, 1_100].map((correct) => round(80_000, correct));
  assertEquals(
    unevenWarmUp([...short, ...long]),
    "in 3 of 6 rounds its process was cold: the others, after more than 200,000 requests, gave 3.8 times as much",
  );
});

Deno.test("unevenWarmUp() lets pass what more requests did not change", () => {
  const short = [4_100, 3_900, 4_600].map((correct) => round(80_000, correct));
  assertEquals(unevenWarmUp([...short, ...long]), undefined);
});

Deno.test("unevenWarmUp() does not judge by one or two rounds, nor without their requests", () => {
  const short = [1_000, 1_200].map((correct) => round(80_000, correct));
  assertEquals(unevenWarmUp([...short, ...long]), undefined);
  const unknown = [...short, ...long].map(({ warmUpRequests: _, ...rest }) => rest);
  assertEquals(unevenWarmUp(unknown), undefined);
});

Deno.test("problemOf() gives the problem that was written down first", () => {
  assertEquals(problemOf({ connections: 50, rounds: long, problem: "failed" }), "failed");
  assertEquals(problemOf({ connections: 50, rounds: long }), undefined);
});
