/** When is the next scheduled run? In: the workflow that measures. Out: the instants at which its schedule starts it. */
import { parse as parseYaml } from "@std/yaml";
import { z } from "zod";
import { BenchError } from "../../lib/error.ts";

/** Only sites are built with it: no other command fetches what is imported by a variable. */
const croner = "croner";
/** What is used of it. */
interface Croner {
  Cron: new (pattern: string, options: { timezone: string }) => {
    nextRuns(count: number, after: Date): Date[];
  };
}

const workflowSchema = z.object({
  on: z.object({ schedule: z.array(z.object({ cron: z.string() })).default([]) }),
});

/**
 * Returns the next instants, the first one first, in UTC, as GitHub reads schedules.
 *
 * @throws {BenchError} when the workflow has no readable schedule.
 */
export async function nextRuns(
  workflow: { path: string; text: string },
  now: Date,
  count: number,
): Promise<string[]> {
  const parsed = workflowSchema.safeParse(parseYaml(workflow.text));
  const crons = parsed.success ? parsed.data.on.schedule : [];
  if (crons.length === 0) {
    throw new BenchError(
      `Cannot read "${workflow.path}": it has no schedule, expected "on.schedule" with a "cron"`,
    );
  }
  const { Cron }: Croner = await import(croner);
  return crons.flatMap(({ cron }) => new Cron(cron, { timezone: "UTC" }).nextRuns(count, now))
    .map((instant) => instant.toISOString()).sort().slice(0, count);
}
