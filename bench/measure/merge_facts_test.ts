import { assertAlmostEquals, assertEquals } from "@std/assert";
import type { LoadFacts } from "../results/load_schema.ts";
import { exampleObservation } from "../testing/example_result.ts";
import { factsOf } from "./load.ts";
import { mergeFacts, mergeMachine } from "./merge_facts.ts";

const facts = factsOf(exampleObservation());

Deno.test("mergeFacts() adds counts, and keeps the first problem of each kind", () => {
  const problem = (check: string, sent: string) => ({ check, sent, came: "b", expected: "a" });
  const first: LoadFacts = {
    ...facts,
    wrong: { "stale-record": 2 },
    problems: [problem("stale-record", "GET /1")],
    failures: { timeout: 1 },
  };
  const second: LoadFacts = {
    ...facts,
    wrong: { "stale-record": 1, "not-refused": 4 },
    problems: [problem("not-refused", "GET /2"), problem("stale-record", "GET /3")],
    leftGroup: ["sh helper"],
  };
  const merged = mergeFacts([first, second])!;
  assertEquals([merged.attempted, merged.correct, merged.refused], [20_000, 20_000, 200]);
  assertEquals(merged.wrong, { "stale-record": 3, "not-refused": 4 });
  assertEquals(merged.problems!.map(({ sent }) => sent), ["GET /1", "GET /2"]);
  assertEquals(merged.failures, { timeout: 1 });
  assertEquals(merged.leftGroup, ["sh helper"]);
  assertEquals(mergeFacts([]), undefined);
});

Deno.test("mergeFacts() weighs statements by requests, and keeps the highest number of connections", () => {
  const load = (attempted: number, perRequest: number, peakConnections: number): LoadFacts => ({
    ...facts,
    attempted,
    queries: { ...facts.queries!, perRequest, peakConnections },
  });
  const { queries } = mergeFacts([load(1_000, 1, 16), load(3_000, 2, 12)])!;
  assertAlmostEquals(queries!.perRequest, 1.75);
  assertAlmostEquals(queries!.expectedPerRequest!, 0.99);
  assertEquals([queries!.prepares, queries!.peakConnections], [32, 16]);
  const { queries: none } = mergeFacts([{ ...facts, queries: undefined }])!;
  assertEquals(none, undefined);
});

Deno.test("mergeFacts() adds calls of the upstream, and keeps the most that were open at one time", () => {
  const load = (received: number, peakOpen: number): LoadFacts => {
    const calls = { received, answered: received, connectionsOpened: 5, peakConnections: 9 };
    return { ...facts, calls: { ...calls, peakOpen } };
  };
  const merged = {
    received: 150,
    answered: 150,
    connectionsOpened: 10,
    peakConnections: 9,
    peakOpen: 8,
    lateSeconds: undefined,
  };
  const loads = [load(100, 7), load(50, 8), facts];
  assertEquals(mergeFacts(loads)!.calls, merged);
  const late = loads.map((load, index) =>
    load.calls === undefined
      ? load
      : { ...load, calls: { ...load.calls, lateSeconds: index + 0.5 } }
  );
  assertEquals(mergeFacts(late)!.calls, { ...merged, lateSeconds: 2 });
  assertEquals(mergeFacts([facts])!.calls, undefined);
});

Deno.test("mergeMachine() adds, and tells nothing where one load tells nothing", () => {
  const { machine } = exampleObservation().resources!;
  assertEquals(mergeMachine([machine, machine])!.capacityCpuSeconds, 10);
  const hidden = { ...machine, foreignCpuSeconds: undefined };
  assertEquals(mergeMachine([machine, hidden])!.foreignCpuSeconds, undefined);
  assertEquals(mergeMachine([machine, undefined]), undefined);
});
