import { z } from "zod";
import { BenchError } from "../lib/error.ts";

const resultsSchema = z.array(z.enum(["success", "failure", "cancelled", "skipped"])).min(1);

/**
 * Tells whether the jobs that a job needs went well, given as GitHub's `toJSON(needs.*.result)`. One that was
 * skipped had nothing to do: what it needed itself is among the others.
 *
 * @throws {BenchError} when that is not a list of results: nothing may pass by a slip of the workflow.
 */
export function allPassed(json: string): boolean {
  let results: unknown;
  try {
    results = JSON.parse(json);
  } catch {
    // Not even JSON: the schema says what was expected.
  }
  const parsed = resultsSchema.safeParse(results);
  if (!parsed.success) {
    throw new BenchError(
      `Cannot read the jobs' results: they are ${
        JSON.stringify(json)
      }, expected a list like ["success"]`,
    );
  }
  return parsed.data.every((result) => result === "success" || result === "skipped");
}
