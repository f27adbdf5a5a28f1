import { assertArrayIncludes, assertEquals } from "@std/assert";
import { dirname } from "@std/path";
import { findToolchain, noToolchain } from "../../impl/toolchains.ts";
import { findProblems, start } from "../../measure/ground.ts";
import type { Session } from "../../measure/session.ts";
import { controlImpl } from "../../native/native.ts";
import { lastRepetition } from "../../results/outcome.ts";
import { makePlan } from "../../results/plan.ts";
import { type ReasonCode, resultSchema } from "../../results/result_schema.ts";
import { groundOf } from "../../testing/ground.ts";
import { redTeamImpl } from "../../testing/red_team.ts";
import { ensureNative } from "../../tools/tools.ts";
import { exampleFacts, loadSessionOf, measureOne } from "../../testing/load_session.ts";
import { scenario } from "./mod.ts";

/** What each cheat must be caught at before a load. */
const verified: Record<string, string[]> = {
  "honest": [],
  "wrong-greeting": ["right answer", "64 requests at once", "keep-alive"],
  "html-greeting": ["right answer", "64 requests at once", "keep-alive"],
  "logs-requests": ["no log line per request"],
};

/** What the load by itself must hold against each. */
const caught: Record<string, ReasonCode[]> = {
  "exit-under-load": ["subject-exited"],
  "freezes-under-load": ["stalled"],
  "logs-requests": ["request-log"],
};

async function side(id: string) {
  const impl = await redTeamImpl(id);
  return { impl, toolchain: await findToolchain(impl) };
}

Deno.test("hello", async (t) => {
  await t.step("is what the control does, without a database", async () => {
    await using ground = await groundOf(scenario);
    const impl = controlImpl(await ensureNative(ground));
    assertEquals(await findProblems({ impl, toolchain: noToolchain }, ground), []);
  });

  await using ground = await groundOf(scenario, { impls: [await redTeamImpl("honest")] });
  for (const [id, checks] of Object.entries(verified)) {
    await t.step(`catches ${id} at ${checks.join(", ") || "nothing"}`, async () => {
      await using subject = await start(await side(id), ground);
      const problems = await ground.scenario.verifyAnswers(subject, ground);
      assertEquals(problems.map(({ check }) => check), checks);
    });
  }
  await t.step("of a server that is not there has one problem", async () => {
    await using subject = await start(await side("honest"), ground);
    await subject.process.stop();
    const problems = await ground.scenario.verifyAnswers(subject, ground);
    assertEquals(problems.map(({ check }) => check), ["server listens"]);
  });

  await t.step({
    name: "has no file open that lies beside the requests",
    ignore: Deno.build.os !== "linux",
    async fn() {
      const { path } = await ground.scenario.requestFile(1);
      await using subject = await start(await side("honest"), ground);
      const links = Array.fromAsync(
        Deno.readDir(`/proc/${subject.process.pid}/fd`),
        ({ name }) => Deno.readLink(`/proc/${subject.process.pid}/fd/${name}`).catch(() => ""),
      );
      const open = new Set((await links).map(dirname));
      assertEquals([ground.logFolder, dirname(path)].map((it) => open.has(it)), [true, false]);
    },
  });

  const facts = await exampleFacts(
    "hello",
    makePlan("smoke", { levels: [50], requests: 2_500 }, 1),
  );
  const session: Session = { ...await loadSessionOf(ground, { stallMs: 3_000 }), facts };
  for (const [id, expected] of Object.entries(caught)) {
    await t.step(`under load catches ${id}: ${expected.join(", ")}`, async () => {
      const { levels: [level] } = await measureOne(await side(id), 50, session);
      const { validity } = lastRepetition(level!);
      const codes = validity.valid ? [] : validity.reasons.map(({ code }) => code);
      assertArrayIncludes(codes, expected);
    });
  }
  await t.step("has no database, queries, driver or JWT in its result", async () => {
    const result = await measureOne(await side("honest"), 50, session);
    resultSchema.parse(JSON.parse(JSON.stringify(result)));
    const { observation } = lastRepetition(result.levels[0]!);
    assertEquals(observation!.correct, 2_500);
    assertEquals(
      [result.database, result.impl.driver, result.impl.jwt, observation!.queries],
      [undefined, undefined, undefined, undefined],
    );
    assertEquals(observation!.resources?.database, undefined);
  });
});
