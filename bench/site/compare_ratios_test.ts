import { assertEquals } from "@std/assert";
import { ratioRows } from "../../site/assets/compare_ratios.js";

type Side = Parameters<typeof ratioRows>[0];

/** Returns an implementation in a run whose ratio is over several. */
function side(runId: string, implId: string, low: number): Side {
  const ratio = { estimate: low + 0.05, low, high: low + 0.1 };
  const warm = { ratio, overRuns: { ...ratio, runs: 3 } };
  return {
    run: { id: runId, pairs: [] },
    impl: { id: implId, name: implId, levels: [{ connections: 50, warm }] },
  } as unknown as Side;
}

const verdictOf = (a: Side, b: Side) =>
  ratioRows(a, b, { levels: [50], isOneMachine: true })[0]!.verdict;

Deno.test("ratioRows() of two runs goes by whether intervals over runs overlap", () => {
  assertEquals(
    verdictOf(side("later", "go", 0.8), side("earlier", "deno", 0.3)),
    "the intervals do not overlap: the first is higher",
  );
});

Deno.test("ratioRows() decides nothing of one program in two runs: the later interval has both in it", () => {
  assertEquals(
    verdictOf(side("later", "go", 0.8), side("earlier", "go", 0.3)),
    "not decided here: the later interval contains the earlier runs; see the changes of its run",
  );
});
