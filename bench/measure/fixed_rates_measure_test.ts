import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { noToolchain } from "../impl/toolchains.ts";
import { startProcess } from "../lib/process.ts";
import { nullServerImpl } from "../native/native.ts";
import { type RateSweepPlan, rateSweepSchema } from "../results/protocols_schema.ts";
import { prepareGround } from "../testing/ground.ts";
import { withoutMachine } from "../testing/of_machine.ts";
import { loadSessionOf } from "../testing/load_session.ts";
import { decodeLatencyHistogram } from "../statistics/mod.ts";
import { ensureNative } from "../tools/tools.ts";
import type { Target } from "../scenario/scenario.ts";
import { openWorkload } from "./workload.ts";
import { measureFloor, type RateSweepOptions, sweepProcess } from "./fixed_rates.ts";
import { LoadBroken } from "./watch_load.ts";
import { start } from "./ground.ts";

/** A sweep over 20 connections of a second for each step, unless told. */
function planOf(
  plan: Pick<RateSweepPlan, "ratesPerSecond"> & Partial<RateSweepPlan>,
): RateSweepPlan {
  const goal = { p99Seconds: 0.05, failureShare: 0.001 };
  return { processes: 1, connections: 20, secondsPerStep: 1, warmUpRequests: 0, goal, ...plan };
}

Deno.test("sweepProcess()", async (t) => {
  await using ground = await prepareGround();
  const session = await loadSessionOf(ground);
  const measure = async (
    subject: Target,
    plan: RateSweepPlan,
    options: Partial<RateSweepOptions> = {},
  ) => {
    await using workload = await openWorkload(session);
    return await sweepProcess(subject, {
      plan,
      session,
      workload,
      title: "honest",
      ...options,
    });
  };

  await t.step("shows a freeze of 0.3 s in 5, which latency from sending hides", async () => {
    await using subject = await ground.start("freezes-briefly");
    // Over two connections, so that no machine is too slow to answer what is under way at once.
    const plan = planOf({ ratesPerSecond: [200], connections: 2, secondsPerStep: 6 });
    const { steps: [step], sustainablePerSecond } = await measure(subject, plan);
    const { due, attempted, unsent, problem, latencySeconds, uncorrectedSeconds } = step!;
    // A machine that others keep busy is no fault of the server, and hides nothing of a freeze.
    if (step!.repeatedBecause === undefined) assertEquals(problem, undefined);
    // Of 1,200 requests, 60 became due while the server stood still: evenly late by up to 0.3 s.
    assert(latencySeconds!.p99 > 0.15, `p99 is ${latencySeconds!.p99} s`);
    // Only one on each connection was under way: fewer than one in a hundred, also where it stood still twice.
    assert(uncorrectedSeconds!.p99 < latencySeconds!.p99 / 2, `it is ${uncorrectedSeconds!.p99} s`);
    assert(uncorrectedSeconds!.max > 0.15, `the longest is ${uncorrectedSeconds!.max} s`);
    assertEquals([due, attempted + unsent], [1_200, 1_200]);
    assertEquals([step!.holds, sustainablePerSecond], [false, undefined]);
  });
  await t.step(
    "leaves out of latency what was due while connections opened, and nothing else",
    async () => {
      await using subject = await ground.start("honest");
      const goal = { p99Seconds: 10, failureShare: 1 };
      const plan = planOf({ ratesPerSecond: [500], settleSeconds: 0.4, goal });
      const { steps: [step] } = await measure(subject, plan);
      const { due, correct, latency, settlingSeconds } = step!;
      // A busy machine may leave some of the last unsent.
      assertEquals([due, decodeLatencyHistogram(latency.histogram).totalCount], [
        500,
        correct - 200,
      ]);
      assert(correct > 200 && settlingSeconds!.p99 > 0);
    },
  );
  await t.step("stops after two rates in a row that are too much", async () => {
    await using subject = await ground.start("honest");
    const progress = new Set<string>();
    // How fast it answers hardly matters: of what is too much, most cannot be sent at all over 20 connections.
    const goal = { p99Seconds: 0.75, failureShare: 0.001 };
    const ratesPerSecond = [400_000, 100, 200_000, 300_000];
    const plan = planOf({ ratesPerSecond, goal });
    const report = { ...session.report, progress: (label: string) => void progress.add(label) };
    const rateSweep = await measure(subject, plan, { session: { ...session, report } });
    rateSweepSchema.shape.processes.element.parse(rateSweep);
    const [first] = rateSweep.steps;
    assertEquals([withoutMachine(first!.problem ?? ""), first!.holds], ["", !first!.problem]);
    // What else runs on this machine may make the first step one of the two that are too much.
    const offered = first!.holds ? [100, 200_000, 300_000] : [100, 200_000];
    assertEquals(rateSweep.steps.map(({ ratePerSecond }) => ratePerSecond), offered);
    assertEquals(rateSweep.steps.map(({ due }) => due), offered);
    for (const { due, attempted, unsent, correct, failures, wrong } of rateSweep.steps) {
      assertEquals(attempted + unsent, due);
      assertEquals({ correct, failures, wrong }, { correct: attempted, failures: {}, wrong: {} });
    }
    assertEquals(rateSweep.steps.slice(-2).map((step) => step.holds), [false, false]);
    const steps = [
      "honest at 100 requests per second (step 1)",
      "honest at 200,000 requests per second (step 2)",
      "honest at 300,000 requests per second (step 3)",
    ];
    assertEquals([...progress], steps.slice(0, offered.length));
  });
  await t.step("fails when the process ends", async () => {
    await using subject = await ground.start("exit-under-load");
    const plan = planOf({ ratesPerSecond: [1_000], secondsPerStep: 60 });
    await assertRejects(
      () => measure(subject, plan),
      LoadBroken,
      "the process ended with exit code 1 while the load ran, expected it to live",
    );
  });
  await t.step("ends at once when its signal aborts", async () => {
    await using subject = await ground.start("honest");
    const { signal, abort } = aborter();
    const plan = planOf({ ratesPerSecond: [100], secondsPerStep: 600 });
    setTimeout(() => abort(new Error("enough")), 500);
    await assertRejects(
      () => measure(subject, plan, { session: { ...session, signal } }),
      Error,
      "enough",
    );
  });
  await t.step("repeats a step with background load, and says so", async () => {
    await using subject = await ground.start("honest");
    await using _busy = startProcess(["sh", "-c", "while :; do :; done"], { logPath: "/dev/null" });
    const lines: string[] = [];
    const report = { ...session.report, line: (text: string) => void lines.push(text) };
    const plan = planOf({ ratesPerSecond: [100], secondsPerStep: 1.5 });
    const { steps: [step], sustainablePerSecond } = await measure(subject, plan, {
      session: { ...session, report },
    });
    const expected =
      /other processes used \d+\.\d % of the machine's CPU time, most of it "sh", expected at most/;
    assertMatch(step!.problem!, expected);
    assertMatch(step!.repeatedBecause!, expected);
    assertEquals(lines, [
      `honest at 100 requests per second, once more: ${step!.repeatedBecause}`,
    ]);
    assertEquals([step!.holds, sustainablePerSecond], [false, undefined]);
  });
  await t.step("has a floor: the null server at the same rates", async () => {
    const impl = nullServerImpl(await ensureNative(session));
    await using nullServer = await start({ impl, toolchain: noToolchain }, session);
    const plan = planOf({ ratesPerSecond: [100, 500] });
    const floor = await measureFloor(nullServer, { plan, session, title: "null server" });
    assertEquals(floor.map(({ ratePerSecond }) => ratePerSecond), [100, 500]);
  });
});

function aborter() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: (reason: Error) => controller.abort(reason) };
}
