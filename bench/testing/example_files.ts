/** Made-up files of comparisons, for tests. */
import { createRandom } from "../lib/random.ts";
import type { ComparisonFile, NoiseComparison, NoiseFile } from "../results/files_schema.ts";
import { summariseNoise } from "../results/noise.ts";
import { comparisonPlans, noisePlans } from "../results/profiles.ts";
import { ratioInterval } from "../statistics/mod.ts";
import { exampleResult } from "./example_result.ts";
import { exampleComparedLevel } from "./example_run.ts";

/** Makes the comparison of an implementation with its base, of about `ratio` of its goodput. */
export function exampleComparison(ratio: number): ComparisonFile {
  const { runId, impl, provenance } = exampleResult();
  return {
    ...exampleCircumstances(),
    id: runId,
    command: `npx rust-just compare ${impl.id} --base main quick`,
    plan: comparisonPlans.quick,
    subject: { id: impl.id, commit: provenance.commit },
    reference: { id: impl.id, commit: "f".repeat(40) },
    levels: [exampleComparedLevel({ ratio, seed: 1, connections: 50 })],
  };
}

/** Makes a noise measurement: twenty comparisons of one with itself, some false alarms. */
export function exampleNoise(id: string): NoiseFile {
  const { impl } = exampleResult();
  const comparisons = Array.from({ length: 20 }, (_, index): NoiseComparison => {
    const seed = index + 1;
    const random = createRandom(seed);
    const ratioOver = (units: number) =>
      ratioInterval(Array.from({ length: units }, () => 0.1 * (random() - 0.5)));
    return {
      ...exampleComparedLevel({ ratio: index === 7 ? 1.03 : 1, seed, connections: 50 }),
      startup: ratioOver(noisePlans.full.startupRuns),
      p99AtRate: ratioOver(noisePlans.full.p99AtRate.pairs),
    };
  });
  return {
    ...exampleCircumstances(),
    id,
    command: `npx rust-just noise ${impl.id} --comparisons 20`,
    plan: noisePlans.full,
    impl: impl.id,
    program: impl,
    plannedComparisons: 20,
    comparisons,
    summary: summariseNoise(comparisons)!,
  };
}

/** Makes what both say of how they were measured. */
function exampleCircumstances() {
  const { plan, provenance, machine, database, schemaVersion, scenario } = exampleResult();
  return {
    schemaVersion,
    scenario,
    startedAt: "2026-01-05T00:00:00.000Z",
    endedAt: "2026-01-05T02:00:00.000Z",
    commit: provenance.commit,
    dirty: false,
    tools: provenance.tools,
    machine,
    database: database!,
    seed: plan.seed,
  };
}
