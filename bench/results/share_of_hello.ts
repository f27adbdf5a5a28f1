/**
 * Share of hello: how much of the throughput of `hello` does a job leave? Takes the results of one implementation in both
 * scenarios, and how far rates drift; returns the ratio of warm goodput with its interval. Framework and HTTP are in both,
 * so the rest is what the job costs.
 */
import { machineOf } from "./comparable.ts";
import { counted, goodputOf } from "./comparison_schema.ts";
import { fewRounds } from "./compared.ts";
import { warmLogRatesAt } from "./goodput.ts";
import type { Known } from "./known.ts";
import { isGeneratorBound } from "./outcome.ts";
import { firstsOf } from "./replicas.ts";
import type { Result } from "./result_schema.ts";
import { versionChanges, versionsOf } from "./versions.ts";
import {
  type Drift,
  driftOf,
  median,
  type RatioInterval,
  readRatio,
  twoSampleRatioInterval,
  widened,
} from "../statistics/mod.ts";

/** Warm goodput of a job as a share of that of `hello` at the same connections. */
export interface ShareOfHello extends Pick<RatioInterval, "estimate" | "low" | "high"> {
  /** How to read it where the load generator limited one of the two. */
  qualifier?: "at least" | "at most";
  /** Whether the interval covers how far rates drift within a run. */
  coversDrift: boolean;
}

/**
 * Returns the share at a level. Its interval is over the rounds of both runs, two samples, and covers the drift of both
 * rates, where the results of these runs, `around`, show it; otherwise it is over the rounds alone. There is no share of
 * two kinds of machine, two profiles, or two versions, because these would be in it, and none where the machine was not as
 * fast in one run as in the other.
 */
export function shareOfHello(
  job: Result,
  hello: Result,
  connections: number,
  around: readonly Result[],
): Known<ShareOfHello> {
  const differs = whyNotAlike(job, hello) ?? whyNotAsFast(job, hello, { around, connections });
  if (differs !== undefined) return { missing: differs };
  const ofJob = warmLogRatesAt(job, connections);
  if ("missing" in ofJob) return { missing: `${job.scenario}: ${ofJob.missing}` };
  const ofHello = warmLogRatesAt(hello, connections);
  if ("missing" in ofHello) return { missing: `${hello.scenario}: ${ofHello.missing}` };
  const ofRounds = twoSampleRatioInterval(ofJob.value, ofHello.value);
  if (ofRounds === undefined) return { missing: fewRounds };
  const drift = driftAround(job, around, connections);
  const interval = drift === undefined ? ofRounds : widened(ofRounds, drift);
  const { estimate, low, high } = interval;
  const bound = {
    a: isGeneratorBound(job, connections),
    b: isGeneratorBound(hello, connections),
  };
  if (bound.a && bound.b) return { missing: "the load generator limited it in both scenarios" };
  const { qualifier } = readRatio(interval, bound);
  const coversDrift = drift !== undefined && drift.standardDeviation > 0;
  return { value: { estimate, low, high, qualifier, coversDrift } };
}

/**
 * Returns how far rates drift within runs on the machine of a result, from the control, which is one program beside every
 * implementation: at 50 connections it answered up to 1.28 times as much beside one as beside another (run
 * 20261122T123600Z). Undefined where no run has two implementations that were compared.
 */
function driftAround(
  { machine }: Result,
  around: readonly Result[],
  connections: number,
): Drift | undefined {
  const here = around.filter((result) => machineOf(result.machine) === machineOf(machine));
  const runs = [...Map.groupBy(here, ({ runId }) => runId).values()];
  return driftOf(
    runs.map((results) =>
      firstsOf(results).flatMap((result) => {
        // Whether the implementation's own comparison is valid says nothing of the control's rates.
        const level = result.comparison?.levels.find((it) => it.connections === connections);
        return level === undefined
          ? []
          : [counted(level.rounds).map(({ reference }) => Math.log(goodputOf(reference)))];
      })
    ),
  );
}

/**
 * The most by which the null server's throughput may differ between the two runs: 1.2 times. It does not touch the
 * database, so it shows less than a job feels: between the runs 20261122T123600Z and 20261127T201220Z, it fell by a third,
 * and the control's throughput of `jwt-mysql` by three fifths.
 */
const mostSpeedRatio = 1.2;

/** Says by how much the machine's speed differed between two runs; undefined where it did not, or nothing shows it. */
function whyNotAsFast(
  job: Result,
  hello: Result,
  { around, connections }: { around: readonly Result[]; connections: number },
): string | undefined {
  const [ofJob, ofHello] = [job, hello].map(({ runId, machine }) => {
    const rates = [...new Set([job, hello, ...around])]
      .filter((it) => it.runId === runId && machineOf(it.machine) === machineOf(machine))
      .flatMap(({ ceilings = [] }) => ceilings.filter((it) => it.connections === connections))
      .map(({ goodputPerSecond }) => goodputPerSecond);
    return rates.length === 0 ? undefined : median(rates);
  });
  if (ofJob === undefined || ofHello === undefined) return undefined;
  if (Math.max(ofJob, ofHello) <= mostSpeedRatio * Math.min(ofJob, ofHello)) return undefined;
  const [faster, slower] = ofHello > ofJob ? ["hello", job.scenario] : [job.scenario, "hello"];
  const times = Math.max(ofJob, ofHello) / Math.min(ofJob, ofHello);
  return `the machine was faster when ${faster} was measured: the null server answered ` +
    `${times.toFixed(2)} times as many requests per second as with ${slower}`;
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
