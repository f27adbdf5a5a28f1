/**
 * Delivery control: how fast is the machine just now? Nothing is loaded alternately with a step of deliveries, so the control
 * is offered notifications before it: its CPU time for each shows how fast the machine is.
 */
import { StartError } from "../impl/start.ts";
import { BenchError, RunBroken } from "../lib/error.ts";
import { controlImpl, type Native } from "../native/native.ts";
import type { DeliveryPlan, DeliveryStep } from "../results/deliveries_schema.ts";
import { noToolchain } from "../impl/toolchains.ts";
import { controlWarmUpSeconds } from "./workload.ts";
import { measureDeliveryStep } from "./deliveries.ts";
import { isDisturbedRate } from "./disturbed_steps.ts";
import type { LoadSession } from "./session.ts";

/**
 * Returns the control's CPU time per accepted notification; undefined where it could not be measured. A failure here does
 * not fail the step.
 */
export async function measureDeliveryControl(
  { plan, session, native }: { plan: DeliveryPlan; session: LoadSession; native: Native },
): Promise<DeliveryStep["control"]> {
  if (plan.control === undefined) return undefined;
  const { ratePerSecond, seconds } = plan.control;
  // Of users, only their rate matters.
  const step = { users: 1, ratePerSecond };
  const measured = await measureDeliveryStep(
    { impl: controlImpl(native), toolchain: noToolchain },
    step,
    {
      plan: {
        ...plan,
        steps: [step],
        secondsPerStep: seconds,
        warmUpSeconds: controlWarmUpSeconds,
      },
      session,
    },
  ).catch((error) => {
    const isHarness = error instanceof RunBroken && !(error.cause instanceof StartError);
    if (!(error instanceof BenchError) || isHarness) throw error;
    session.signal.throwIfAborted();
    session.report.line(`Cannot measure the control before this rate: ${error.message}`);
    return undefined;
  });
  if (measured?.cpuSeconds === undefined || measured.correct === 0) return undefined;
  if (measured.problem !== undefined && !isDisturbedRate(measured)) return undefined;
  return {
    cpuSeconds: measured.cpuSeconds / measured.correct,
    disturbed: measured.disturbed ?? measured.problem,
  };
}
