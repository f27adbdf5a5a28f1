import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { judgeClaims, type JudgedClaim } from "./claims.ts";
import type { TestedRun } from "./level.ts";
import type { ClaimQuery } from "./file.ts";
import { asWritten } from "../../testing/as_written.ts";
import { exampleResult } from "../../testing/example_result.ts";
import { exampleComparedLevel } from "../../testing/example_run.ts";
import { comparisonPlans } from "../../results/profiles.ts";
import { comparedRunOf } from "../../results/compared_run.ts";
import type { Result } from "../../results/result_schema.ts";

const bands = { aboutFactor: 1.15, benefitRatio: 1.05 };

function exampleOf(id: string, ratios: Record<number, number>): Result {
  const result = exampleResult();
  const levels = Object.entries(ratios).map(([connections, ratio]) =>
    exampleComparedLevel({ ratio, seed: 1, connections: Number(connections) })
  );
  return {
    ...result,
    impl: { ...result.impl, id, name: id === "rust" ? "Rust" : "Deno" },
    control: { version: "1.0.0" },
    ...(levels.length === 0 ? {} : { comparison: { plan: comparisonPlans.full, levels } }),
  };
}

function judge(query: ClaimQuery, results: Result[]): JudgedClaim {
  const article = { title: "An article", date: "June 2023", setting: "a laptop" };
  const claim = { id: "claim", article: "article", claim: "It is so", figure: "about 3", query };
  const tested = results.length === 0 ? [] : [testedBy(results)];
  const judged = judgeClaims({ bands, articles: { article }, claims: [claim] }, tested);
  return asWritten(judged.claims[0]!);
}

/** Returns a run that tests claims, and runs before it. */
function testedBy(results: Result[], ...earlier: Result[][]): TestedRun {
  return { results, runs: [results, ...earlier].map(comparedRunOf) };
}

const scenario = "jwt-mysql";
const ratio3 = {
  scenario,
  kind: "ratio",
  subject: "rust",
  reference: "deno",
  levels: [10, 50],
  about: 3,
} satisfies ClaimQuery;

Deno.test("judgeClaims() judges each level by the ratio of both, over the control", () => {
  const judged = judge(ratio3, [
    exampleOf("rust", { 10: 3, 50: 3.2 }),
    exampleOf("deno", { 10: 1, 50: 2 }),
  ]);
  assertEquals(judged.levels.map(({ verdict }) => verdict), [
    "reproduced here",
    "not reproduced here",
  ]);
  assertEquals(judged.verdict, "not reproduced here");
  assertEquals(judged.more, " at 50 connections; reproduced here at 10 connections.");
  const measured = judged.levels[1]!.measured!;
  assert(measured.low <= 1.6 && 1.6 <= measured.high);
  assertEquals(measured.runs, 1);
  assertStringIncludes(judged.levels[0]!.because, "The interval of this run (");
  assertEquals(
    judged.settingHere,
    "Example CPU, 2 processors; " +
      "Rust (Deno 2.0.0, koa 3.0.0, mysql2 3.0.0, jsonwebtoken 9.0.0); " +
      "Deno (Deno 2.0.0, koa 3.0.0, mysql2 3.0.0, jsonwebtoken 9.0.0); " +
      "MySQL 9.0.0, 16 connections to it; " +
      "warm processes at 10 and 50 connections, profile custom",
  );
});

Deno.test("judgeClaims() reads the ratio of one that the load generator bounds as: at least", () => {
  const rust = exampleOf("rust", { 10: 3 });
  const [level] = rust.levels;
  const frame = { shareOfCeiling: 0.9, isGeneratorBound: true, because: "of its share" };
  const bound: Result = {
    ...rust,
    levels: [{ ...level!, frame: { ...frame, bottleneck: "generator" } }],
  };
  const query = { ...ratio3, levels: [10] };
  const unlike = judge(query, [bound, exampleOf("deno", { 10: 1 })]);
  assertEquals(unlike.verdict, "not decided");
  assertStringIncludes(unlike.because, "The load generator limited Rust.");
  assertEquals(unlike.more, `. ${unlike.because}`);
  assertEquals(unlike.boundsHere, [
    "Rust at 10 connections: the load generator (of its share)",
  ]);
  const qualifierOf = ({ levels }: JudgedClaim) => levels[0]!.measured!.qualifier;
  assertEquals(qualifierOf(unlike), "at least");
  // More than claimed, and perhaps more still.
  assertEquals(
    judge(query, [bound, exampleOf("deno", { 10: 0.5 })]).verdict,
    "not reproduced here",
  );
  // The reference is bound: at most.
  const inverse = { ...query, subject: "deno", reference: "rust" };
  const turned = judge(inverse, [bound, exampleOf("deno", { 10: 1 })]);
  assertEquals([turned.verdict, qualifierOf(turned)], ["not reproduced here", "at most"]);
  const both = judge(query, [bound, { ...bound, impl: { ...bound.impl, id: "deno" } }]);
  assertEquals([both.verdict, qualifierOf(both)], ["not decided", undefined]);
  const goodput = judge(
    { scenario, kind: "goodput", subject: "rust", levels: [10], about: 1 },
    [bound],
  );
  assertEquals(qualifierOf(goodput), "at least");
});

Deno.test("judgeClaims() decides nothing without an interval, and says why there is none", () => {
  const deno = exampleOf("deno", { 10: 1, 50: 1 });
  const rust = exampleOf("rust", { 10: 3, 50: 3 });
  const because = (...results: Result[]) => {
    const { verdict, because, levels } = judge({ ...ratio3, levels: [10] }, results);
    assertEquals([verdict, levels[0]?.measured], ["not decided", undefined]);
    return because;
  };
  const unmeasured = judge({ ...ratio3, levels: [10] }, []);
  assertEquals([unmeasured.verdict, unmeasured.because, unmeasured.levels], [
    "not measured yet",
    "No full run of scenario jwt-mysql has been published.",
    [],
  ]);
  assertEquals(
    because(deno),
    "No comparison: run 20260101T000000Z-0000000 has no result of rust.",
  );
  assertEquals(
    because(deno, exampleOf("rust", {})),
    "No comparison: Rust was not compared with the control.",
  );
  assertEquals(
    because(deno, exampleOf("rust", { 300: 3 })),
    "No comparison: Rust was not compared at 10 connections.",
  );
  assertEquals(
    because(deno, { ...rust, control: { version: "2.0.0" } }),
    "No comparison: Rust was compared with version 2.0.0 of the control, Deno with version 1.0.0.",
  );
  const [level] = rust.levels;
  const reasons = [{ code: "failures" as const, message: "2 % of the requests failed" }];
  const repetitions = [{ startedAt: rust.startedAt, validity: { valid: false as const, reasons } }];
  assertEquals(
    because(deno, { ...rust, levels: [{ ...level!, repetitions }] }),
    "No comparison: Rust is invalid at 10 connections: 2 % of the requests failed.",
  );
});

Deno.test("judgeClaims() shows its own rate beside another machine's, and decides nothing by it", () => {
  const query: ClaimQuery = {
    scenario,
    kind: "goodput",
    subject: "deno",
    levels: [10, 50],
    about: 5000,
  };
  const { verdict, because, levels } = judge(query, [exampleOf("deno", { 10: 1 })]);
  assertEquals(verdict, "not decided");
  assertEquals(
    because,
    "A rate on one machine can be neither reproduced nor refuted on another.",
  );
  const [first, second] = levels;
  // Warm goodput, not that of the cold load, which is 4,000 exactly.
  const { estimate, low, high, unit, runs } = first!.measured!;
  assert(low < estimate && estimate < high && Math.round(estimate) !== 4_000);
  assertEquals([unit, runs], ["perSecond", 1]);
  assertStringIncludes(first!.because, "Deno, warm, answered 4,0");
  assertStringIncludes(first!.because, "(interval of this run: 3,");
  assertStringIncludes(first!.because, " times the figure.");
  assertEquals(second, {
    at: "50",
    unit: "connections",
    verdict: "not decided",
    because: "No comparison: Deno was not compared at 50 connections.",
  });
});

Deno.test("judgeClaims() goes by the long-run ratio from two comparable runs on, and by no run of another processor", () => {
  const of = (second: string, ratio: number, change: Partial<Result["machine"]> = {}) =>
    [exampleOf("rust", { 10: ratio }), exampleOf("deno", { 10: 1 })].map((result) => ({
      ...result,
      runId: `20260101T0000${second}Z-0000000`,
      machine: { ...result.machine, ...change },
    }));
  const article = { title: "An article", setting: "a laptop" };
  const { about: _, ...sides } = ratio3;
  const query: ClaimQuery = { ...sides, kind: "no-benefit", levels: [10] };
  const claim = { id: "claim", article: "article", claim: "It is so", figure: "none", query };
  const judged = (tested: TestedRun) =>
    judgeClaims({ bands, articles: { article }, claims: [claim] }, [tested]).claims[0]!;
  const three = judged(testedBy(of("03", 3), of("02", 3.02), of("01", 2.98)));
  assertEquals([three.levels[0]!.measured!.runs, three.verdict], [3, "refuted"]);
  assertStringIncludes(three.because, "The interval over 3 runs (");
  const one = judged(testedBy(of("03", 3), of("02", 3.02, { cpuModel: "Other CPU" })));
  assertEquals([one.levels[0]!.measured!.runs, one.verdict], [1, "not reproduced here"]);
});

Deno.test("judgeClaims() lists what cannot be measured yet, with the reason and the article's setting", () => {
  const judged = judge({ kind: "not-yet", reason: "The scenario hello is not there yet." }, []);
  assertEquals(judged, {
    id: "claim",
    article: { title: "An article", date: "June 2023" },
    claim: "It is so",
    figure: "about 3",
    setting: "a laptop",
    kind: "not-yet",
    levels: [],
    testedBy: [],
    verdict: "not yet measurable",
    because: "The scenario hello is not there yet.",
    more: ". The scenario hello is not there yet.",
  });
  assertEquals(judge({ kind: "no-figure", reason: "None." }, []).verdict, "not decided");
});

Deno.test("judgeClaims() tests a claim with the run of its scenario", () => {
  const runs = ["hello", "jwt-mysql"].map((scenario, index) => [
    { ...exampleOf("rust", { 10: 3 + index }), scenario, runId: `20260101T00000${index}Z-0000000` },
    { ...exampleOf("deno", { 10: 1 }), scenario },
  ]);
  const article = { title: "An article", setting: "a laptop" };
  const claims = ["jwt-mysql", "hello", "delay"].map((scenario) => ({
    ...{ id: scenario, article: "article", claim: "It is so", figure: "about 4" },
    query: { ...ratio3, scenario, levels: [10], about: 4 },
  }));
  const judged = judgeClaims(
    { bands, articles: { article }, claims },
    runs.map((run) => testedBy(run)),
  );
  assertEquals(judged.runs.map(({ scenario, id }) => [scenario, id.slice(9, 15)]), [
    ["hello", "000000"],
    ["jwt-mysql", "000001"],
  ]);
  assertEquals(judged.claims.map(({ id, verdict }) => [id, verdict]), [
    ["jwt-mysql", "reproduced here"],
    ["hello", "not reproduced here"],
    ["delay", "not measured yet"],
  ]);
});

Deno.test("judgeClaims() judges what a job costs by hello's goodput over that of the scenario", () => {
  const [job] = [exampleOf("deno", { 10: 1 })];
  const hello = { ...exampleOf("deno", { 10: 11 }), scenario: "hello" };
  const query: ClaimQuery = { scenario, kind: "cost", subject: "deno", levels: [10], about: 11 };
  const article = { title: "An article", setting: "a laptop" };
  const claim = { id: "claim", article: "article", claim: "It is so", figure: "about 11", query };
  const judged = (...tested: TestedRun[]) =>
    judgeClaims({ bands, articles: { article }, claims: [claim] }, tested).claims[0]!;
  const both = judged(testedBy([job]), testedBy([hello]));
  assertEquals(both.verdict, "reproduced here");
  assertEquals(both.testedBy, [job!.runId, hello.runId]);
  assertStringIncludes(both.because, "The interval over the rounds of both runs (");
  const { low, high } = both.levels[0]!.measured!;
  assert(low < 11 && 11 < high);
  // With others in the runs, the control shows how far rates drift.
  const others = (["go", "rust"] as const).map((id, index) => {
    const other = exampleOf(id, { 10: 1 });
    for (const { reference } of other.comparison!.levels[0]!.rounds) {
      reference.correct = Math.round((1 + 0.05 * index) * reference.correct);
    }
    return other;
  });
  const many = judged(testedBy([job, ...others]), testedBy([hello]));
  assertStringIncludes(
    many.because,
    "The interval over the rounds of both runs and their drift (",
  );
  assertEquals(
    judged(testedBy([job])).because,
    "No full run of scenario hello has been published.",
  );
});

Deno.test("judgeClaims() judges failures by the cold load, unless it is invalid for something else", () => {
  const query: ClaimQuery = {
    ...{ scenario, kind: "failures", subject: "deno", levels: [10] },
    claimed: "none",
  };
  const deno = exampleOf("deno", { 10: 1 });
  assertEquals(judge(query, [deno]).verdict, "reproduced here");
  const [level] = deno.levels;
  const [repetition] = level!.repetitions;
  const failing = (code: "failures" | "foreign-load" | "stalled"): Result => {
    const observation = structuredClone(repetition!.observation!);
    observation.failures = { timeout: observation.attempted / 2 };
    const reasons = [{ code, message: "because" }];
    const repetitions = [{ ...repetition!, observation, validity: { valid: false, reasons } }];
    return { ...deno, levels: [{ ...level!, repetitions }] } as Result;
  };
  const { verdict, levels: [failed] } = judge(query, [failing("failures")]);
  assertEquals([verdict, failed!.measured!.unit], ["not reproduced here", "share"]);
  const disturbed = judge(query, [failing("foreign-load")]);
  assertEquals([disturbed.verdict, disturbed.because], ["not decided", "No comparison: because."]);
  assertStringIncludes(judge({ ...query, levels: [50] }, [deno]).because, "no level of 50");
  const silent = (claimed: "none" | "most") => judge({ ...query, claimed }, [failing("stalled")]);
  assertEquals(silent("none").verdict, "not reproduced here");
  assertEquals(silent("most").verdict, "reproduced here");
});
