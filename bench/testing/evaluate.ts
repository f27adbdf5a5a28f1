/** What tests use that need variables of the environment: those of this process are those of every test beside it. */
import { fromFileUrl } from "@std/path";

/** Options for {@linkcode evaluate}. */
export interface EvaluateOptions {
  /** Added to the variables of this process. */
  env: Record<string, string>;
  /** Address of the module whose exports the expression knows as `module`. */
  module: string;
}

/**
 * Evaluates an expression of JavaScript in a process of its own, and returns its value, which must fit into JSON.
 *
 * @throws {Error} with what it wrote, when it failed or warned.
 */
export async function evaluate(
  expression: string,
  { env, module }: EvaluateOptions,
): Promise<unknown> {
  const source = `import * as module from ${JSON.stringify(module)};
console.log(JSON.stringify(await ${expression} ?? null));`;
  const config = fromFileUrl(new URL("../../deno.json", import.meta.url));
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["eval", "--quiet", "--config", config, source],
    env,
  }).output();
  const decoder = new TextDecoder();
  if (stderr.length > 0) throw new Error(decoder.decode(stderr));
  return JSON.parse(decoder.decode(stdout));
}
