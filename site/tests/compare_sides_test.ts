/** What two sides of a comparison have beside each other, and why they may not. */
import { assertAlmostEquals, assertEquals, assertStringIncludes } from "@std/assert";
import { warningsFor } from "../assets/compare_words.js";
import type { ApiImpl, ApiRun } from "../../bench/site/api/schema.ts";
import {
  compareOnly,
  implOf,
  levelOf,
  newer,
  older,
  runOf,
} from "../../bench/testing/example_api.ts";

Deno.test("compareSides() has goodput of what the load generator bounds as such", () => {
  const bound = implOf("one", [levelOf(1, 1.1, { isGeneratorBound: true })]);
  const { goodput } = compareOnly(runOf(newer, [bound]), runOf(older, [implOf("one", [])]));
  assertEquals(goodput, [{
    connections: 50,
    a: {
      isBound: true,
      warm: bound.levels[0]!.warm.goodputPerSecond,
      warmMissing: undefined,
      cold: 1000,
      coldMissing: undefined,
    },
    b: {
      isBound: false,
      warm: undefined,
      warmMissing: "not compared at this level",
      cold: undefined,
      coldMissing: "not measured at this level",
    },
  }]);
});

Deno.test("compareSides() has no figures of other scenarios, other classes, and what failed", () => {
  const one = implOf("one", [levelOf(1, 1.1)]);
  const against = (impl: ApiImpl, more: Partial<ApiRun> = {}) => {
    const { rows, goodput, reason } = compareOnly(
      runOf(newer, [one]),
      runOf(older, [impl], more),
    );
    assertEquals([rows, goodput], [undefined, undefined]);
    return reason;
  };
  assertEquals(
    against(one, { scenario: "hello" }),
    "their scenarios differ, jwt-mysql and hello",
  );
  assertEquals(
    against({ ...one, class: "tuned" }),
    "one is standard and the other tuned, which are ranked separately",
  );
  const failure = { stage: "build" as const, message: "exit code is 1, expected 0" };
  assertEquals(
    against({ ...one, status: "failed", failure }),
    `ONE failed in run ${older} at build: exit code is 1, expected 0`,
  );
});

Deno.test("compareSides() says for each level why a side has no ratio", () => {
  const levels = [
    levelOf(1, 1.1),
    { connections: 10, cold: {}, warm: { tieGroups: [], ratioMissing: "one: the subject exited" } },
    { connections: 100, cold: { missing: "too many failures; swapping" }, warm: { tieGroups: [] } },
  ];
  const { rows, goodput } = compareOnly(
    runOf(newer, [implOf("one", levels)]),
    runOf(older, [implOf("one", [levelOf(1, 1.1)])]),
  );
  assertEquals(
    rows!.map(({ connections, a, b }) => [connections, a.missing, b.missing]),
    [
      [10, "one: the subject exited", "not compared at this level"],
      [50, undefined, undefined],
      [100, "too many failures; swapping", "not compared at this level"],
    ],
  );
  assertEquals(rows![0]!.verdict, "not comparable: a ratio is missing");
  assertEquals(goodput!.map(({ a, b }) => [a, b].map((it) => it.coldMissing ?? it.cold)), [
    ["not measured at this level", "not measured at this level"],
    [1000, 1000],
    ["too many failures; swapping", "not measured at this level"],
  ]);
});

Deno.test("goodput of a machine that polls when idle is not shown beside that of one that does not", () => {
  const polling = implOf("one", [levelOf(1, 1.1)], {
    machine: { cpuModel: "Example CPU", cpuCount: 2, idle: "polls" },
  });
  const a = runOf(newer, [implOf("one", [levelOf(1, 1.1)])]);
  const b = runOf(older, [polling]);
  assertEquals(compareOnly(a, b).goodput, undefined);
  const [warning = ""] = warningsFor({ run: a, impl: a.impls[0]! }, { run: b, impl: polling });
  assertStringIncludes(warning, "and Example CPU, 2 processors, polling when idle.");
});

Deno.test("goodput of different machines is not shown, and a warning says so", () => {
  const elsewhere = implOf("one", [levelOf(1, 1.1)], {
    machine: { cpuModel: "Other CPU", cpuCount: 4 },
  });
  const a = runOf(newer, [implOf("one", [levelOf(1, 1.1)])], {
    marks: ["profile quick, not full"],
  });
  const b = runOf(older, [elsewhere], { profile: "quick" });
  const { goodput, rows } = compareOnly(a, b);
  assertEquals(goodput, undefined);
  assertAlmostEquals(rows![0]!.a.ratio!.low, 1);
  assertEquals(warningsFor({ run: a, impl: a.impls[0]! }, { run: b, impl: elsewhere }), [
    "Machines differ: Example CPU, 2 processors and Other CPU, 4 processors. " +
    "Only ratios to the control are shown, no goodput.",
    "Profiles differ: full and quick. Warming up is a larger part of a shorter cold load.",
    `Run ${newer} is provisional: profile quick, not full.`,
  ]);
});
