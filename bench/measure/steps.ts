/**
 * Steps: adds bursts and deliveries to a result, one step at a time, each with a fresh process. Of what the run being
 * resumed already has, only steps that the machine disturbed are due: these are measured again, and kept as they were beside the new ones.
 */
import { formatInteger } from "../lib/format_integer.ts";
import { sumOf } from "../lib/sum.ts";
import { readKernelSettings } from "../machine/dropped_connections.ts";
import type { Native } from "../native/native.ts";
import { isSameStep } from "../results/burst.ts";
import type { Result } from "../results/result_schema.ts";
import type { BurstPlan, BurstStepPlan } from "../results/burst_schema.ts";
import { sustainedDeliveries } from "../results/deliveries.ts";
import type { DeliveryPlan, DeliveryStep, DeliveryStepPlan } from "../results/deliveries_schema.ts";
import { type BurstTools, measureBurstStep } from "./burst.ts";
import { measureDeliveryStep } from "./deliveries.ts";
import { measureDeliveryControl } from "./delivery_control.ts";
import { isDisturbedBurst, isDisturbedRate } from "./disturbed_steps.ts";
import { measureAgain } from "./measure_again.ts";
import { startBar } from "./progress.ts";
import type { Contestant, LoadSession } from "./session.ts";

/** Tells whether a step of bursts is still to be measured, or again because the machine disturbed it. */
export function isBurstDue({ bursts }: Result, step: BurstStepPlan): boolean {
  const before = bursts?.steps.find((done) => isSameStep(done, step));
  return before === undefined || isDisturbedBurst(before);
}

/** Tells whether a rate of deliveries is still to be measured, or again because the machine disturbed it. */
export function isRateDue({ deliveries }: Result, step: DeliveryStepPlan): boolean {
  const before = deliveries?.steps.find(({ users }) => users === step.users);
  return before === undefined || isDisturbedRate(before);
}

/** Adds one step of bursts. */
export async function addBurstStep(
  { impl, toolchain, result }: Contestant,
  { plan, step }: { plan: BurstPlan; step: BurstStepPlan },
  session: LoadSession,
  tools: BurstTools,
): Promise<void> {
  const steps = result.bursts?.steps ?? [];
  const before = steps.find((done) => isSameStep(done, step));
  using bar = startBar(session.report);
  const options = { session, plan, tools, bar, title: impl.id };
  const measured = await measureBurstStep({ impl, toolchain }, step, options);
  result.bursts = {
    steps: [...steps.filter((done) => done !== before), measured],
    kernelSettings: readKernelSettings(),
  };
  if (before !== undefined) {
    const { bursts = [], ...again } = result.measuredAgain ?? {};
    result.measuredAgain = { ...again, bursts: [...bursts, before] };
  }
  bar.end();
}

/** Adds one step of deliveries; one that nothing but the machine disturbed is measured again, whatever came out. */
export async function addDeliveryStep(
  { impl, toolchain, result }: Contestant,
  { plan, step }: { plan: DeliveryPlan; step: DeliveryStepPlan },
  session: LoadSession,
  native: Native,
): Promise<void> {
  const all = result.deliveries?.steps ?? [];
  const before = all.find(({ users }) => users === step.users);
  const steps = all.filter((done) => done !== before);
  using bar = startBar(session.report);
  const title = `${impl.id}, ${formatInteger(step.users)} users`;
  const left = plan.steps.length - steps.length - 1;
  const stepSeconds = secondsOfDeliveryStep(plan, steps);
  const measure = async () => {
    bar.step(`${title} (step ${steps.length + 1})`, left, stepSeconds);
    const { upstreamLimit } = result;
    const control = await measureDeliveryControl({ plan, session, native });
    const options = { plan, session, upstreamLimit };
    const measured = await measureDeliveryStep({ impl, toolchain }, step, options);
    return { ...measured, control };
  };
  const why = (measured: DeliveryStep) =>
    isDisturbedRate(measured) ? measured.disturbed ?? measured.problem : undefined;
  const replaced = result.deliveries?.replaced?.slice() ?? [];
  const onReplaced = (measured: DeliveryStep) => replaced.push(measured);
  steps.push(await measureAgain(measure, { session, title, why, onReplaced }));
  result.deliveries = {
    steps,
    replaced: replaced.length === 0 ? undefined : replaced,
    ...sustainedDeliveries(steps, plan),
  };
  if (before !== undefined) {
    const { deliveries = [], ...again } = result.measuredAgain ?? {};
    result.measuredAgain = { ...again, deliveries: [...deliveries, before] };
  }
  bar.end();
}

/** Returns how long a step takes; those before it tell how long notifications are still on their way after the load. */
export function secondsOfDeliveryStep(
  { warmUpSeconds, secondsPerStep, control }: Pick<
    DeliveryPlan,
    "warmUpSeconds" | "secondsPerStep" | "control"
  >,
  steps: readonly Pick<DeliveryStep, "drainSeconds">[],
): number {
  const drained = sumOf(steps, ({ drainSeconds = 0 }) => drainSeconds);
  return (control?.seconds ?? 0) + warmUpSeconds + secondsPerStep +
    (steps.length === 0 ? 0 : drained / steps.length);
}
