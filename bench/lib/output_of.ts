/**
 * Runs a command to its end, and returns whether it succeeded and what it printed, as text. For short output of programs
 * that end by themselves; for all others, there is `startProcess()`.
 *
 * @throws {Deno.errors.NotFound} when there is no such program.
 */
export async function outputOf(
  [program = "", ...args]: readonly string[],
  options: Pick<Deno.CommandOptions, "cwd" | "env" | "clearEnv" | "signal"> = {},
): Promise<{ success: boolean; stdout: string; stderr: string }> {
  const output = await new Deno.Command(program, { ...options, args }).output();
  const decoder = new TextDecoder();
  return {
    success: output.success,
    stdout: decoder.decode(output.stdout),
    stderr: decoder.decode(output.stderr),
  };
}
