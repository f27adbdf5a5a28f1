import { assertEquals } from "@std/assert";
import { exampleRun } from "../../testing/example_run.ts";
import { showSweep, sweepFinding, sweepWords } from "./sweep.ts";

const plan = showSweep(exampleRun("20260105T000000Z-0000005")[0]!.rateSweep!).plan;

function sweep(name: string, perSecond?: number) {
  return {
    impl: { name },
    sweep: {
      plan,
      isValid: true,
      sustainablePerSecond: perSecond,
      isHighestOffered: perSecond === 4_000,
    },
  };
}

Deno.test("sweepFinding() says at least where the highest rate offered was sustained", () => {
  assertEquals(
    sweepFinding([sweep("A", 4_000), sweep("B", 2_000), sweep("C")]),
    "A sustained at least 4,000 requests per second with p99 ≤ 50 ms; C none",
  );
  assertEquals(
    sweepFinding([sweep("A", 2_000), sweep("B", 2_000)]),
    "A and B sustained 2,000 requests per second with p99 ≤ 50 ms",
  );
  assertEquals(sweepFinding([sweep("A")]), "No rate was sustained with p99 ≤ 50 ms");
  assertEquals(sweepFinding([]), "No rate sweep was valid");
});

Deno.test("sweepWords() tells an invalid step, which has no figure, from no sustainable rate", () => {
  assertEquals(
    sweepWords({ isValid: false, isHighestOffered: false }),
    "no figure, because a step was invalid",
  );
  assertEquals(sweepWords({ isValid: true, isHighestOffered: false }), "sustained no rate");
});

Deno.test("showSweep() finds the stall of one that freezes, and none of what is overloaded", () => {
  for (const { impl, rateSweep } of exampleRun("20260105T000000Z-0000005")) {
    const { stalls, steps } = showSweep(rateSweep!);
    assertEquals(stalls.length > 0, impl.id === "freezing", impl.id);
    assertEquals(steps[0]!.floorP99Seconds, rateSweep!.floor[0]!.latencySeconds.p99);
  }
});
