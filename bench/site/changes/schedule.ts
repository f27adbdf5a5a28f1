/** When is the next scheduled run? In: the workflow that measures. Out: the instants at which its schedule starts it. */
import { Cron } from "croner";
import { parse as parseYaml } from "yaml";
import { z } from "zod";
import { BenchError } from "../../lib/error.ts";

const workflowSchema = z.object({
  on: z.object({ schedule: z.array(z.object({ cron: z.string() })).default([]) }),
});

/**
 * Returns the next instants, the first one first, in UTC, as GitHub reads schedules.
 *
 * @throws {BenchError} when the workflow has no readable schedule.
 */
export function nextRuns(
  workflow: { path: string; text: string },
  now: Date,
  count: number,
): string[] {
  const parsed = workflowSchema.safeParse(parseYaml(workflow.text));
  const crons = parsed.success ? parsed.data.on.schedule : [];
  if (crons.length === 0) {
    throw new BenchError(
      `Cannot read "${workflow.path}": it has no schedule, expected "on.schedule" with a "cron"`,
    );
  }
  return crons.flatMap(({ cron }) => new Cron(cron, { timezone: "UTC" }).nextRuns(count, now))
    .map((instant) => instant.toISOString()).sort().slice(0, count);
}
