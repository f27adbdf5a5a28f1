import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { discoverImpl } from "../impl/discover.ts";
import { noToolchain } from "../impl/toolchains.ts";
import { sumOf } from "../lib/sum.ts";
import { makePlan, planFor } from "../results/plan.ts";
import { comparisonPlans, noisePlans } from "../results/profiles.ts";
import type { Result } from "../results/result_schema.ts";
import { exampleBursts } from "../testing/example_bursts.ts";
import { exampleRun } from "../testing/example_run.ts";
import {
  announce,
  announceComparison,
  type Announced,
  announceNoise,
  lookForToolchains,
  partsOf,
} from "./announce.ts";

const native = (id: string) => ({ id, secondsToQuiet: 0 });

const facts = { runId: "20260101T000000Z-0000000", scenario: "jwt-mysql" };

Deno.test("announce() says what a run will do, and about how long each part takes", () => {
  const plan = makePlan("full", {}, 1);
  assertEquals(announce({ ...facts, plan }, [native("deno")]).split("\n"), [
    "Run 20260101T000000Z-0000000 (jwt-mysql, full): deno",
    "  contract    every request and its answer                              about 20 s",
    "  levels      500,000 requests at each of 10, 50, 100, 300 connections  about 8 min",
    "  comparison  at least 7 rounds with the control                        about 5 min",
    "  rate sweep  9 rates and steps between, 2.5 s each, 3 processes        about 3 min",
    "  startup     15 starts each, in turn with the control                  about 2 min",
    "About 18 min in all; estimated for 5,000 answers per second. Ctrl-C keeps what is done.",
  ]);
});

Deno.test("announce() expects to wait for compilers, by implementation where these differ", () => {
  const plan = makePlan("full", {}, 1);
  const withCompilers = { id: "spring-mvc", secondsToQuiet: 45 };
  const textOf = (...impls: Announced[]) =>
    announce({ ...facts, plan }, impls).split("\n").slice(3, 7)
      .map((line) => /about .*/i.exec(line)![0]);
  assertEquals(textOf(withCompilers), [
    "about 10 min",
    "about 5 min",
    "about 2 min",
    "About 25 min in all; estimated for 5,000 answers per second, and up to 45 s until a process's compilers are quiet. " +
    "Ctrl-C keeps what is done.",
  ]);
  assertEquals(textOf(native("go"), withCompilers), [
    "about 5 min to 10 min",
    "about 3 min to 5 min",
    "about 2 min",
    "about 42 min in all; estimated for 5,000 answers per second, and up to 45 s until a process's compilers are quiet. " +
    "Ctrl-C keeps what is done.",
  ]);
});

Deno.test("announce() counts all implementations, and names only the parts of the plan", () => {
  const plan = makePlan("full", { levels: [50], requests: 10_000 }, 1);
  assertEquals(announce({ ...facts, plan }, [native("go"), native("rust")]).split("\n"), [
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
  assertEquals(announce({ ...facts, scenario: "delay", plan }, [native("go")]).split("\n"), [
    "Run 20260101T000000Z-0000000 (delay, quick): go",
    "  contract    every request and its answer                  about 20 s",
    "  bursts      2 numbers of users and delays, 3 rounds each  about 2 min",
    "About 3 min in all; estimated for 400 users per second; less where the server holds all at once. " +
    "Ctrl-C keeps what is done.",
  ]);
  const smoke = planFor(["bursts"], makePlan("smoke", {}, 1));
  assertEquals(
    announce({ ...facts, scenario: "delay", plan: smoke }, [native("go")]).split("\n").at(2),
    "  bursts      one number of users, one round each  about 20 s",
  );
});

Deno.test("announce() names the load with commits on disk where a scenario has one", () => {
  const plan = planFor(["levels", "durable"], makePlan("full", {}, 1));
  assertEquals(
    announce({ ...facts, scenario: "insert", plan }, [native("go")]).split("\n").at(3),
    "  durable     50,000 requests at 50 connections, commits on disk        about 60 s",
  );
});

Deno.test("announce() says of deliveries what may make them longer, for no rate of answers is assumed", () => {
  const plan = planFor(["deliveries"], makePlan("full", {}, 1));
  assertStringIncludes(
    announce({ ...facts, scenario: "notify", plan }, [native("go")]),
    " in all; a server that falls behind takes up to 5 min more at each rate. Ctrl-C keeps what is done.",
  );
});

Deno.test("announce() says of a run that has some parts that they are not measured again", () => {
  const plan = makePlan("full", {}, 1);
  const endWith = (...earlier: Result[]) =>
    announce({ ...facts, plan }, [native("swift")], earlier).split("\n").at(-1);
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
    announceComparison(comparisonPlans.quick, [native("go"), native("rust")]),
    "at least 5 rounds at 50 connections: about 2 min; estimated for 5,000 answers per second",
  );
});

Deno.test("announceComparison() expects to wait for compilers, where the plan does", () => {
  const [go, mvc] = [0, 45].map((secondsToQuiet) => ({ secondsToQuiet }));
  const minutes = (...sides: { secondsToQuiet: number }[]) =>
    Number(/about (\d+) min/.exec(announceComparison(comparisonPlans.quick, sides))?.[1]);
  assertEquals([minutes(go!, go!), minutes(go!, mvc!), minutes(mvc!, mvc!)], [2, 6, 10]);
  assertStringIncludes(
    announceComparison(comparisonPlans.quick, [mvc!, go!]),
    "5,000 answers per second, and up to 45 s until a process's compilers are quiet",
  );
  assertEquals(
    announceComparison(comparisonPlans.smoke, [mvc!, mvc!]),
    announceComparison(comparisonPlans.smoke, [go!, go!]),
  );
});

Deno.test("announceNoise() says what each comparison has, and about how long all take", () => {
  assertEquals(
    announceNoise(noisePlans.smoke, 20, noToolchain),
    "20 comparisons, each at least 3 rounds at 50 connections, 3 starts of each side, and 3 pairs " +
      "of loads at 2,000 requests per second: about 24 min; estimated for 5,000 answers per second. " +
      "Ctrl-C keeps the comparisons that are done, if there are two.",
  );
});

Deno.test("announceNoise() says of one comparison what it has", () => {
  assertStringIncludes(
    announceNoise(noisePlans.smoke, 1, noToolchain),
    "1 comparison, at least 3 rounds at 50 connections, 3 starts of each side, ",
  );
});

Deno.test("announceNoise() expects to wait for compilers of both sides", () => {
  const minutes = [0, 45].map((secondsToQuiet) =>
    Number(/about (\d+) min/.exec(announceNoise(noisePlans.quick, 20, { secondsToQuiet }))?.[1])
  );
  // Five rounds of 90 s more in each of 20.
  assertEquals(minutes[1]! - minutes[0]!, 150);
});

Deno.test("lookForToolchains() tells of those that are not there, and what to install", async () => {
  const impls = fromFileUrl(new URL("../../impls", import.meta.url));
  const deno = await discoverImpl(impls, "deno");
  const requires = { deno: ">=99" };
  const newer = { ...deno, id: "newer", manifest: { ...deno.manifest, requires } };
  const found = await lookForToolchains([deno, newer]);
  assertEquals(found[0], native("deno"));
  const text = announce({ ...facts, plan: makePlan("smoke", {}, 1) }, found);
  assertMatch(text, /\nAbout \d+ s in all/);
  // Nothing is said of how long nothing takes.
  const nothing = announce({ ...facts, plan: makePlan("smoke", {}, 1) }, found.slice(1));
  assertMatch(nothing, /^Run \S+ \(jwt-mysql, smoke\): newer\nnewer will fail: /);
  const said = text.slice(text.indexOf("Ctrl-C keeps what is done."));
  assertMatch(
    said,
    /^Ctrl-C keeps what is done\.\nnewer will fail: .* expected .*>=99.*\nDeno comes with the harness/s,
  );
});
