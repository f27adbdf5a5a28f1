import { assert, assertAlmostEquals, assertEquals, assertMatch } from "@std/assert";
import { exampleComparedLevel, exampleRun } from "../testing/example_run.ts";
import { type ComparedImpl, comparedRunOf } from "./compared_run.ts";
import { missingOf, valueOf } from "./known.ts";
import {
  betweenProcessorsIn,
  changeOverRuns,
  longRunOf,
  ratioOverRuns,
  ratioVarianceIn,
} from "./over_runs.ts";
import { pairOverRuns, pairVarianceOf } from "./pairs_over_runs.ts";
import { mostRuns, seriesOf } from "./series.ts";
import type { Result } from "./result_schema.ts";
import {
  betweenProcessors,
  longRunRatio,
  meanOfMachines,
  ratioToEarlierRuns,
} from "../statistics/mod.ts";

/** Makes what the run of a day in January 2026 found, each result of it changed. */
function runOf(day: number, change: (result: Result) => void = () => {}) {
  const runId = `202601${String(day).padStart(2, "0")}T000000Z-0000000`;
  const results = exampleRun(runId, day);
  for (const result of results) change(result);
  return comparedRunOf(results);
}

const onOther = ({ machine }: Result) => {
  machine.cpuModel = "Other CPU";
};
const processor = "Example CPU, 2 processors";
const at = 10;
const three = [runOf(3), runOf(2), runOf(1)];
const ratioIn = ({ levels: [level] }: Pick<ComparedImpl, "levels">) => valueOf(level!.ratio)!;
const ratiosOf = (id: string) =>
  three.map(({ impls }) => ({ ratio: ratioIn(impls.find((impl) => impl.id === id)!), processor }));

Deno.test("ratioOverRuns() is the interval of the run where it is alone, and the long-run ratio from two on", () => {
  const alone = valueOf(ratioOverRuns(seriesOf("swift", three.slice(0, 1)), at))!;
  const { estimate, low, high, confidence } = ratiosOf("swift")[0]!.ratio;
  assertEquals(alone, { estimate, low, high, confidence, runs: 1 });
  const over = valueOf(ratioOverRuns(seriesOf("swift", three), at))!;
  const expected = longRunRatio(ratiosOf("swift"))!;
  assertEquals([over.estimate, over.low, over.high, over.runs], [
    expected.estimate,
    expected.low,
    expected.high,
    3,
  ]);
  assertEquals(longRunOf(seriesOf("swift", three), at), expected);
});

Deno.test("ratioOverRuns() says why the newest run has none, whatever the others have", () => {
  const [, ...older] = three;
  const invalid = runOf(3, ({ levels: [level] }) => {
    const reasons = [{ code: "failures" as const, message: "2 % failed" }];
    const { startedAt } = level!.repetitions[0]!;
    level!.repetitions = [{ startedAt, validity: { valid: false, reasons } }];
  });
  assertEquals(
    missingOf(ratioOverRuns(seriesOf("swift", [invalid, ...older]), at)),
    "Swift is invalid at 10 connections: 2 % failed",
  );
  assertEquals(
    missingOf(ratioOverRuns(seriesOf("swift", three), 50)),
    "Swift was not compared at 50 connections",
  );
  assertEquals(missingOf(ratioOverRuns(seriesOf("none", three), at)), "it was not measured");
});

Deno.test("seriesOf() has comparable runs of one program, the newest first, and not those of long ago", () => {
  const daysOf = (...runs: typeof three) =>
    seriesOf("swift", runs).map(({ runId }) => Number(runId.slice(6, 8)));
  assertEquals(daysOf(...three), [3, 2, 1]);
  assertEquals(daysOf(runOf(3), runOf(2, onOther), runOf(1)), [3, 1]);
  const withOtherControl = runOf(2, (result) => result.control = { version: "2.0.0" });
  assertEquals(daysOf(runOf(3), withOtherControl, runOf(1)), [3, 1]);
  // Another version is another program, and what was before it is not taken up again.
  const upgraded = runOf(2, ({ impl }) => impl.framework = { name: "koa", version: "4.0.0" });
  assertEquals(daysOf(runOf(3), upgraded, runOf(1)), [3]);
  const many = Array.from({ length: mostRuns + 5 }, () => three[0]!);
  assertEquals(seriesOf("swift", many).length, mostRuns);
  const { conditions } = three[0]!.impls[0]!;
  const found = seriesOf("swift", [runOf(3, onOther), ...three.slice(1)], conditions);
  assertEquals(found.map(({ runId }) => runId), three.slice(1).map(({ runId }) => runId));
});

Deno.test("pairOverRuns() is over the runs that both are in", () => {
  const withoutEven = three.map((run, index) =>
    index === 1 ? { ...run, impls: run.impls.filter(({ id }) => id !== "even") } : run
  );
  const pair = (runs: typeof three) =>
    valueOf(pairOverRuns(seriesOf("swift", runs), seriesOf("even", runs), at))!;
  assertEquals(pair(three).runs, 3);
  assertEquals(pair(withoutEven).runs, 2);
  assertEquals(pair(three.slice(0, 1)).runs, 1);
  assertAlmostEquals(pair(three).estimate, 1.02 / 1.01, 0.01);
});

Deno.test("pairOverRuns() compares no machine that polls when idle with one that does not", () => {
  const mixed = runOf(3, (result) => {
    if (result.impl.id === "freezing") result.machine.idle = "polls";
  });
  assertEquals(
    missingOf(pairOverRuns(seriesOf("swift", [mixed]), seriesOf("freezing", [mixed]), at)),
    "Swift was measured on Example CPU, 2 processors; Freezing on Example CPU, 2 processors, polling when idle; " +
      "how much polling changes ratios is not known",
  );
});

Deno.test("pairOverRuns() puts two processors together only with how much ratios differ between them in the interval", () => {
  const mixed = runOf(3, (result) => {
    if (result.impl.id === "freezing") onOther(result);
  });
  const pair = (runs: typeof three, isKnown: boolean) =>
    pairOverRuns(seriesOf("swift", runs), seriesOf("freezing", runs), at, {
      between: isKnown ? betweenProcessorsIn(runs, at) : undefined,
    });
  assertMatch(
    missingOf(pair([mixed], true))!,
    /^Swift was measured on Example CPU, 2 processors, Freezing on Other CPU, 2 processors, and fewer than 3 /,
  );
  const known = [mixed, runOf(2), runOf(1, onOther)];
  assert(missingOf(pair(known, false)) !== undefined);
  const [across, alone] = [pair(known, true), pair([runOf(3)], false)].map((it) => valueOf(it)!);
  assertEquals([across!.runs, across!.estimate], [1, alone!.estimate]);
  assert(across!.low <= alone!.low && alone!.high <= across!.high);
});

Deno.test("seriesOf() ends where sources change, and where only one result names its own", () => {
  const named = (day: number, digit: string) =>
    runOf(day, ({ provenance }) => provenance.sourcesSha256 = digit.repeat(64));
  const [now, before, other, unnamed] = [named(4, "a"), named(3, "a"), named(2, "b"), runOf(1)];
  const daysOf = (...runs: ReturnType<typeof runOf>[]) =>
    seriesOf("swift", runs).map(({ runId }) => Number(runId.slice(6, 8)));
  assertEquals(daysOf(now!, before!, other!, unnamed!), [4, 3]);
  assertEquals(daysOf(other!, unnamed!), [2]);
});

Deno.test("pairOverRuns() has none of two versions of the control", () => {
  const runs = [runOf(3, (result) => {
    if (result.impl.id === "even") result.control = { version: "2.0.0" };
  })];
  assertEquals(
    missingOf(pairOverRuns(seriesOf("swift", runs), seriesOf("even", runs), at)),
    "Swift was compared with version 1.0.0 of the control, Even with version 2.0.0",
  );
});

Deno.test("changeOverRuns() compares the newest run with two or more before it", () => {
  const change = changeOverRuns(seriesOf("swift", three), at)!;
  const [now, ...earlier] = ratiosOf("swift");
  assertEquals(change, {
    ...ratioToEarlierRuns([[now!]], earlier.map((ratio) => [ratio]))!,
    confidence: 0.95,
  });
  assertEquals(changeOverRuns(seriesOf("swift", three.slice(1)), at), undefined);
});

Deno.test("betweenProcessorsIn() is from all that were measured on two processors, three at least, of one scenario, profile and control", () => {
  const faster = (result: Result) => {
    onOther(result);
    const [level] = result.comparison!.levels;
    const ratio = 1.1 * level!.goodput!.estimate;
    result.comparison!.levels = [exampleComparedLevel({ ratio, seed: 7, connections: at })];
  };
  const elsewhere = runOf(4, faster);
  const between = betweenProcessorsIn([elsewhere, ...three], at)!;
  assertEquals([between.impls, between.processors], [4, 2]);
  assertAlmostEquals(between.standardDeviation, Math.log(1.1) / Math.SQRT2, 0.02);
  assertEquals(betweenProcessorsIn(three, at), undefined);
  const quick = runOf(4, (result) => {
    faster(result);
    result.plan.profile = "quick";
  });
  assertEquals(betweenProcessorsIn([...three, quick], at), undefined);
  assertEquals(betweenProcessorsIn([], at), undefined);
  const ratios = elsewhere.impls.map((impl) => [
    ...ratiosOf(impl.id),
    { ratio: ratioIn(impl), processor: "Other CPU, 2 processors" },
  ]);
  assertAlmostEquals(between.high, betweenProcessors(ratios)!.high, 1e-9);
  const only = (ids: string[]) => (run: typeof elsewhere) => ({
    ...run,
    impls: run.impls.filter(({ id }) => ids.includes(id)),
  });
  const ids = elsewhere.impls.map(({ id }) => id);
  assertEquals(betweenProcessorsIn([...three, elsewhere].map(only(ids.slice(0, 3))), at)?.impls, 3);
  assertEquals(
    betweenProcessorsIn([...three, elsewhere].map(only(ids.slice(0, 2))), at),
    undefined,
  );
});

/** Makes what a run found in which three machines measured each implementation, and a fourth of another kind. */
function replicatedRun(day: number) {
  const runId = `202601${String(day).padStart(2, "0")}T000000Z-0000000`;
  return comparedRunOf(
    [0, 1, 2, 3].flatMap((machine) =>
      exampleRun(runId, 10 * day + machine).map((result): Result => {
        if (machine === 3) onOther(result);
        return { ...result, replica: machine === 0 ? undefined : machine + 1 };
      })
    ),
  );
}

Deno.test("replicas are units of the ratio over one run, of one kind of machine only, and count together over several", () => {
  const run = replicatedRun(3);
  const { replicas = [], ...first } = run.impls.find(({ id }) => id === "swift")!;
  assertEquals(replicas.length, 3);
  const ratios = [first, ...replicas.slice(0, 2)]
    .map((impl) => ({ ratio: ratioIn(impl), processor }));
  const { estimate, low, high } = longRunRatio(ratios)!;
  const expected = { estimate, low, high, confidence: 0.95, runs: 1, machines: 3 };
  assertEquals(valueOf(ratioOverRuns(seriesOf("swift", [run]), at)), expected);
  const two = seriesOf("swift", [run, replicatedRun(2)]);
  assertEquals(two.length, 6);
  const { runs, machines, ...overTwo } = valueOf(ratioOverRuns(two, at))!;
  assertEquals([runs, machines], [2, 6]);
  // Machines of a run count together: two runs have one degree of freedom, not five.
  const ofRuns = [two.slice(0, 3), two.slice(3)].map((ofRun) =>
    meanOfMachines(ofRun.map((impl) => ({ ratio: ratioIn(impl), processor })))
  );
  const fromRuns = longRunRatio(ofRuns)!;
  assertEquals([overTwo.low, overTwo.high], [fromRuns.low, fromRuns.high]);
  // One run before, of however many machines, tells nothing of how far runs differ.
  assertEquals(changeOverRuns(two, at), undefined);
  const three = seriesOf("swift", [replicatedRun(4), run, replicatedRun(2)]);
  const change = changeOverRuns(three, at)!;
  const [ofNow, ...before] = [0, 3, 6].map((first) =>
    three.slice(first, first + 3)
      .map((impl) => ({ ratio: ratioIn(impl), processor }))
  );
  const earlier = ratioToEarlierRuns([ofNow!], before)!;
  assertEquals(change, { ...earlier, runs: 2, machines: 6, confidence: 0.95 });
});

Deno.test("pairOverRuns() pairs each replica with one of the other's, on the same kind of machine", () => {
  const run = replicatedRun(3);
  const pair = (a: string, b: string, runs = [run]) =>
    valueOf(pairOverRuns(seriesOf(a, runs), seriesOf(b, runs), at))!;
  const { runs, machines } = pair("swift", "even");
  assertEquals([runs, machines], [1, 3]);
  const fewer = {
    ...run,
    impls: run.impls.map((impl) =>
      impl.id === "even" ? { ...impl, replicas: impl.replicas!.slice(0, 1) } : impl
    ),
  };
  assertEquals(pair("swift", "even", [fewer]).machines, 2);
});

Deno.test("a replica with other versions is left out, and the series goes on", () => {
  const run = replicatedRun(3);
  const swift = run.impls.find(({ id }) => id === "swift")!;
  swift.replicas![0]!.versions = { ...swift.versions, runtime: { name: "Deno", version: "3.0.0" } };
  assertEquals(seriesOf("swift", [run, replicatedRun(2)]).length, 5);
});

Deno.test("ratioVarianceIn() is of runs of one scenario, profile and control, and needs two", () => {
  assertEquals(ratioVarianceIn(three.slice(0, 1), at), undefined);
  assertEquals(ratioVarianceIn([replicatedRun(3)], at), undefined);
  const known = ratioVarianceIn(three, at)!;
  assert(known.variance > 0 && known.degreesOfFreedom > 2, JSON.stringify(known));
  const withOtherControl = runOf(4, (result) => result.control = { version: "2.0.0" });
  const ofOthers = runOf(5, (result) => result.scenario = "hello");
  const [newest, ...older] = three;
  assertEquals(ratioVarianceIn([newest!, ofOthers, withOtherControl, ...older], at), known);
});

Deno.test("pairVarianceOf() pools all pairs, so that two runs tell a pair apart that they would not by themselves", () => {
  const runs = three.slice(0, 2);
  const ids = runs[0]!.impls.map(({ id }) => id);
  const series = ids.map((id) => seriesOf(id, runs));
  const pooled = pairVarianceOf(series, at)!;
  assert(pooled.degreesOfFreedom > 1, JSON.stringify(pooled));
  const [a, b] = ["swift", "even"].map((id) => seriesOf(id, runs));
  const widthOf = (options: { pooled?: typeof pooled }) => {
    const { low, high } = valueOf(pairOverRuns(a!, b!, at, { ...options, confidence: 0.999 }))!;
    return Math.log(high / low);
  };
  assert(widthOf({ pooled }) < widthOf({}), `${widthOf({ pooled })}, ${widthOf({})}`);
  assertEquals(pairVarianceOf(ids.map((id) => seriesOf(id, runs.slice(1))), at), undefined);
});
