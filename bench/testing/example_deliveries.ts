/** A made-up run of deliveries, for tests. */
import { holds, sustainedDeliveries } from "../results/deliveries.ts";
import type { DeliveryPlan, DeliveryStep, DeliveryStepPlan } from "../results/deliveries_schema.ts";
import type { Result } from "../results/result_schema.ts";
import { exampleObservation, exampleResult } from "./example_result.ts";

const plan: DeliveryPlan = {
  steps: [{ users: 100, ratePerSecond: 167 }, { users: 1_600, ratePerSecond: 2_667 }],
  connections: 200,
  secondsPerStep: 60,
  warmUpSeconds: 10,
  mostDrainSeconds: 300,
  goal: { p99Seconds: 0.05, failureShare: 0.001, arrivalP99Seconds: 1, drainSeconds: 2 },
};

/** What a client with 200 connections can call in a second of what takes 100 ms. */
const mostPerSecond = 2_000;

/**
 * Makes the results of a run: Steady delivers everything, Pooled 2,000 a second and loses the rest, Doubling calls twice.
 */
export function exampleDeliveries(runId: string): Result[] {
  return ["steady", "pooled", "doubling"].map((id) => {
    const { database: _, ...result } = exampleResult();
    const { driver: __, jwt: ___, ...impl } = result.impl;
    const steps = plan.steps.map((step) => exampleStep(id, step));
    return {
      ...result,
      runId,
      scenario: "notify",
      impl: { ...impl, id, name: id[0]!.toUpperCase() + id.slice(1) },
      plan: { ...result.plan, profile: "full", levels: [], deliveries: plan },
      verification: { problems: [] },
      levels: [],
      deliveries: { steps, ...sustainedDeliveries(steps, plan) },
    };
  });
}

function exampleStep(id: string, step: DeliveryStepPlan): DeliveryStep {
  const due = step.ratePerSecond * plan.secondsPerStep;
  const perSecond = id === "pooled"
    ? Math.min(step.ratePerSecond, mostPerSecond)
    : step.ratePerSecond;
  const delivered = perSecond * plan.secondsPerStep;
  const latency = { p50: 0.001, p90: 0.002, p99: 0.004, p999: 0.005, max: 0.006 };
  const { refused, wrong, problems, failures, log, latency: histogram } = exampleObservation();
  const described = {
    ...step,
    durationSeconds: plan.secondsPerStep,
    due,
    attempted: due,
    correct: due,
    unsent: 0,
    ...{ refused, wrong, problems, failures, log, delivered },
    lost: due - delivered,
    givenUp: 0,
    acceptedPerSecond: step.ratePerSecond,
    arrivedPerSecond: perSecond,
    drainSeconds: 0.1,
    acceptSeconds: latency,
    arrivalSeconds: latency,
    latency: histogram,
    peakThreads: 12,
    peakMemoryBytes: 50 * 1024 ** 2,
    cpuSeconds: 3,
    control: { cpuSeconds: 34e-6 },
  };
  if (id !== "doubling") return { ...described, holds: holds(described, plan.goal) };
  return {
    ...described,
    holds: false,
    problem: "POST /notify/1 led to 2 calls of it, expected one",
  };
}
