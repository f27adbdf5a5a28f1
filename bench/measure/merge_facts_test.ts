import { assertAlmostEquals, assertEquals } from "@std/assert";
import type { ComparedSide } from "../results/comparison_schema.ts";
import { type LoadFacts, loadFactsSchema } from "../results/load_schema.ts";
import { exampleObservation } from "../testing/example_result.ts";
import { factsOf } from "./load.ts";
import { mergeFacts, mergeLoads, mergeMachine } from "./merge_facts.ts";

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

/** Returns facts of which each has another value than any of `attempted` = 1,000 or 3,000 requests has. */
function distinctFacts(attempted: 1_000 | 3_000): LoadFacts {
  const [which, other] = attempted === 1_000 ? ["first", 0] as const : ["second", 4] as const;
  return {
    attempted,
    correct: 900 + other,
    refused: 10 + other,
    wrong: { "stale-record": 1, [`${which}-only`]: 2 },
    problems: [{ check: "stale-record", sent: which, came: "b", expected: "a" }],
    failures: { timeout: 3, [which]: 4 },
    reconnects: 20 + other,
    queries: {
      perRequest: 1 + other,
      expectedPerRequest: 2 + other,
      executesPerRequest: 3 + other,
      prepares: 30 + other,
      pingsPerRequest: 4 + other,
      rowsReadPerRequest: 5 + other,
      aroundPerRequest: 6 + other,
      transactionsPerRequest: 7 + other,
      problems: ["text", `${which} text`],
      outOfStep: `${which} reading`,
      peakConnections: 40 + other,
      meanRunning: 8 + other,
    },
    calls: {
      received: 50 + other,
      answered: 60 + other,
      connectionsOpened: 70 + other,
      peakConnections: 80 + other,
      peakOpen: 90 + other,
      faults: 110 + other,
      lateSeconds: 0.5 + other,
    },
    notCounted: ["rows", `${which}: transactions`],
    rowLocks: 120 + other,
    rowsStillSeconds: 0.2 + other,
    log: { lines: 100 + other },
    leftGroup: ["sh", `${which} helper`],
    schedulingChanges: ["nice", `${which} policy`],
  };
}

Deno.test("mergeFacts() has every fact of its loads", () => {
  const merged = mergeFacts([distinctFacts(1_000), distinctFacts(3_000)])!;
  assertEquals(merged, {
    attempted: 4_000,
    correct: 1_804,
    refused: 24,
    wrong: { "stale-record": 2, "first-only": 2, "second-only": 2 },
    problems: [{ check: "stale-record", sent: "first", came: "b", expected: "a" }],
    failures: { timeout: 6, first: 4, second: 4 },
    reconnects: 44,
    queries: {
      perRequest: 4,
      expectedPerRequest: 5,
      executesPerRequest: 6,
      prepares: 64,
      pingsPerRequest: 7,
      rowsReadPerRequest: 8,
      aroundPerRequest: 9,
      transactionsPerRequest: 10,
      problems: ["text", "first text", "second text"],
      outOfStep: "first reading",
      peakConnections: 44,
    },
    calls: {
      received: 104,
      answered: 124,
      connectionsOpened: 144,
      peakConnections: 84,
      peakOpen: 94,
      faults: 224,
      lateSeconds: 5,
    },
    notCounted: ["rows", "first: transactions", "second: transactions"],
    rowLocks: 244,
    rowsStillSeconds: 4.2,
    log: { lines: 204 },
    leftGroup: ["sh", "first helper", "second helper"],
    schedulingChanges: ["nice", "first policy", "second policy"],
  });
  const { shape } = loadFactsSchema;
  const named = (of: object) => Object.keys(of).sort();
  assertEquals(named(merged), named(shape));
  assertEquals(named(merged.calls!), named(shape.calls.unwrap().shape));
  // How many samples a mean is of is not known.
  const { meanRunning: _, ...queries } = shape.queries.unwrap().shape;
  assertEquals(named(merged.queries!), named(queries));
});

Deno.test("mergeFacts() knows no sum where it is unknown of one load", () => {
  const { reconnects: _, ...unknown } = distinctFacts(3_000);
  const { rowsReadPerRequest: __, ...queries } = unknown.queries!;
  const merged = mergeFacts([distinctFacts(1_000), { ...unknown, queries }])!;
  assertEquals([merged.reconnects, merged.queries!.rowsReadPerRequest], [undefined, undefined]);
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
    faults: undefined,
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
  const [sh, rustc] = [{ name: "sh", cpuSeconds: 1.5 }, { name: "rustc", cpuSeconds: 2 }];
  const naming = (busiestOther: typeof sh) => ({ ...machine, busiestOther });
  const { busiestOther } = mergeMachine([naming(sh), machine, naming(rustc), naming(sh)])!;
  assertEquals(busiestOther, { name: "sh", cpuSeconds: 3 });
  assertEquals(mergeMachine([naming(sh), naming(rustc)])!.busiestOther, rustc);
  const hidden = { ...machine, foreignCpuSeconds: undefined };
  assertEquals(mergeMachine([machine, hidden])!.foreignCpuSeconds, undefined);
  assertEquals(mergeMachine([machine, undefined]), undefined);
});

Deno.test("mergeLoads() has every fact of its loads, and weighs CPU time by answers", () => {
  const side = (n: number): ComparedSide => ({
    correct: 100 * n,
    failed: n,
    seconds: n,
    perSlice: [n],
    secondsPerLoad: [n],
    settling: { correct: 10 * n, seconds: n },
    cpuSecondsPerAnswer: n,
    schedulingChanges: ["nice", `${n}`],
    frozenCpuSeconds: n,
    ranOnSeconds: n,
    rivalConnections: n,
  });
  const load = (n: number) => ({
    startedAt: `2026-01-0${n}T00:00:00.000Z`,
    order: "srrs",
    subject: side(n),
    reference: side(2 * n),
  });
  const { startedAt, order, subject, reference } = mergeLoads([load(1), load(3)]);
  assertEquals([startedAt, order], ["2026-01-01T00:00:00.000Z", "srrs srrs"]);
  assertEquals(reference.perSlice, [2, 6]);
  assertEquals(subject, {
    correct: 400,
    failed: 4,
    seconds: 4,
    perSlice: [1, 3],
    secondsPerLoad: [1, 3],
    settling: { correct: 40, seconds: 4 },
    cpuSecondsPerAnswer: 2.5,
    schedulingChanges: ["nice", "1", "3"],
    frozenCpuSeconds: 4,
    ranOnSeconds: 3,
    rivalConnections: 4,
    load: undefined,
  });
});
