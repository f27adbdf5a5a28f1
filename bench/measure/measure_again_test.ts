import { assertEquals } from "@std/assert";
import { silent } from "../lib/report.ts";
import { measureAgain } from "./measure_again.ts";

Deno.test("measureAgain() measures again as often as it may, and the last counts", async () => {
  const lines: string[] = [];
  const replaced: string[] = [];
  const session = { report: { ...silent, line: (line: string) => lines.push(line) } };
  const measureAll = (problems: (string | undefined)[], mostRepeats?: number) =>
    measureAgain((repeats) => Promise.resolve({ repeats, problem: problems[repeats] }), {
      session: { ...session, mostRepeats },
      title: "A step",
      why: ({ problem }) => problem,
      onReplaced: ({ problem }) => replaced.push(problem!),
    });
  assertEquals(await measureAll([undefined]), { repeats: 0, problem: undefined });
  assertEquals(lines, []);
  assertEquals(await measureAll(["a", undefined]), {
    repeats: 1,
    problem: undefined,
    repeatedBecause: "a",
  });
  assertEquals(lines, ["A step, once more: a"]);
  assertEquals(await measureAll(["a", "b", "c"]), {
    repeats: 1,
    problem: "b",
    repeatedBecause: "a",
  });
  assertEquals(await measureAll(["a", "b", "c"], 2), {
    repeats: 2,
    problem: "c",
    repeatedBecause: "a; then b",
  });
  assertEquals(await measureAll(["a"], 0), { repeats: 0, problem: "a" });
  assertEquals(replaced, ["a", "a", "a", "b"]);
});
