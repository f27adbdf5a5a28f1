/**
 * Build: does the implementation build? Takes an implementation and its toolchain; runs the build command
 * of its `impl.toml` in its folder; leaves the log there as `build.log`, and its end in the error.
 */
import { join } from "@std/path";
import type { Impl } from "./impl.ts";
import { BenchError } from "../lib/error.ts";
import { logTail, runProcess } from "../lib/process.ts";
import { buildEnvironment, type Toolchain } from "./toolchains.ts";

/** Options for {@linkcode buildImpl}. */
export interface BuildOptions {
  toolchain: Toolchain;
  signal: AbortSignal;
}

/**
 * Builds an implementation, and returns how many seconds that took.
 *
 * @throws {BenchError} with the log's tail, when the command does not end with 0.
 */
export async function buildImpl(impl: Impl, options: BuildOptions): Promise<number> {
  const logPath = join(impl.folder, "build.log");
  await Deno.writeTextFile(logPath, "");
  const { build } = impl.manifest;
  const startMs = performance.now();
  const { code } = await runProcess(build, {
    cwd: impl.folder,
    env: buildEnvironment(options.toolchain),
    clearEnv: true,
    logPath,
    signal: options.signal,
  });
  if (code !== 0) {
    throw new BenchError(
      `Cannot build "${impl.id}": \`${build.join(" ")}\` ended with exit code ${code}, expected 0`,
      { help: `The end of ${logPath}:\n${await logTail(logPath)}` },
    );
  }
  return (performance.now() - startMs) / 1000;
}
