import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { findToolchain, noToolchain } from "../impl/toolchains.ts";
import { controlImpl } from "../native/native.ts";
import type { Deliveries, DeliveryPlan } from "../results/deliveries_schema.ts";
import type { Result } from "../results/result_schema.ts";
import { scenario } from "../scenario/notify/mod.ts";
import { exampleDeliveries } from "../testing/example_deliveries.ts";
import { exampleResult } from "../testing/example_result.ts";
import { groundOf } from "../testing/ground.ts";
import { loadSessionOf } from "../testing/load_session.ts";
import { withoutMachine } from "../testing/of_machine.ts";
import { redTeamCaller } from "../testing/red_team.ts";
import { until } from "../testing/until.ts";
import { ensureNative } from "../tools/tools.ts";
import { measureDeliveryStep } from "./deliveries.ts";
import { measureDeliveryControl } from "./delivery_control.ts";
import { addDeliveryStep, isRateDue } from "./steps.ts";

const plan: DeliveryPlan = {
  steps: [{ users: 300, ratePerSecond: 500 }],
  connections: 50,
  secondsPerStep: 1,
  warmUpSeconds: 0,
  mostDrainSeconds: 30,
  goal: { p99Seconds: 1, failureShare: 0, arrivalP99Seconds: 2, drainSeconds: 2 },
};

/** What must be said of each cheat. */
interface Expected {
  /** How many of the notifications that it accepted are lost, as a share. */
  lost: [from: number, to: number];
  problem?: string;
  /** For how long it is offered notifications; 1 by default. */
  seconds?: number;
}

const cheats: Record<string, Expected> = {
  "accepts-only": { lost: [1, 1] },
  // One, or two, of 2,000.
  "loses-one-in-a-thousand": { lost: [1 / 2_000, 1 / 900], seconds: 4 },
  "calls-what-is-faster": { lost: [0, 0], problem: "another path, or a query, in " },
  "notifies-twice": { lost: [0, 0], problem: "2 calls of it" },
  "notifies-of-others": { lost: [0.5, 1], problem: "more that nobody sent" },
  "notifies-of-what-it-refused": { lost: [0, 0] },
};

Deno.test("measureDeliveryStep()", async (t) => {
  await using ground = await groundOf(scenario, {
    impls: [await redTeamCaller("honest", "notify")],
  });
  const session = await loadSessionOf(ground, { requestLines: 5_000 });
  const [step] = plan.steps;

  await t.step("accounts for every notification of the control", async () => {
    const impl = controlImpl(await ensureNative(ground));
    const side = { impl, toolchain: noToolchain };
    const measured = await measureDeliveryStep(side, step!, { plan, session });
    const { due, attempted, unsent, correct, delivered, lost, wrong, failures } = measured;
    assertEquals([due, attempted + unsent, correct], [500, 500, attempted]);
    assertEquals([delivered, lost, wrong, failures], [correct, 0, {}, {}]);
    assert(measured.arrivalSeconds !== undefined && measured.drainSeconds !== undefined);
    const arrived = measured.arrivedPerSecond! * measured.durationSeconds;
    assert(0 < arrived && arrived <= delivered, `${arrived} arrived during the load`);
    assert(measured.calls!.lateSeconds! > 0);
    // A machine that is busy, and an upstream that answers late on it, are not the control's.
    const problem = withoutMachine(measured.problem ?? "");
    assert(problem === "" || problem.startsWith("the upstream answered "), problem);
    assertEquals(measured.holds, measured.problem === undefined);
  });
  await t.step(
    "tells what a notification costs the control, and nothing where the plan does not ask",
    async () => {
      const native = await ensureNative(ground);
      const measured = await measureDeliveryControl({
        ...{ session, native },
        plan: { ...plan, control: { ratePerSecond: 1_000, seconds: 2 } },
      });
      // The kernel counts hundredths of a second; no machine needs a millisecond.
      const { cpuSeconds } = measured!;
      assert(0 < cpuSeconds && cpuSeconds < 1e-3, `${cpuSeconds} s of CPU time`);
      assertEquals(await measureDeliveryControl({ session, native, plan }), undefined);
    },
  );
  await t.step("is measured again where the machine disturbed it, and kept", async () => {
    const native = await ensureNative(ground);
    const side = { impl: controlImpl(native), toolchain: noToolchain };
    const [before] = exampleDeliveries("20260105T000000Z-0000005")[0]!.deliveries!.steps;
    const disturbed = { ...before!, ...step!, disturbed: "the hypervisor took 9.0 %" };
    const sound = { ...before!, users: 900, ratePerSecond: 1_500 };
    const result: Result & { deliveries: Deliveries } = {
      ...exampleResult(),
      deliveries: { steps: [disturbed, sound] },
    };
    assert(isRateDue(result, step!));
    await addDeliveryStep({ ...side, result }, { plan, step: step! }, session, native);
    const { steps } = result.deliveries;
    assertEquals(steps.map(({ users }) => users), [900, 300]);
    assertEquals(result.measuredAgain, { deliveries: [disturbed] });
    assertEquals(steps[1]!.due, 500);
    assertEquals([isRateDue(result, sound), isRateDue(result, { ...step!, users: 7 })], [
      false,
      true,
    ]);
  });
  await t.step("tells that somebody else told the upstream to answer wrongly", async () => {
    const upstream = ground.upstreams!.subject;
    await upstream.clearCounts();
    const side = { impl: controlImpl(await ensureNative(ground)), toolchain: noToolchain };
    const measuring = measureDeliveryStep(side, step!, { plan, session });
    await until(async () => (await upstream.counts()).received > 0);
    // Of an id that nobody asks for.
    await upstream.misbehave(10_000_000_000, "slow");
    const { calls, lost, problem } = await measuring;
    assertEquals([calls!.faults, lost], [1, 0]);
    assertStringIncludes(problem ?? "", "the upstream was told once to answer wrongly");
  });
  await t.step("waits for the calls of a server that is at work", async () => {
    const impl = await redTeamCaller("works-before-it-calls", "notify");
    const measured = await measureDeliveryStep(
      { impl, toolchain: await findToolchain(impl) },
      step!,
      { plan, session },
    );
    assertEquals([measured.lost, measured.holds], [0, false]);
    assert(measured.drainSeconds! > 12, `drained after ${measured.drainSeconds} s`);
    const { p50 } = measured.arrivalSeconds!;
    assert(p50 > 12, `arrived after ${p50} s`);
  });
  for (const [id, { lost: [from, to], problem, seconds = 1 }] of Object.entries(cheats)) {
    await t.step(`tells what ${id} does`, async () => {
      const impl = await redTeamCaller(id, "notify");
      const side = { impl, toolchain: await findToolchain(impl) };
      const measured = await measureDeliveryStep(side, step!, {
        // Where few calls are missing, or none, the drain ends by itself.
        plan: { ...plan, secondsPerStep: seconds, mostDrainSeconds: to < 1 ? 30 : 3 },
        session,
      });
      const { lost, correct, holds, arrivedPerSecond } = measured;
      const share = lost / correct;
      assert(from <= share && share <= to, `${share} of ${correct} are lost`);
      assertEquals(holds, false);
      assertEquals(arrivedPerSecond! > 0, share < 1);
      assertStringIncludes(measured.problem ?? "", problem ?? "");
    });
  }
});
