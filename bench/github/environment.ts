import { BenchError } from "../lib/error.ts";

/** The environment of a workflow's step: `Deno.env.toObject()`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns a variable of the environment.
 *
 * @throws {BenchError} when it is not set, or empty.
 */
export function valueOf(name: string, environment: Environment): string {
  const value = environment[name];
  if (value !== undefined && value !== "") return value;
  throw new BenchError(`Cannot use "${name}": it is not set, expected what a workflow's step has`);
}
