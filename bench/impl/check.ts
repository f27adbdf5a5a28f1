import type { Impl } from "./impl.ts";
import { requiredEcosystems } from "./ecosystems.ts";
import { BenchError, messageOf } from "../lib/error.ts";
import { buildEnvironment, findToolchain } from "./toolchains.ts";

/** What a formatter or linter objects to. */
export interface Finding {
  command: string[];
  output: string;
}

/** Returns the commands that repair what they can of what the checks find. */
export async function repairsOf({ manifest }: Impl): Promise<string[][]> {
  const ecosystems = await requiredEcosystems(manifest.requires);
  return ecosystems.flatMap(([, { repairs = [] }]) => repairs);
}

/**
 * Runs the formatters and linters of an implementation's ecosystems in its folder; undefined if they have none.
 *
 * @throws {BenchError} when a toolchain that the implementation requires is missing or too old, or lacks a command.
 */
export async function checkImpl(impl: Impl, signal: AbortSignal): Promise<Finding[] | undefined> {
  const ecosystems = await requiredEcosystems(impl.manifest.requires);
  const commands = ecosystems.flatMap(([, { checks = [] }]) => checks);
  if (commands.length === 0) return undefined;
  const env = buildEnvironment(await findToolchain(impl));
  for (const [, { setForChecks }] of ecosystems) Object.assign(env, setForChecks?.(impl.folder));
  const findings: Finding[] = [];
  for (const command of commands) {
    const [program, ...args] = command;
    const running = new Deno.Command(program!, {
      args,
      cwd: impl.folder,
      env: { ...env, NO_COLOR: "1" },
      clearEnv: true,
      signal,
    }).output();
    const { success, stdout, stderr } = await running.catch((cause) => {
      throw new BenchError(`Cannot run "${program}" for "${impl.id}": ${messageOf(cause)}`, {
        cause,
      });
    });
    signal.throwIfAborted();
    const output = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes)).join("");
    if (!success) findings.push({ command, output: output.trimEnd() });
  }
  return findings;
}
