/**
 * Share of hello: how much of the throughput of `hello` does a job leave? Takes the results of one implementation in both
 * scenarios; returns the ratio of warm goodput with its interval. Framework and HTTP are in both, so the rest is what
 * the job costs.
 */
import { machineOf } from "./comparable.ts";
import { fewRounds, warmLogRatesAt } from "./goodput.ts";
import type { Known } from "./known.ts";
import { isGeneratorBound } from "./outcome.ts";
import type { Result } from "./result_schema.ts";
import { versionChanges, versionsOf } from "./versions.ts";
import { type RatioInterval, readRatio, twoSampleRatioInterval } from "../statistics/mod.ts";

/** Warm goodput of a job as a share of that of `hello` at the same connections. */
export interface ShareOfHello extends Pick<RatioInterval, "estimate" | "low" | "high"> {
  /** How to read it where the load generator limited one of the two. */
  qualifier?: "at least" | "at most";
}

/**
 * Returns the share at a level. Its interval is over the rounds of both runs, two samples, and leaves out what runs
 * differ by. There is none of two kinds of machine, two profiles, or two versions, because these would be in the share.
 */
export function shareOfHello(job: Result, hello: Result, connections: number): Known<ShareOfHello> {
  const differs = whyNotAlike(job, hello);
  if (differs !== undefined) return { missing: differs };
  const ofJob = warmLogRatesAt(job, connections);
  if ("missing" in ofJob) return { missing: `${job.scenario}: ${ofJob.missing}` };
  const ofHello = warmLogRatesAt(hello, connections);
  if ("missing" in ofHello) return { missing: `${hello.scenario}: ${ofHello.missing}` };
  const interval = twoSampleRatioInterval(ofJob.value, ofHello.value);
  if (interval === undefined) return { missing: fewRounds };
  const { estimate, low, high } = interval;
  const bound = {
    a: isGeneratorBound(job, connections),
    b: isGeneratorBound(hello, connections),
  };
  if (bound.a && bound.b) return { missing: "the load generator limited it in both scenarios" };
  return { value: { estimate, low, high, qualifier: readRatio(interval, bound).qualifier } };
}

function whyNotAlike(job: Result, hello: Result): string | undefined {
  const pairs = [
    [machineOf(hello.machine), machineOf(job.machine)],
    [`profile ${hello.plan.profile}`, `profile ${job.plan.profile}`],
    ...versionChanges(versionsOf(hello), versionsOf(job), ["runtime", "framework"])
      .map(({ before, now }) => [before, now]),
  ];
  const [first] = pairs.filter(([a, b]) => a !== b);
  return first && `hello was measured with ${first[0]}, ${job.scenario} with ${first[1]}`;
}
