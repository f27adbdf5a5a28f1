import { z } from "zod";
import { BenchError } from "../lib/error.ts";

const resultsSchema = z.array(z.enum(["success", "failure", "cancelled", "skipped"])).min(1);

/**
 * Tells whether all needed jobs succeeded, given as GitHub's `toJSON(needs.*.result)`. A skipped job had nothing to
 * do; the jobs that it needed are in the list, too.
 *
 * @throws {BenchError} when that is not a list of results, so that no mistake in the workflow passes.
 */
export function allPassed(json: string): boolean {
  let results: unknown;
  try {
    results = JSON.parse(json);
  } catch {
    // Not JSON: the schema's message says what was expected.
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
