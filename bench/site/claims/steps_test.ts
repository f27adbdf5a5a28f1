import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { judgeClaims, type JudgedClaim } from "./claims.ts";
import type { ClaimQuery } from "./file.ts";
import { comparedRunOf } from "../../results/compared_run.ts";
import { burstFigures } from "../../results/burst.ts";
import type { Result } from "../../results/result_schema.ts";
import { exampleBursts } from "../../testing/example_bursts.ts";
import { exampleDeliveries } from "../../testing/example_deliveries.ts";

const runId = "20260105T000000Z-0000005";
const bursts = exampleBursts(runId);
const deliveries = exampleDeliveries(runId);
const bands = { aboutFactor: 1.15, benefitRatio: 1.05 };

function judge(query: ClaimQuery, results: Result[], ...others: Result[][]): JudgedClaim {
  const article = { title: "An article", setting: "a laptop" };
  const claim = { id: "claim", article: "article", claim: "It is so", figure: "some", query };
  const tested = [results, ...others].flatMap((results) =>
    results.length === 0 ? [] : [{ results, runs: [comparedRunOf(results)] }]
  );
  return judgeClaims({ bands, articles: { article }, claims: [claim] }, tested).claims[0]!;
}

const failed = {
  ...{ kind: "burst", scenario: "delay", subject: "queueing", users: [10_000], delaySeconds: 5 },
  ...{ figure: "failedShare", about: 0.17 },
} satisfies ClaimQuery;

Deno.test("judgeClaims() judges the share of users without an answer by its interval over rounds", () => {
  const { verdict, because, levels, settingHere } = judge(failed, bursts);
  assertEquals(verdict, "reproduced here");
  assertEquals(
    because,
    "The interval over 3 rounds (16.8 %–17.6 %) lies within the band of 14.8 %–19.6 %.",
  );
  const [{ at, unit, measured }] = levels as [JudgedClaim["levels"][number]];
  assertEquals([at, unit], ["10,000", "users at once, 5 s"]);
  assertEquals([measured!.unit, measured!.estimate.toFixed(4)], ["share", "0.1718"]);
  assertStringIncludes(settingHere!, "Queueing (Deno 2.0.0, koa 3.0.0)");
  assertStringIncludes(settingHere!, "3 rounds, each with a fresh process, profile full");
  assertEquals(judge({ ...failed, about: 0.5 }, bursts).verdict, "not reproduced here");
  assertEquals(judge({ ...failed, about: 0.149 }, bursts).verdict, "not decided");
});

Deno.test("judgeClaims() decides nothing by rounds that are all the same", () => {
  const { verdict, levels: [level] } = judge({ ...failed, subject: "steady", about: 0.05 }, bursts);
  assertEquals([verdict, level!.because], [
    "not decided",
    "No comparison: 0 % in each of 3 rounds tells nothing of how rounds differ.",
  ]);
});

Deno.test("judgeClaims() judges the mean wait of users likewise, unless users had no answer", () => {
  const query = { ...failed, subject: "steady", figure: "meanSeconds" as const };
  const { verdict, because, levels } = judge({ ...query, about: 5.5 }, bursts);
  assertEquals(verdict, "reproduced here");
  assertStringIncludes(because, " s) lies within the band of 4.78 s–6.32 s.");
  assertEquals(levels[0]!.measured!.unit, "seconds");
  const above = judge({ ...query, about: 106 }, bursts);
  assertEquals(above.verdict, "not reproduced here");
  assertStringIncludes(above.because, "lies below the band");
  const queueing = judge({ ...query, subject: "queueing", about: 106 }, bursts);
  assertEquals([queueing.verdict, queueing.levels[0]!.measured!.unit], ["not decided", "seconds"]);
  assertStringIncludes(queueing.because, "17.2 % had no answer");
});

Deno.test("judgeClaims() decides nothing without a burst that counts, and says why there is none", () => {
  const because = (query: ClaimQuery, results: Result[] = bursts) => {
    const { verdict, because, levels, settingHere } = judge(query, results);
    assertEquals([verdict, levels[0]!.measured, settingHere], [
      "not decided",
      undefined,
      undefined,
    ]);
    return because;
  };
  assertEquals(judge(failed, []).because, "No full run of scenario delay has been published.");
  assertEquals(
    because({ ...failed, subject: "other" }),
    `No comparison: run ${runId} has no result of other.`,
  );
  assertEquals(
    because({ ...failed, subject: "cheating" }),
    "No comparison: 3 of 10,000 users had a wrong answer (early).",
  );
  assertEquals(
    because({ ...failed, users: [30_000], delaySeconds: 1 }),
    "No comparison: 30,000 users need 30,256 descriptors, the limit is 20,000.",
  );
  assertEquals(
    because({ ...failed, users: [500] }),
    `No comparison: run ${runId} has no burst of 500 users at once with 5 s.`,
  );
  const [, queueing] = structuredClone(bursts);
  for (const step of queueing!.bursts!.steps) {
    step.rounds = step.rounds.slice(0, 2);
    if (step.figures !== undefined) step.figures = burstFigures(step, step.rounds);
  }
  assertEquals(
    because(failed, [queueing!]),
    "No comparison: fewer than three rounds have no interval.",
  );
});

const lost = {
  ...{ kind: "lost", scenario: "notify", subject: "pooled", users: [1_600], claimed: "some" },
} satisfies ClaimQuery;

Deno.test("judgeClaims() judges how many notifications are lost by the interval of their share", () => {
  const { verdict, because, levels } = judge(lost, deliveries);
  assertEquals(verdict, "reproduced here");
  assertStringIncludes(because, "40,020 of 160,020 notifications were not passed on; ");
  assertEquals(levels[0]!.unit, "users");
  assertEquals(judge({ ...lost, subject: "steady" }, deliveries).verdict, "not reproduced here");
  assertEquals(judge({ ...lost, claimed: "none" }, deliveries).verdict, "not reproduced here");
  const both = judge({ ...lost, users: [100, 1_600] }, deliveries);
  assertEquals(
    [both.verdict, both.because],
    ["not reproduced here", "Not reproduced here at 100 users; reproduced here at 1,600 users."],
  );
  const shown = judge({ ...lost, users: [100], shown: [1_600], claimed: "none" }, deliveries);
  assertEquals(
    shown.because,
    "Not decided at 1,600 users; reproduced here at 100 users.",
  );
  assertEquals(shown.levels.map(({ at, verdict }) => `${at}: ${verdict}`), [
    "100: reproduced here",
    "1,600: not decided",
  ]);
  assertStringIncludes(
    judge({ ...lost, subject: "doubling" }, deliveries).because,
    "No comparison: POST /notify/1 led to 2 calls",
  );
});

Deno.test("judgeClaims() decides nothing about steps where two runs do not agree", () => {
  const earlierId = "20260104T000000Z-0000004";
  const earlier = exampleBursts(earlierId);
  const query = { ...failed, subject: "steady", figure: "meanSeconds" as const, about: 5.1 };
  const agreeing = judge(query, bursts, earlier);
  assertEquals([agreeing.verdict, agreeing.testedBy], ["reproduced here", [runId, earlierId]]);
  assertStringIncludes(agreeing.because, `In run ${runId}: The interval over 3 rounds (`);
  assertStringIncludes(agreeing.because, `In run ${earlierId}: The interval over 3 rounds (`);
  for (const step of earlier[0]!.bursts!.steps) {
    const { mean, low, high } = step.figures?.meanSeconds ?? {};
    if (mean === undefined) continue;
    step.figures!.meanSeconds = { mean: 2 * mean, low: 2 * low!, high: 2 * high! };
  }
  const differing = judge(query, bursts, earlier);
  assertEquals(differing.verdict, "not decided");
  assertStringIncludes(differing.because, "The runs do not agree. In run ");
  assertEquals(differing.levels[0]!.measured, agreeing.levels[0]!.measured);
  // A run that lacks the implementation, or has no such step that counts, does not take part.
  assertEquals(judge(query, bursts, earlier.slice(1)).testedBy, [runId]);
  const cheating = judge({ ...query, subject: "cheating" }, bursts, earlier);
  assertEquals([cheating.verdict, cheating.testedBy], ["not decided", [runId]]);
});

Deno.test("judgeClaims() shows how much longer than the delay users waited, and decides nothing by it", () => {
  const query: ClaimQuery = {
    ...{ kind: "overhead", scenario: "delay", users: 10_000, delaysSeconds: [1, 5] },
    subjects: ["steady", "queueing", "cheating"],
  };
  const { verdict, because, levels, settingHere } = judge(query, bursts);
  assertEquals([verdict, because], [
    "not decided",
    "The article gives no figure to compare an interval with.",
  ]);
  const [steady, queueing, cheating] = levels.map(({ at, because }) => `${at}: ${because}`);
  assertMatch(
    steady!,
    /^Steady: A mean wait of 0\.11\d* s \(0\.\d+–0\.\d+\) beyond 1 s and 0\.11\d* s \(0\.\d+–0\.\d+\) beyond 5 s\.$/,
  );
  assertStringIncludes(queueing!, ", without the 17.2 % who had no answer) beyond 5 s");
  assertStringIncludes(cheating!, "No comparison: 3 of 10,000 users had a wrong answer (early)");
  assertStringIncludes(settingHere!, "3 rounds, each with a fresh process");
});

Deno.test("judgeClaims() has figures of deliveries beside the article's, and decides nothing by them", () => {
  const query: ClaimQuery = {
    ...{ kind: "deliveries", scenario: "notify", users: 1_600 },
    subjects: ["steady", "pooled", "doubling"],
  };
  const judged = judge(query, deliveries);
  assertEquals(judged.verdict, "not decided");
  assertStringIncludes(judged.because, "one process at each rate");
  assertEquals(judged.levels.map(({ at, unit }) => `${at} ${unit}`), [
    "Steady at 1,600 users",
    "Pooled at 1,600 users",
    "Doubling at 1,600 users",
  ]);
  assertEquals(
    judged.levels[1]!.because,
    "2,667 accepted and 2,000 arriving a second; 40,020 (25.0 %) lost; p95 of accepting 2.73 ms; p99 4.00 ms; " +
      "12 threads; 50.0 MiB of memory; 2.5 % of the CPU; the last call 0.10 s after the load; " +
      "the objective is missed.",
  );
  assertStringIncludes(judged.levels[2]!.because, "No comparison: POST /notify/1 led to 2 calls");
  assertStringIncludes(
    judged.settingHere!,
    "each rate for 60 s to a fresh process, in an open loop, profile full",
  );
  const none = judge(query, []);
  assertEquals([none.verdict, none.because, none.levels], [
    "not measured yet",
    "No full run of scenario notify has been published.",
    [],
  ]);
});
