/** Runs as they are published below api/, made up, for tests. */
import type { ApiImpl, ApiLevel, ApiRun } from "../site/api/schema.ts";
import type { RatioInterval } from "../statistics/mod.ts";
import { compareSides } from "../../site/assets/compare_sides.js";

export const older = "20260105T000000Z-0000005";
export const newer = "20260106T000000Z-0000006";

export function ratioOf(low: number, high: number): RatioInterval {
  return {
    estimate: Math.sqrt(low * high),
    low,
    high,
    confidence: 0.95,
    method: "hodges-lehmann",
    rounds: 10,
  };
}

/** Makes a level, with the same interval over three runs. */
export function levelOf(low: number, high: number, more: Partial<ApiLevel> = {}): ApiLevel {
  const ratio = ratioOf(low, high);
  const { estimate, confidence } = ratio;
  return {
    connections: 50,
    cold: { goodputPerSecond: 1000 * low },
    warm: {
      goodputPerSecond: {
        estimate: 2000 * low,
        low: 1900 * low,
        high: 2100 * low,
        confidence,
        rounds: 10,
      },
      ratio,
      overRuns: { estimate, low, high, confidence, runs: 3 },
      tieGroups: [],
    },
    ...more,
  };
}

export function implOf(id: string, levels: ApiLevel[], more: Partial<ApiImpl> = {}): ApiImpl {
  const versioned = { name: "thing", version: "1.0.0" };
  return {
    id,
    name: id.toUpperCase(),
    language: "Rust",
    class: "standard",
    status: "complete",
    command: `npx rust-just bench ${id} full`,
    runId: newer,
    machine: { cpuModel: "Example CPU", cpuCount: 2 },
    control: "1.0.0",
    runtime: versioned,
    framework: versioned,
    driver: versioned,
    jwt: versioned,
    levels,
    ...more,
  };
}

export function runOf(id: string, impls: ApiImpl[], more: Partial<ApiRun> = {}): ApiRun {
  return {
    schemaVersion: 1,
    id,
    startedAt: "2026-01-05T00:00:00.000Z",
    scenario: "jwt-mysql",
    profile: "full",
    machine: "Example CPU, 2 processors",
    commit: "0".repeat(40),
    marks: [],
    impls,
    pairs: [],
    ...more,
  };
}

/** Compares the only implementations of two runs. */
export function compareOnly(a: ApiRun, b: ApiRun) {
  return compareSides({ run: a, impl: a.impls[0]! }, { run: b, impl: b.impls[0]! });
}
