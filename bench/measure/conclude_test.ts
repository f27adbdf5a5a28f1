import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import type { ComparedRound, ComparedSide } from "../results/comparison_schema.ts";
import type { LoadFacts } from "../results/load_schema.ts";
import { exampleObservation } from "../testing/example_result.ts";
import { comparedSide as side, roundsOf, roundsWith } from "../testing/compared_rounds.ts";
import { withoutMachine } from "../testing/of_machine.ts";
import { concludeLevel, isLost } from "./conclude.ts";
import { factsOf } from "./load.ts";
import { logRatiosOf } from "../results/compared.ts";

const plan = { slices: 1, sliceSeconds: 1, settleSeconds: 0, loads: 1, minRounds: 3 };
const options = { poolMax: 16, plan };

Deno.test("concludeLevel() gives the ratio of goodput, and that of CPU time the other way round", () => {
  const level = concludeLevel(50, roundsWith(side(1_000)), options);
  assertEquals([level.goodput?.estimate, level.goodput?.rounds], [2, 3]);
  assertEquals(level.cpuPerAnswer?.estimate, 0.5);
  assertEquals(level.goodputPerSecond, { subject: 2_000, reference: 1_000 });
});

Deno.test("concludeLevel() gives no ratio of two rounds", () => {
  const level = concludeLevel(50, roundsWith(side(1_000)).slice(0, 2), options);
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
      "the reference: under load, 1 of 3,001 answers were wrong (another-record), expected none; " +
      "the first: GET / for a was answered with b, expected a",
    ],
    [
      "where an answer was wrong while a process was warmed up",
      { ...side(1_000), warmUp: { requests: 1_000, load: side(1_000, wrong).load } },
      "the reference: while it was warmed up, 1 of 1,001 answers were wrong (another-record)",
    ],
    [
      "where too many requests failed",
      side(1_000, { attempted: 1_006, failures: { timeout: 6 } }),
      "the reference: 6 of 3,006 requests failed (timeout: 6), expected at most 0.1 %",
    ],
    [
      "where a round had no answer, rather than a ratio of zero",
      side(0),
      "the reference: no request was answered correctly in 1 of 3 rounds, expected some",
    ],
    [
      "where a process could use fewer processors after a side had run",
      { ...side(1_000), schedulingChanges: ["the control could use processors 0 only"] },
      "the reference: the control could use processors 0 only",
    ],
    [
      "where a process worked while it was frozen",
      { ...side(1_000), frozenCpuSeconds: 0.314 },
      "the reference: its processes used 0.31 s of CPU time while they were frozen, expected at most 0.03 s in a load",
    ],
    [
      "where the database still worked for a side that was frozen",
      { ...side(1_000), ranOnSeconds: 1.004 },
      "the reference: the database still worked for it 1.00 s after it was frozen, expected none " +
      "of its statements to be in execution by then",
    ],
    [
      "where statements are missing",
      side(1_000, { queries: { ...factsOf(exampleObservation()).queries!, perRequest: 0.8 } }),
      "the reference: the database counted 0.927 queries per request, expected 0.990",
    ],
  ];
  for (const [title, reference, problem] of cases) {
    await t.step(title, () => {
      const level = concludeLevel(50, roundsWith(reference), options);
      assertEquals([level.goodput, level.cpuPerAnswer], [undefined, undefined]);
      assertStringIncludes(level.problem!, problem);
    });
  }
  await t.step("where the machine disturbed too many rounds", () => {
    const [first, ...others] = roundsWith(side(1_000));
    const disturbed = { ...first!, disturbed: "the hypervisor took 20.0 %" };
    const level = concludeLevel(50, [...others, disturbed], options);
    assertEquals(
      level.problem,
      "1 of 3 rounds are left out, expected at most 25 %; the first: the hypervisor took 20.0 %",
    );
  });
});

Deno.test("concludeLevel() judges the answers of a round that it leaves out, too", () => {
  const rounds = Array.from({ length: 5 }, () => roundsOf([[side(2_000), side(1_000)]])).flat();
  const [first, ...others] = rounds;
  const reference = side(1_000, { attempted: 1_001, wrong: { "another-record": 1 } });
  const odd = { ...first!, reference, disturbed: "the hypervisor took 20.0 %" };
  assertStringIncludes(
    concludeLevel(50, [...others, odd], options).problem!,
    "the reference: under load, 1 of 5,001 answers were wrong (another-record), expected none",
  );
});

Deno.test("concludeLevel() holds against one side alone that rows stood still while it locked them", () => {
  const problemOf = (load: Partial<LoadFacts>) => {
    const still = { rowsStillSeconds: 4 };
    const subject = side(2_000, { ...still, ...load });
    return concludeLevel(50, roundsOf([[subject, side(1_000, still)]]), options).problem;
  };
  const locked = problemOf({ rowLocks: 2 })!;
  assertMatch(locked, /^the subject: under load, 2 changes of rows waited for a lock/);
  assertEquals(locked.includes("the reference: "), false, locked);
  const warmUp = { requests: 1_000, load: side(1_000, { rowLocks: 1 }).load };
  const warmedUp = { ...side(2_000), warmUp };
  const inWarmUp = concludeLevel(
    50,
    roundsOf([[warmedUp, side(1_000, { rowsStillSeconds: 4 })]]),
    options,
  );
  assertMatch(inWarmUp.problem!, /^the subject: while it was warmed up, 1 change of a row waited/);
  assertEquals(inWarmUp.problem!.includes("the reference: "), false, inWarmUp.problem);
  assertMatch(
    problemOf({})!,
    /^the subject: .* no row changed for 4.0 s.*; the reference: .* no row/,
  );
});

Deno.test("concludeLevel() allows each load to open its connections to the upstream", () => {
  const calling = (connectionsOpened: number) => {
    const calls = { received: 1_000, answered: 1_000, peakConnections: 50, peakOpen: 50 };
    return side(1_000, { calls: { ...calls, connectionsOpened } });
  };
  const problemOf = (opened: number) => {
    const rounds = Array.from({ length: 5 }, () => roundsOf([[calling(opened), side(1_000)]]));
    return concludeLevel(50, rounds.flat(), options).problem;
  };
  assertEquals(problemOf(550), undefined);
  assertMatch(problemOf(551)!, /2,755 connections to the upstream were opened .* at most 2,750/);
});

Deno.test("concludeLevel() gives the problem where the upstream may be what was measured", () => {
  const calls = { received: 1_000, answered: 1_000, connectionsOpened: 50 };
  const calling = side(1_000, { calls: { ...calls, peakConnections: 50, peakOpen: 50 } });
  const rounds = Array.from({ length: 3 }, () => roundsOf([[calling, side(1_000)]])).flat();
  const problemOf = (callsPerSecond: number) =>
    concludeLevel(50, rounds, { ...options, upstreamLimit: { callsPerSecond } }).problem;
  assertEquals(problemOf(1_500), undefined);
  assertStringIncludes(problemOf(1_400)!, "the subject: the upstream had 1,000 calls per second");
});

Deno.test("concludeLevel() leaves out a round that the machine disturbed, or whose compilers were at work", () => {
  const rounds = Array.from({ length: 5 }, () => roundsOf([[side(20_000), side(10_000)]])).flat();
  const [first, ...others] = rounds;
  const compiling = { ...side(90_000), warmUp: { requests: 400_000, isQuiet: false } };
  for (
    const odd of [
      { ...first!, subject: side(90_000), disturbed: "the hypervisor took 20.0 %" },
      { ...first!, subject: side(0), disturbed: "the hypervisor took 90.0 %" },
      { ...first!, subject: compiling },
      { ...first!, reference: compiling },
    ]
  ) {
    const level = concludeLevel(50, [...others, odd], options);
    assertEquals(level.problem, undefined);
    assertEquals([level.goodput?.estimate, level.goodput?.rounds], [2, 4]);
    assertEquals(level.goodputPerSecond, { subject: 20_000, reference: 10_000 });
    assertEquals([level.rounds.length, logRatiosOf(level).length], [5, 4]);
  }
});

Deno.test("concludeLevel() gives the problem where compilers were still at work in too many rounds", () => {
  const compiling = { ...side(1_000), warmUp: { requests: 400_000, isQuiet: false } };
  assertEquals(
    concludeLevel(50, roundsWith(compiling), options).problem,
    "1 of 3 rounds are left out, expected at most 25 %; " +
      "the first: compilers of the reference were still at work after the warm-up",
  );
});

Deno.test("concludeLevel() gives a ratio where one of four rounds is left out", () => {
  const [first, ...others] = [...roundsWith(side(1_000)), ...roundsWith(side(1_000)).slice(2)];
  const disturbed = { ...first!, disturbed: "the hypervisor took 20.0 %" };
  assertEquals(concludeLevel(50, [disturbed, ...others], options).problem, undefined);
  assertEquals(isLost([[disturbed]], { minRounds: 4, budgetSeconds: 0 }, 1), false);
});

Deno.test("concludeLevel() says how many rounds were planned where a comparison ended early", () => {
  const disturbed = "the hypervisor took 20.0 %";
  const lost = roundsWith(side(1_000)).map((round) => ({ ...round, disturbed }));
  const { problem } = concludeLevel(50, lost, { ...options, plan: { ...plan, minRounds: 5 } });
  assertEquals(
    problem,
    `3 of 3 rounds (5 were planned) are left out, expected at most 25 %; the first: ${disturbed}`,
  );
  assertEquals(withoutMachine(problem!), "", "other tests take it for the machine's");
});

Deno.test("isLost() ends a comparison only if no round to come could make it valid, and some are to come", () => {
  const quiet = roundsWith(side(1_000));
  const lost = quiet.map((round) => ({ ...round, disturbed: "the machine swapped" }));
  const plan = { minRounds: 5, budgetSeconds: 100 };
  const of = (...levels: ComparedRound[][]) => isLost(levels, plan, 100);
  // Of five rounds, one may be left out.
  assertEquals([of(lost.slice(1)), of([...quiet, ...lost.slice(2)])], [true, false]);
  assertEquals([of(lost, quiet), of(lost, lost)], [false, true]);
  // Of five, none is to come; as long as there is time, there may be any number.
  assertEquals([of([...quiet, ...lost.slice(1)]), isLost([lost], plan, 99)], [false, false]);
});
