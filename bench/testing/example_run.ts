import { exampleRateSweep, rateSweepPlan } from "./example_rate_sweep.ts";
import { exampleObservation, exampleResult, latencyOfEqual } from "./example_result.ts";
import { comparisonPlans } from "../results/profiles.ts";
import { createRandom } from "../lib/random.ts";
import { judge } from "../measure/judge.ts";
import type { Level, Repetition, Result } from "../results/result_schema.ts";
import type { ComparedLevel, ComparedRound } from "../results/comparison_schema.ts";
import type { Ceiling, Startup } from "../results/protocols_schema.ts";
import { ratioInterval, startupRatio } from "../statistics/mod.ts";

/** What tells one made-up implementation from another. */
interface Example {
  id: string;
  name: string;
  class: "standard" | "tuned";
  /** Of its goodput to the control's. */
  ratio: number;
  /** For a second, now and then. */
  freezes: boolean;
  isGeneratorBound: boolean;
}

const plain = { class: "standard" as const, freezes: false, isGeneratorBound: false };
const examples: Example[] = [
  { ...plain, id: "swift", name: "Swift", ratio: 1.02 },
  { ...plain, id: "even", name: "Even", ratio: 1.01 },
  { ...plain, id: "freezing", name: "Freezing", ratio: 0.5, freezes: true },
  { ...plain, id: "tweaked", name: "Tweaked", class: "tuned", ratio: 1.6, isGeneratorBound: true },
];

/** Correct answers per second that the control is made to give. */
const controlPerSecond = 4_000;

/** What was made of each draw: hundreds of histograms, of which tests change a copy. */
const made = new Map<number, Result[]>();

/**
 * Makes the results of a run that has every part, for tests: Even and Swift are tied, Freezing is slower and
 * freezes, and Tweaked is tuned and bound by the load generator. With another `draw`, its rounds differ as chance has it.
 */
export function exampleRun(runId: string, draw = 0): Result[] {
  const results = made.get(draw) ?? makeResults(draw);
  made.set(draw, results);
  return structuredClone(results).map((result) => ({ ...result, runId }));
}

function makeResults(draw: number): Result[] {
  return examples.map((example, index) => {
    const { id, name, class: implClass, ratio } = example;
    const result = exampleResult();
    const [level] = result.levels;
    return {
      ...result,
      impl: { ...result.impl, id, name, class: implClass },
      plan: {
        ...result.plan,
        comparison: comparisonPlans.full,
        rateSweep: rateSweepPlan,
        startupRuns: startupRuns,
      },
      buildSeconds: 12.5,
      control: { version: "1.0.0" },
      ceilings: [exampleCeiling()],
      levels: [{
        ...level!,
        repetitions: example.freezes
          ? [silentRepetition()]
          : example.isGeneratorBound
          ? [fastRepetition()]
          : level!.repetitions,
        frame: exampleFrame(example),
      }],
      comparison: {
        plan: comparisonPlans.full,
        levels: [exampleComparedLevel({ ratio, seed: 100 * draw + index + 1, connections: 10 })],
      },
      rateSweep: exampleRateSweep(controlPerSecond * ratio, example.freezes),
      startup: exampleStartup(0.02 * (index + 1)),
    };
  });
}

/** Returns a ceiling with an interval: the null server is twice as fast as the control, unless told. */
export function exampleCeiling(
  goodputPerSecond = 2 * controlPerSecond,
  relativeHalfWidth = 0.04,
): Ceiling {
  return {
    ...{ connections: 10, requests: 30_000, goodputPerSecond, loads: 6 },
    lowPerSecond: (1 - relativeHalfWidth) * goodputPerSecond,
    highPerSecond: (1 + relativeHalfWidth) * goodputPerSecond,
  };
}

/** Returns a result with a load generator that is so fast that it bounds nothing. */
export function withFastGenerator(result: Result): Result {
  return {
    ...result,
    ceilings: result.ceilings!.map(({ goodputPerSecond: rate, ...ceiling }) => ({
      ...ceiling,
      ...{ goodputPerSecond: 2 * rate, lowPerSecond: 1.9 * rate, highPerSecond: 2.1 * rate },
    })),
    levels: result.levels.map((level) => ({
      ...level,
      frame: { ...level.frame!, isGeneratorBound: false },
    })),
  };
}

/** Returns a result with a load generator that bounds it, and of which no more is known. */
export function withSlowGenerator(result: Result): Result {
  const { ceilings: _, ...rest } = result;
  return {
    ...rest,
    levels: result.levels.map((level) => ({
      ...level,
      frame: { ...level.frame!, isGeneratorBound: true },
    })),
  };
}

/** Makes a valid load that gets all that the null server would give. */
function fastRepetition(): Repetition {
  const [answers, connections] = [20_000, 10];
  const observation = exampleObservation();
  const goodputPerSecond = answers / observation.durationSeconds;
  observation.attempted = observation.correct = answers;
  observation.series.correct.fill(answers / observation.series.correct.length);
  observation.latency = latencyOfEqual(answers, 1e6 * connections / goodputPerSecond);
  return {
    startedAt: "2026-01-01T00:00:10.000Z",
    ...judge(observation, { connections, poolMax: 16, requests: answers }),
    observation,
  };
}

/** Makes a valid load in which no answer came for a quarter of a second, and one never came. */
function silentRepetition(): Repetition {
  const observation = exampleObservation();
  observation.attempted++;
  observation.failures = { timeout: 1 };
  observation.series.correct.splice(1, 2, 0, 2_000);
  const context = { connections: 10, poolMax: 16, requests: observation.attempted };
  return {
    startedAt: "2026-01-01T00:00:10.000Z",
    ...judge(observation, context),
    observation,
  };
}

function exampleFrame({ isGeneratorBound }: Example): NonNullable<Level["frame"]> {
  return isGeneratorBound
    ? {
      shareOfCeiling: 1,
      isGeneratorBound,
      bottleneck: "generator",
      because: "goodput is 100 % of the null server's, 70 % or more",
    }
    : {
      shareOfCeiling: 0.5,
      isGeneratorBound,
      bottleneck: "subject",
      because: "its busiest thread used 97 % of one processor",
    };
}

/** Makes rounds that differ by some percent and have about this ratio, and the conclusion from them. */
export function exampleComparedLevel(
  { ratio, seed, connections }: { ratio: number; seed: number; connections: number },
): ComparedLevel {
  const random = createRandom(seed);
  const { slices, sliceSeconds } = comparisonPlans.quick;
  const side = (perSecond: number) => {
    const each = Math.round(perSecond * sliceSeconds);
    return {
      correct: each * slices,
      failed: 0,
      seconds: slices * sliceSeconds,
      perSlice: new Array<number>(slices).fill(each),
      cpuSecondsPerAnswer: 0.5 / perSecond,
    };
  };
  const rounds = Array.from({ length: 8 }, (): ComparedRound => ({
    startedAt: "2026-01-01T00:00:30.000Z",
    order: "srrs".repeat(slices / 2),
    subject: side(controlPerSecond * ratio * (1 + 0.04 * (random() - 0.5))),
    reference: side(controlPerSecond),
  }));
  const logRatios = rounds.map(({ subject, reference }) =>
    Math.log(subject.correct / reference.correct)
  );
  return {
    connections,
    rounds,
    goodput: ratioInterval(logRatios)!,
    cpuPerAnswer: ratioInterval(logRatios.map((logRatio) => -logRatio))!,
    goodputPerSecond: { subject: controlPerSecond * ratio, reference: controlPerSecond },
  };
}

const startupRuns = 5;

/** Makes blocks of one start of each side, in which the subject takes about `seconds` and the control 15 ms. */
function exampleStartup(seconds: number): Startup {
  const side = (time: number) => ({ seconds: [time], memoryBytes: [30 * 1024 ** 2] });
  const blocks = Array.from({ length: startupRuns }, (_, block) => ({
    subject: side(seconds * (1 + block / 10)),
    control: side(0.015 * (1 + block / 12)),
  }));
  return {
    tool: "hyperfine 1.20.0",
    memorySource: "pss",
    blocks,
    ratio: startupRatio(blocks.map((block) => ({
      subject: block.subject.seconds,
      control: block.control.seconds,
    }))),
    artefactBytes: 9 * 1024 ** 2,
  };
}

/** Makes the results of a run of `hello`, which needs neither a database nor tokens. */
export function exampleHelloRun(runId: string): Result[] {
  return exampleRun(runId).map(({ database: _, ...result }) => ({
    ...result,
    scenario: "hello",
    verification: { problems: [] },
    levels: result.levels.map((level) => ({
      ...level,
      repetitions: level.repetitions.map(({ observation, ...repetition }) => {
        const { queries: _, resources, ...seen } = observation!;
        const { database: __, ...roles } = resources!;
        return { ...repetition, observation: { ...seen, resources: roles } };
      }),
    })),
  }));
}
