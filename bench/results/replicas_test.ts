import { assertEquals } from "@std/assert";
import { exampleRun } from "../testing/example_run.ts";
import { firstsOf, numberOf, replicatedOf, shownReplicas } from "./replicas.ts";
import type { Result } from "./result_schema.ts";

/** Makes replicas of one implementation on these processors; "" for one that failed. */
function replicasOn(...processors: string[]): Result[] {
  return processors.map((cpuModel, index) => {
    const [swift] = exampleRun("20260105T000000Z-0000000") as [Result];
    if (index > 0) swift.replica = index + 1;
    if (cpuModel !== "") swift.machine.cpuModel = cpuModel;
    else {
      swift.status = "failed";
      swift.failure = { stage: "build", message: "no room", detail: "" };
    }
    return swift;
  });
}

const firstOf = (...processors: string[]) => numberOf(firstsOf(replicasOn(...processors))[0]!);

Deno.test("the first complete result on the kind of machine that most have stands for an implementation", () => {
  assertEquals(firstOf("A"), 1);
  assertEquals(firstOf("A", "A", "A"), 1);
  assertEquals(firstOf("A", "B", "B"), 2);
  assertEquals(firstOf("A", "B", "C"), 1);
  assertEquals(firstOf("", "B", "A", "A"), 3);
  assertEquals(firstOf("", "", ""), 1);
  // Whatever came out.
  const slow = replicasOn("A", "A");
  slow[1]!.comparison!.levels[0]!.goodput!.estimate *= 2;
  assertEquals(numberOf(firstsOf(slow)[0]!), 1);
});

Deno.test("shownReplicas() tells which failed, and which are on another kind of machine", () => {
  const shown = (...processors: string[]) =>
    shownReplicas(replicatedOf(replicasOn(...processors))[0]!);
  assertEquals(shown("A"), []);
  assertEquals(shown("", "A", "B", "A"), [
    {
      number: 1,
      machine: "Example CPU, 2 processors",
      missing: "failed at build: no room",
    },
    { number: 2, machine: "A, 2 processors", missing: undefined },
    {
      number: 3,
      machine: "B, 2 processors",
      missing: "another kind of machine, a series of its own",
    },
    { number: 4, machine: "A, 2 processors", missing: undefined },
  ]);
});

Deno.test("shownReplicas() tells that the first machine left nothing", () => {
  const [, second] = replicasOn("A", "A");
  const [replicated] = replicatedOf([second!]);
  assertEquals(shownReplicas(replicated!).map(({ number }) => number), [2]);
});
