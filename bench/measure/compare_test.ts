import { assertEquals, assertMatch } from "@std/assert";
import type { LoadFacts } from "../results/load_schema.ts";
import type { ComparedRound, ComparedSide } from "../results/comparison_schema.ts";
import { exampleObservation } from "../testing/example_result.ts";
import { createRandom } from "../lib/random.ts";
import { beginners, describeLeftOut, mayBegin, mayRepeat, measureUndisturbed } from "./compare.ts";
import { disturbanceOf } from "./judge_machine.ts";
import { factsOf } from "./load.ts";

const observation = exampleObservation();
const context = { connections: 50, poolMax: 16 };

function roundWith(swappedBytes: number, wrong: Record<string, number> = {}): ComparedRound {
  const side = { correct: 100, failed: 0, seconds: 1, perSlice: [100] };
  const sideWith = (wrong: Record<string, number>): ComparedSide => ({
    ...side,
    load: { ...factsOf(observation), wrong },
  });
  const machine = { ...observation.resources!.machine, swappedBytes };
  return {
    startedAt: "2026-01-01T00:00:00.000Z",
    order: "srrs",
    subject: sideWith(wrong),
    reference: sideWith({}),
    machine,
    disturbed: disturbanceOf(machine),
  };
}

Deno.test("mayRepeat() allows what the machine disturbed, and no second chance after anything else that makes a load invalid", () => {
  const swapped = 2 ** 21;
  assertEquals(roundWith(0).disturbed, undefined);
  assertEquals(
    roundWith(swapped).disturbed,
    "the machine swapped 2,097,152 bytes, expected at most 1,048,576",
  );
  assertEquals(
    [roundWith(0), roundWith(swapped), roundWith(swapped, { "stale-record": 1 })].map((round) =>
      mayRepeat(round, context)
    ),
    [false, true, false],
  );
  const locked = roundWith(swapped);
  locked.reference.load!.rowLocks = 1;
  assertEquals(mayRepeat(locked, context), false);
  const changed = roundWith(swapped);
  changed.reference.schedulingChanges = ["the control had nice value 10, expected 0"];
  assertEquals(mayRepeat(changed, context), false);
  for (const worked of [{ frozenCpuSeconds: 0.2 }, { ranOnSeconds: 1 }, { rivalConnections: 1 }]) {
    const round = roundWith(swapped);
    Object.assign(round.subject, worked);
    assertEquals(mayRepeat(round, context), false);
  }
  const changes: ((load: LoadFacts) => void)[] = [
    (load) => load.leftGroup = ["node helper.js"],
    (load) => load.log.lines = 10_000,
    (load) => load.queries!.peakConnections = 17,
    (load) => load.queries!.problems = ['"DO 0" is not a plain query'],
    (load) => load.queries!.perRequest = 2,
    (load) => load.failures = { timeout: 100 },
  ];
  for (const change of changes) {
    const round = roundWith(swapped);
    round.subject.load = structuredClone(round.subject.load);
    change(round.subject.load!);
    assertEquals(mayRepeat(round, context), false);
  }
});

Deno.test("describeLeftOut() names the level, the round and the reason, of the last round only", () => {
  const [good, disturbed, cold] = [roundWith(0), roundWith(2 ** 21), roundWith(0)];
  cold.reference.warmUp = { requests: 80_000, isQuiet: false };
  assertEquals(describeLeftOut(new Map([[50, [disturbed, good]]])), []);
  assertEquals(describeLeftOut(new Map([[10, [good]], [50, [good, cold]], [1_000, [disturbed]]])), [
    "50 connections, round 2 is left out: compilers of the reference were still at work after the warm-up",
    "1,000 connections, round 1 is left out: the machine swapped 2,097,152 bytes, expected at most 1,048,576",
  ]);
});

Deno.test("measureUndisturbed() measures loads again that time was stolen from, each begun as before, and keeps the order of measuring", async () => {
  const measured: string[] = [];
  const told: number[] = [];
  /** The hypervisor takes so much of each load, in the order of measuring; a wrong answer comes in one of them. */
  const measureWith = (steal: number[], wrongIn = -1) =>
    measureUndisturbed(["reference", "subject", "reference", "subject"], {
      mostRepeats: 2,
      context,
      measure: (first) => {
        const index = measured.push(first) - 1;
        const load = roundWith(0, index === wrongIn ? { "stale-record": 1 } : {});
        Object.assign(load.machine!, { capacityCpuSeconds: 2.5, stealCpuSeconds: steal[index]! });
        load.subject.perSlice = [index];
        load.subject.correct = index;
        return Promise.resolve({ ...load, order: first === "subject" ? "srrs" : "rssr" });
      },
      onRepeat: (loads) => told.push(loads),
    });
  const round = await measureWith([0.08, 0, 0, 0.02, 0.06, 0, 0]);
  assertEquals(told, [2, 1]);
  assertEquals(measured.slice(4), ["reference", "subject", "reference"]);
  assertEquals(round.subject.perSlice, [1, 2, 5, 6]);
  assertEquals(round.order, "srrs rssr srrs rssr");
  assertEquals([round.disturbed, round.repeatedBecause?.length], [undefined, 2]);
  assertEquals(
    round.replacedLoads?.map((loads) =>
      loads.map(({ order, subject, reference, machine }) => [
        order,
        ...[subject, reference].map(({ correct, seconds }) => [correct, seconds]),
        machine?.stealCpuSeconds,
      ])
    ),
    [
      [["rssr", [0, 1], [100, 1], 0.08], ["srrs", [3, 1], [100, 1], 0.02]],
      [["rssr", [4, 1], [100, 1], 0.06]],
    ],
  );

  measured.length = 0;
  const never = await measureWith(Array(12).fill(0.1));
  assertEquals([measured.length, never.repeatedBecause?.length], [12, 2]);
  assertMatch(never.disturbed!, /^the hypervisor took 4\.0 %/);

  measured.length = 0;
  const wrong = await measureWith(Array(4).fill(0.1), 2);
  assertEquals([measured.length, wrong.repeatedBecause, wrong.replacedLoads], [
    4,
    undefined,
    undefined,
  ]);
  assertEquals(wrong.subject.load?.wrong, { "stale-record": 1 });
});

Deno.test("beginners() draws who begins a round's first load, and has the other begin the next one", () => {
  const random = createRandom(1);
  const rounds = Array.from({ length: 100 }, () => beginners(2, random));
  for (const [first, second] of rounds) assertEquals(first === second, false);
  const bySubject = rounds.filter(([first]) => first === "subject").length;
  assertEquals(bySubject > 30 && bySubject < 70, true, `${bySubject} of 100`);
  assertEquals(beginners(1, random).length, 1);
});

Deno.test("mayBegin() allows the least number of rounds however long they take, and others within the budget", () => {
  const plan = { minRounds: 7, budgetSeconds: 300 };
  const may = (rounds: number, seconds: number) => mayBegin(plan, rounds, seconds);
  assertEquals([may(0, 0), may(6, 5_000), may(7, 299), may(100, 299)], [true, true, true, true]);
  assertEquals([may(7, 300), may(7, 5_000), may(100, 300)], [false, false, false]);
  assertEquals(mayBegin({ ...plan, budgetSeconds: 0 }, 7, 0), false);
});
