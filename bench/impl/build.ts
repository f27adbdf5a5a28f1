/**
 * Build: runs the build command of `impl.toml` in the implementation's folder; writes the log to `build.log` there,
 * and its end into the error.
 */
import { join } from "@std/path";
import type { Impl } from "./impl.ts";
import { BenchError, messageOf } from "../lib/error.ts";
import { readLockText } from "./lock_files.ts";
import { runOrThrow } from "../lib/process.ts";
import { buildEnvironment, confirmToolchain, type Toolchain } from "./toolchains.ts";

/** Options for {@linkcode buildImpl}. */
export interface BuildOptions {
  toolchain: Toolchain;
  /** Path of the launcher, which ends what the build leaves running; absent where the system has no use for it. */
  launcher: string | undefined;
  signal: AbortSignal;
}

/**
 * Builds an implementation, and returns how many seconds that took. With a launcher, nothing of the build runs on.
 *
 * @throws {BenchError} with the log's tail, when the command does not end with 0; when its log cannot be written; when it
 * changed the lock file, whose versions the results name, or installed a runtime of a version that stands not there.
 */
export async function buildImpl(impl: Impl, options: BuildOptions): Promise<number> {
  const logPath = join(impl.folder, "build.log");
  await Deno.writeTextFile(logPath, "").catch((cause) => {
    throw new BenchError(`Cannot write "${logPath}": ${messageOf(cause)}`, {
      help: "Another user may have built it before; remove what that left.",
      cause,
    });
  });
  const locked = await readLockText(impl);
  const { build } = impl.manifest;
  const startMs = performance.now();
  await runOrThrow(`Cannot build "${impl.id}"`, build, {
    cwd: impl.folder,
    env: buildEnvironment(options.toolchain),
    clearEnv: true,
    logPath,
    launcher: options.launcher,
    signal: options.signal,
  });
  const seconds = (performance.now() - startMs) / 1000;
  if (locked !== undefined && (await readLockText(impl))?.text !== locked.text) {
    throw new BenchError(
      `Cannot use the build of "${impl.id}": it changed ${locked.name}, expected the versions that stand there`,
      {
        help:
          "Make it anew with the tool of its language, commit it, and let `build` in impl.toml obey it, " +
          "as `npm ci` and `cargo build --locked` do.",
      },
    );
  }
  await confirmToolchain(impl, options.toolchain);
  return seconds;
}
