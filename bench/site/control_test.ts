import { assert, assertEquals, assertMatch } from "@std/assert";
import { exampleRun } from "../testing/example_run.ts";
import { cpuAtEvenSpeed, deriveControl, speedText } from "./control.ts";
import { threeDigits } from "./three_digits.ts";
import { deriveOne } from "./derived_run.ts";
import { createRandom } from "../lib/random.ts";
import { goodputOf } from "../results/comparison_schema.ts";
import type { Result } from "../results/result_schema.ts";

function current(results: Result[]) {
  const { exported, runs } = deriveOne(results, { local: false, earlier: [] });
  return [{ api: exported, results, known: runs }];
}

const results = exampleRun("20260105T000000Z-0000005");

Deno.test("deriveControl() has the control's rate beside each implementation, at each level that was compared", () => {
  const [run] = deriveControl(current(results));
  assertEquals(run?.version, results.find(({ control }) => control)!.control!.version);
  assert(run!.levels.length > 0);
  for (const { connections, lowest, median, highest, spread, rates } of run!.levels) {
    const all = results.flatMap(({ comparison }) =>
      comparison?.levels.filter((level) => level.connections === connections)
        .flatMap(({ rounds }) => rounds.map(({ reference }) => goodputOf(reference))) ?? []
    );
    assert(rates > 1 && lowest <= median && median <= highest);
    // Means of logarithms round.
    const rounding = 1 + 1e-9;
    assert(lowest * rounding >= Math.min(...all) && highest <= Math.max(...all) * rounding);
    assertEquals(spread, highest / lowest);
  }
});

Deno.test("deriveControl() leaves out a round that the machine disturbed, as ratios do", () => {
  const disturbed = structuredClone(results);
  for (const { rounds } of disturbed.flatMap((it) => it.comparison?.levels ?? [])) {
    const odd = structuredClone(rounds[0]!);
    odd.disturbed = "the hypervisor took 20.0 % of the machine's CPU time, expected at most 0.5 %";
    odd.reference.seconds *= 100;
    odd.reference.cpuSecondsPerAnswer! *= 100;
    // An estimate hardly heeds a single one.
    rounds.push(...Array(2 * rounds.length).fill(odd));
  }
  const levelsOf = (results: Result[]) => deriveControl(current(results))[0]!.levels;
  assertEquals(levelsOf(disturbed), levelsOf(results));
  const { connections } = levelsOf(results)[0]!;
  const cpuIn = (among: Result[]) => cpuAtEvenSpeed(among, connections)(results[0]!);
  assert("value" in cpuIn(results));
  assertEquals(cpuIn(disturbed), cpuIn(results));
});

Deno.test("deriveControl() has nothing of different machines, and nothing without a comparison", () => {
  const [first, ...others] = results;
  const moved = { ...first!, machine: { ...first!.machine, cpuModel: "Other CPU" } };
  assertEquals(deriveControl(current([moved, ...others])), []);
  const alone = results.map(({ control: _, comparison: __, ...result }) => result);
  assertEquals(deriveControl(current(alone)), []);
});

Deno.test("speedText() says between which rates of the control a run was measured, where they differ by a tenth or more", () => {
  const times = (factor: number) => {
    const [first, ...others] = structuredClone(results);
    for (const { rounds } of first!.comparison!.levels) {
      for (const { reference } of rounds) reference.seconds /= factor;
    }
    return [first!, ...others];
  };
  const [run] = deriveControl(current(times(2)));
  const widest = run!.levels.toSorted((a, b) => b.spread - a.spread)[0]!;
  assert(widest.spread > 1.5);
  const text = speedText(times(2))!;
  const [lowest, highest] = [widest.lowest, widest.highest].map((rate) =>
    `${threeDigits(rate)} requests/s beside `
  );
  assertMatch(
    text,
    RegExp(
      `^the control’s speed changed: in the comparisons at ${widest.connections} connections, `,
    ),
  );
  assert(text.includes(`the control answered ${lowest}`) && text.includes(` and ${highest}`), text);
  // The control's rounds count, whatever the implementation did.
  const rejected = times(2);
  for (const level of rejected[0]!.comparison!.levels) level.problem = "not warm";
  assertEquals(speedText(rejected), text);
  const noisy = times(2);
  for (const [index, result] of noisy.entries()) {
    for (const { rounds } of result.comparison?.levels ?? []) {
      for (const [round, { reference }] of rounds.entries()) {
        reference.seconds *= (round + index) % 2 === 0 ? 5 : 0.2;
      }
    }
  }
  assertEquals(speedText(noisy), undefined);
  const [one, ...rest] = times(2);
  const other = { ...one!, control: { ...one!.control!, version: "9.9.9" } };
  assertEquals(speedText([other, ...rest]), undefined);
  assert("missing" in cpuAtEvenSpeed([other, ...rest], widest.connections)(rest[0]!));
  const even = results.filter(({ comparison }) => comparison !== undefined).slice(0, 1)
    .flatMap((result) => [result, result]);
  assertEquals(speedText(even), undefined);
  const [first, ...others] = times(2);
  const moved = { ...first!, machine: { ...first!.machine, cpuModel: "Other CPU" } };
  assertEquals(speedText([moved, ...others]), undefined);
});

/** Makes a run of eleven on a machine that was equally fast for all, at three levels. */
function evenRun(seed: number): Result[] {
  const random = createRandom(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const [result] = results.filter(({ comparison }) => comparison !== undefined);
  const [level] = result!.comparison!.levels;
  return Array.from({ length: 11 }, () => ({
    ...result!,
    comparison: {
      ...result!.comparison!,
      levels: [10, 50, 300].map((connections) => ({
        ...level!,
        connections,
        rounds: level!.rounds.map((round) => ({
          ...round,
          reference: { ...round.reference, correct: 1_000, seconds: Math.exp(0.1 * normal()) },
        })),
      })),
    },
  }));
}

Deno.test("speedText() hardly ever speaks of a machine that was equally fast, however many rates there are", () => {
  // With intervals of 95 % each, it would in three of ten runs.
  const said = Array.from({ length: 60 }, (_, seed) => speedText(evenRun(seed)));
  assert(said.filter((text) => text !== undefined).length <= 3);
});
