/** Whether a measurement may be resumed: its parts have one implementation, and one database. */
import { isDeepStrictEqual } from "node:util";
import { BenchError } from "../lib/error.ts";

/**
 * Refuses to mix parts that were measured with different versions, data or database servers in one file.
 *
 * @param id Of the measurement.
 * @param what Whose facts they are.
 * @throws {BenchError} naming the first fact that differs from what it is now.
 */
export function requireSameFacts(
  id: string,
  what: string,
  { was, now }: Record<"was" | "now", object | undefined>,
): void {
  const earlier = new Map<string, unknown>(Object.entries(was ?? {}));
  // As it would be read from the file.
  for (const [name, value] of Object.entries<unknown>(JSON.parse(JSON.stringify(now ?? {})))) {
    if (isDeepStrictEqual(earlier.get(name), value)) continue;
    throw new BenchError(
      `Cannot resume "${id}": ${name} of the ${what} is ${describe(value)}, was ${
        describe(earlier.get(name))
      }, expected the same`,
      { help: "Measure again without --resume." },
    );
  }
}

function describe(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
