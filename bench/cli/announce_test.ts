import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { discoverImpl } from "../impl/discover.ts";
import { sumOf } from "../lib/sum.ts";
import type { ComparisonPlan } from "../results/comparison_schema.ts";
import { makePlan, planFor } from "../results/plan.ts";
import { comparisonPlans, noisePlans } from "../results/profiles.ts";
import type { Result } from "../results/result_schema.ts";
import { exampleBursts } from "../testing/example_bursts.ts";
import { exampleRun } from "../testing/example_run.ts";
import { announce, announceComparison, announceNoise, partsOf, tellMissing } from "./announce.ts";

const facts = { runId: "20260101T000000Z-0000000", scenario: "jwt-mysql" };

Deno.test("announce() says what a run will do, and about how long each part takes", () => {
  const plan = makePlan("full", {}, 1);
  assertEquals(announce({ ...facts, plan }, ["deno"]).split("\n"), [
    "Run 20260101T000000Z-0000000 (jwt-mysql, full): deno",
    "  contract    every request and its answer                              about 20 s",
    "  levels      500,000 requests at each of 10, 50, 100, 300 connections  about 8 min",
    "  comparison  at least 7 rounds with the control                        about 5 min",
    "  rate sweep  9 rates and steps between, 2.5 s each, 3 processes        about 3 min",
    "  startup     15 starts each, in turn with the control                  about 2 min",
    "About 18 min in all; estimated for 5,000 answers per second; longer with a just-in-time compiler to wait for. " +
    "Ctrl-C keeps what is done.",
  ]);
});

Deno.test("announce() counts all implementations, and names only the parts of the plan", () => {
  const plan = makePlan("full", { levels: [50], requests: 10_000 }, 1);
  assertEquals(announce({ ...facts, plan }, ["go", "rust"]).split("\n"), [
    "Run 20260101T000000Z-0000000 (jwt-mysql, custom): go, rust",
    "  contract    every request and its answer       about 20 s",
    "  levels      10,000 requests at 50 connections  about 20 s",
    "For 2 implementations about 70 s in all; estimated for 5,000 answers per second. Ctrl-C keeps what is done.",
  ]);
});

Deno.test("partsOf() expects minutes of a quick run, and a third of an hour of a full one", () => {
  const minutes = (["smoke", "quick", "full"] as const).map((profile) => {
    const parts = partsOf(makePlan(profile, {}, 1));
    return Math.round(sumOf(parts, ({ seconds }) => seconds) / 60);
  });
  assertEquals(minutes, [1, 6, 18]);
});

Deno.test("announce() counts bursts where a scenario has them in place of levels", () => {
  const plan = planFor(["bursts"], makePlan("quick", {}, 1));
  assertEquals(announce({ ...facts, scenario: "delay", plan }, ["go"]).split("\n"), [
    "Run 20260101T000000Z-0000000 (delay, quick): go",
    "  contract    every request and its answer                  about 20 s",
    "  bursts      2 numbers of users and delays, 3 rounds each  about 2 min",
    "About 3 min in all; estimated for 400 users per second; less where the server holds all at once. " +
    "Ctrl-C keeps what is done.",
  ]);
  const smoke = planFor(["bursts"], makePlan("smoke", {}, 1));
  assertEquals(
    announce({ ...facts, scenario: "delay", plan: smoke }, ["go"]).split("\n").at(2),
    "  bursts      one number of users, one round each  about 20 s",
  );
});

Deno.test("announce() names the load with commits on disk where a scenario has one", () => {
  const plan = planFor(["levels", "durable"], makePlan("full", {}, 1));
  assertEquals(
    announce({ ...facts, scenario: "insert", plan }, ["go"]).split("\n").at(3),
    "  durable     50,000 requests at 50 connections, commits on disk        about 60 s",
  );
});

Deno.test("announce() says of deliveries what may make them longer, for no rate of answers is assumed", () => {
  const plan = planFor(["deliveries"], makePlan("full", {}, 1));
  assertStringIncludes(
    announce({ ...facts, scenario: "notify", plan }, ["go"]),
    " in all; a server that falls behind takes up to 5 min more at each rate. Ctrl-C keeps what is done.",
  );
});

Deno.test("announce() says of a run that has some parts that they are not measured again", () => {
  const plan = makePlan("full", {}, 1);
  const endWith = (...earlier: Result[]) =>
    announce({ ...facts, plan }, ["swift"], earlier).split("\n").at(-1);
  const said = "These times are of the whole plan: what the run already has is not measured again";
  const swift = exampleRun(facts.runId)[0]!;
  assertEquals(endWith(swift), `${said}.`);
  const steady = exampleBursts(facts.runId)[0]!;
  delete steady.bursts!.steps[0]!.figures;
  assertEquals(endWith(steady), `${said}, but for steps that the machine disturbed.`);
  assertEquals(endWith({ ...swift, levels: [] }), endWith());
});

Deno.test("announceComparison() says how many rounds, and about how long", () => {
  assertEquals(
    announceComparison(comparisonPlans.quick, 0),
    "at least 5 rounds at 50 connections: about 2 min; estimated for 5,000 answers per second",
  );
});

Deno.test("announceComparison() expects to wait for compilers, where the plan does", () => {
  const minutes = (plan: ComparisonPlan, sides: number) =>
    Number(/about (\d+) min/.exec(announceComparison(plan, sides))?.[1]);
  assertEquals([0, 1, 2].map((sides) => minutes(comparisonPlans.quick, sides)), [2, 6, 10]);
  assertStringIncludes(
    announceComparison(comparisonPlans.quick, 1),
    "5,000 answers per second, and 45 s until a process's compilers are quiet",
  );
  assertEquals(
    announceComparison(comparisonPlans.smoke, 2),
    announceComparison(comparisonPlans.smoke, 0),
  );
});

Deno.test("announceNoise() says what each comparison has, and about how long all take", () => {
  assertEquals(
    announceNoise(noisePlans.smoke, 20, { hasCompilers: false }),
    "20 comparisons, each at least 3 rounds at 50 connections, 3 starts of each side, and 3 pairs " +
      "of loads at 2,000 requests per second: about 24 min; estimated for 5,000 answers per second. " +
      "Ctrl-C keeps the comparisons that are done, if there are two.",
  );
});

Deno.test("announceNoise() says of one comparison what it has", () => {
  assertStringIncludes(
    announceNoise(noisePlans.smoke, 1, { hasCompilers: false }),
    "1 comparison, at least 3 rounds at 50 connections, 3 starts of each side, ",
  );
});

Deno.test("announceNoise() expects to wait for compilers of both sides", () => {
  const minutes = [false, true].map((hasCompilers) =>
    Number(/about (\d+) min/.exec(announceNoise(noisePlans.quick, 20, { hasCompilers }))?.[1])
  );
  // Five rounds of 90 s more in each of 20.
  assertEquals(minutes[1]! - minutes[0]!, 150);
});

Deno.test("tellMissing() names those alone whose toolchain is not there, and what to install", async () => {
  const impls = fromFileUrl(new URL("../../impls", import.meta.url));
  const deno = await discoverImpl(impls, "deno");
  const requires = { deno: ">=99" };
  const lines: string[] = [];
  const report = { line: (text: string) => lines.push(text), progress: () => {} };
  const newer = { ...deno, id: "newer", manifest: { ...deno.manifest, requires } };
  await tellMissing([deno, newer], report);
  assertEquals(lines.length, 1);
  assertMatch(lines[0]!, /^newer will fail: .* expected .*>=99.*\nDeno comes with the harness/s);
});
