import { encodeIntoCompressedBase64 } from "hdr-histogram-js";
import { judge } from "../measure/judge.ts";
import type { Observation, Result } from "../results/result_schema.ts";
import { createLatencyHistogram } from "../statistics/mod.ts";

let observed: Observation | undefined;

/** Returns an observation in which all is well, for tests to change: 10,000 answers in 2.5 s, over 10 connections. */
export function exampleObservation(): Observation {
  return structuredClone(observed ??= makeObservation());
}

function makeObservation(): Observation {
  const histogram = createLatencyHistogram();
  for (let index = 0; index < 10_000; index++) histogram.recordValue(2_250 + index % 500);
  const role = {
    cpuSeconds: 1,
    cpuSecondsPerAnswer: 0.0001,
    busiestThreadCpuSeconds: 0.8,
    peakMemoryBytes: 20 * 1024 ** 2,
    peakThreads: 4,
    contextSwitches: 100,
  };
  return {
    durationSeconds: 2.5,
    attempted: 10_000,
    correct: 10_000,
    refused: 100,
    wrong: {},
    problems: [],
    failures: {},
    reconnects: 0,
    series: {
      intervalSeconds: 0.25,
      correct: new Array(10).fill(1_000),
      failed: new Array(10).fill(0),
    },
    latency: {
      encoding: "HdrHistogram-V2-compressed-base64",
      unit: "microseconds",
      significantDigits: 3,
      histogram: encodeIntoCompressedBase64(histogram),
    },
    queries: {
      perRequest: 0.99,
      expectedPerRequest: 0.99,
      executesPerRequest: 0.99,
      prepares: 16,
      pingsPerRequest: 0,
      rowsReadPerRequest: 0.99,
      peakConnections: 16,
    },
    log: { lines: 0 },
    resources: {
      source: "proc",
      memorySource: "pss",
      subject: role,
      database: role,
      generator: role,
      harness: role,
      machine: {
        capacityCpuSeconds: 5,
        foreignCpuSeconds: 0.02,
        idleCpuSeconds: 0.9,
        stealCpuSeconds: 0,
        swappedBytes: 0,
      },
    },
  };
}

/** Makes the latency of a load whose answers all took as long. */
export function latencyOfEqual(answers: number, microseconds: number): Observation["latency"] {
  const histogram = createLatencyHistogram();
  histogram.recordValueWithCount(microseconds, answers);
  return { ...exampleObservation().latency, histogram: encodeIntoCompressedBase64(histogram) };
}

let result: Result | undefined;

/** Returns a complete result of one level, for tests to change. */
export function exampleResult(): Result {
  return structuredClone(result ??= makeResult());
}

function makeResult(): Result {
  const plan = {
    profile: "custom" as const,
    levels: [10],
    requests: 10_000,
    warmUpRequests: 1_000,
    poolMax: 16,
    seed: 1,
  };
  const observation = exampleObservation();
  return {
    schemaVersion: 1,
    runId: "20260101T000000Z-0000000",
    scenario: "jwt-mysql",
    impl: {
      id: "example",
      name: "Example",
      language: "TypeScript",
      class: "standard",
      website: "https://example.org",
      runtime: { name: "Deno", version: "2.0.0" },
      framework: { name: "koa", version: "3.0.0" },
      driver: { name: "mysql2", version: "3.0.0" },
      jwt: { name: "jsonwebtoken", version: "9.0.0" },
    },
    status: "complete",
    startedAt: "2026-01-01T00:00:00.000Z",
    endedAt: "2026-01-01T00:01:00.000Z",
    plan,
    provenance: {
      commit: "0".repeat(40),
      dirty: false,
      command: "npx rust-just bench example --levels 10",
      build: ["true"],
      start: ["true"],
      tools: { oha: "1.16.0" },
    },
    machine: {
      os: "Example OS",
      kernel: "6.0",
      architecture: "x86_64",
      cpuModel: "Example CPU",
      cpuCount: 2,
      memoryBytes: 8 * 1024 ** 3,
    },
    database: {
      provider: "packages",
      engine: "MySQL",
      version: "9.0.0",
      variables: { max_connections: "1000" },
      rows: 100_000,
      rowsSha256: "0".repeat(64),
    },
    verification: { problems: [], outage: "checked" },
    levels: [{
      connections: 10,
      repetitions: [{
        startedAt: "2026-01-01T00:00:10.000Z",
        ...judge(observation, { connections: 10, poolMax: plan.poolMax, requests: plan.requests }),
        observation,
      }],
    }],
  };
}
