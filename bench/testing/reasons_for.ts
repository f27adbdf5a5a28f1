import { assertEquals } from "@std/assert";
import { judge } from "../measure/judge.ts";
import type { JudgeContext } from "../measure/limits.ts";
import type { Observation } from "../results/result_schema.ts";
import { exampleObservation, exampleResult } from "./example_result.ts";

const { poolMax, requests } = exampleResult().plan;

/** What is known of the load that {@linkcode exampleObservation} was seen of. */
export const exampleContext: JudgeContext = { connections: 10, poolMax, requests };

/** Judges an observation in which one thing is off, and returns its reasons. */
export function reasonsFor(
  change: (observation: Observation) => void,
  more: Partial<JudgeContext> = {},
) {
  const observation = exampleObservation();
  change(observation);
  const { validity, figures } = judge(observation, { ...exampleContext, ...more });
  assertEquals(figures !== undefined, validity.valid);
  return validity.valid ? [] : validity.reasons.map(({ code, message }) => `${code}: ${message}`);
}
