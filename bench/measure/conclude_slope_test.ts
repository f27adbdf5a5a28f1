import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { sum } from "../lib/sum.ts";
import type { ComparedRound, ComparedSide } from "../results/comparison_schema.ts";
import { comparisonPlans } from "../results/profiles.ts";
import { comparedSide as side, roundsOf } from "../testing/compared_rounds.ts";
import { beginners } from "./compare.ts";
import { conclude, reasonToCompareAgain } from "./conclude.ts";
import { abba, slicesOf, turnsOf } from "./slices.ts";

const plan = { slices: 1, sliceSeconds: 1, settleSeconds: 0, loads: 1, minRounds: 3 };
const options = { poolMax: 16, plan };

/** Ten rounds of two levels, whose order alternates; the ratio changes by `perPlace` from one place to the next. */
function roundsThatChange(perPlace: number): Map<number, ComparedRound[]> {
  const levels = [10, 50];
  const roundAt = (connections: number, index: number): ComparedRound => {
    const place = (levels.indexOf(connections) + index) % 2 + 1;
    const noise = (index * 7 % 5 - 2) / 1_000;
    const correct = Math.round(100_000 * Math.exp(perPlace * place + noise * place));
    const [round] = roundsOf([[side(correct), side(100_000)]]);
    return { ...round!, place };
  };
  return new Map(
    levels.map((connections) => [
      connections,
      Array.from({ length: 10 }, (_, index) => roundAt(connections, index)),
    ]),
  );
}

Deno.test("conclude() gives no ratio where ratios change from one load of a round to the next", () => {
  const [steady, changing] = [0, 0.06].map((perPlace) =>
    conclude(roundsThatChange(perPlace), options)
  );
  assertEquals([steady!.notWarm, reasonToCompareAgain(steady!)], [undefined, undefined]);
  assertEquals(reasonToCompareAgain(changing!), changing!.notWarm);
  for (const { goodput, problem } of steady!.levels) {
    assertEquals([goodput?.rounds, problem], [10, undefined]);
  }
  for (const level of changing!.levels) {
    assertEquals(level.problem, changing!.notWarm);
    assertEquals([level.goodput, level.cpuPerAnswer], [undefined, undefined]);
    assertMatch(
      level.problem!,
      /^the ratio changes by 6\.\d % \(99 %: 6\.\d to 6\.\d\) from one load of a round to the next, expected no change/,
    );
  }
});

Deno.test("conclude() sees that ratios change whatever a round that is left out was like", () => {
  const rounds = roundsThatChange(0.06);
  for (const list of rounds.values()) {
    const [first] = list;
    const subject = side(Math.round(100_000 * Math.exp(-3 * first!.place!)));
    list[0] = { ...first!, subject, disturbed: "the hypervisor took 20.0 %" };
  }
  assertMatch(conclude(rounds, options).notWarm ?? "", /^the ratio changes by 6\.\d %/);
});

/** A round of two sides that answer equally fast all the time, but for noise; each has the same order. */
function steadyRound(index: number): ComparedRound {
  const plan = comparisonPlans.full;
  const [sliceMs, settleMs] = [plan.sliceSeconds, plan.settleSeconds].map((seconds) =>
    1_000 * seconds
  );
  const orders = beginners(plan.loads, () => 0.9).map((first) => abba(first, plan.slices));
  const slices = orders.flatMap((order) =>
    turnsOf(order, plan).flatMap((turn) =>
      slicesOf(turn, { startMs: 0, endMs: turn.slices * sliceMs!, sliceMs: sliceMs! })
    )
  );
  const sideOf = (name: string): ComparedSide => {
    const perSlice = slices.filter(({ side }) => side === name).map(({ isThawed }, slice) => {
      const noise = name === "subject" ? ((index * 7 + slice * 3) % 11 - 5) / 500 : 0;
      return Math.round(100 * (sliceMs! - (isThawed ? settleMs! : 0)) * (1 + noise));
    });
    return { ...side(sum(perSlice)), perSlice };
  };
  const [round] = roundsOf([[sideOf("subject"), sideOf("reference")]]);
  const order = orders.map((order) => order.map((name) => name[0]).join("")).join(" ");
  return { ...round!, order };
}

Deno.test("conclude() takes no turn more of the side that begins for a change of the ratio", () => {
  const rounds = Array.from({ length: 8 }, (_, index) => steadyRound(index));
  const plan = comparisonPlans.full;
  assertEquals(conclude(new Map([[50, rounds]]), { ...options, plan }).notWarm, undefined);
  // The check sees the difference where the plan does not tell of it.
  const { joinsSlices: _, ...frozenBetween } = plan;
  const other = conclude(new Map([[50, rounds]]), { ...options, plan: frozenBetween });
  assertMatch(other.notWarm ?? "", /^the ratio changes by -?0\.4 %/);
});

Deno.test("conclude() takes no slices that ended late for a change of the ratio", () => {
  const { loads, slices } = comparisonPlans.full;
  const rounds = Array.from({ length: 8 }, (_, index) => {
    const round = steadyRound(index);
    // Later loads of the subject were longer, and had as many answers more.
    const longer = Array.from({ length: loads }, (_, load) => 1.02 ** load);
    const perSlice = round.subject.perSlice
      .map((count, slice) => Math.round(count * longer[Math.floor(slice / slices)]!));
    return { ...round, subject: { ...side(sum(perSlice)), perSlice }, longer };
  });
  const plan = comparisonPlans.full;
  const late = conclude(new Map([[50, rounds]]), { ...options, plan });
  assertMatch(late.notWarm ?? "", /^the ratio changes by 2\.0 %/);
  const told = rounds.map(({ longer, ...round }) => {
    const { sliceSeconds, settleSeconds } = plan;
    const secondsOf = (name: "s" | "r", load: number) => {
      const turns = turnsOf([...round.order.split(" ")[load]!], plan);
      const own = turns.filter((turn) => turn.side === name).length;
      return slices * sliceSeconds - own * settleSeconds;
    };
    const subject = longer.map((share, load) => share * secondsOf("s", load));
    const reference = longer.map((_, load) => secondsOf("r", load));
    return {
      ...round,
      subject: { ...round.subject, secondsPerLoad: subject },
      reference: { ...round.reference, secondsPerLoad: reference },
    };
  });
  assertEquals(conclude(new Map([[50, told]]), { ...options, plan }).notWarm, undefined);
});

Deno.test("conclude() checks the other levels where one is invalid", () => {
  const rounds = roundsThatChange(0.06);
  rounds.set(300, rounds.get(50)!.map((round) => ({ ...round, place: 3, subject: side(0) })));
  const { levels, notWarm } = conclude(rounds, options);
  const [first, second, third] = levels.map(({ problem }) => problem!);
  assertStringIncludes(first!, "the ratio changes by 6.");
  assertEquals([second, notWarm], [first, first]);
  assertEquals(reasonToCompareAgain({ levels, notWarm }), undefined);
  assertStringIncludes(third!, "no request was answered correctly");
});
