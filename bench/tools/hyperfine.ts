/**
 * Builds hyperfine into the cache, and times commands with it. The only module that knows its options
 * and key names.
 */
import { join } from "@std/path";
import { z } from "zod";
import { cacheFolder, keepFolder, type MakeOptions } from "../lib/cache.ts";
import { digest } from "../lib/digest.ts";
import { BenchError } from "../lib/error.ts";
import { logTail } from "../lib/log_lines.ts";
import { runOrThrow, runProcess } from "../lib/process.ts";
import { readRustRelease, rustFolder } from "../lib/rust_release.ts";
import { rustEnvironment } from "../native/native.ts";

/** The last version that Rust 1.88 builds: 2.0 needs a newer one, and has other keys. */
export const hyperfineVersion = "1.20.0";

const installCommand = [
  ...["cargo", "install", "hyperfine", "--version", `=${hyperfineVersion}`],
  ...["--locked", "--no-track"],
  // The timed commands run in other processes, and the clock is read beside the system call that starts them: optimising
  // hyperfine would only slow the build.
  ...["--config", "profile.release.lto=false", "--config", "profile.release.codegen-units=16"],
  ...["--config", "profile.release.opt-level=0"],
];

/** Returns the name of its folder in the cache: version and a hash of all that the build depends on. */
export async function hyperfineFolderName(env: Record<string, string>): Promise<string> {
  const hash = await digest([...installCommand, await readRustRelease(env)]);
  return `hyperfine-${hyperfineVersion}-${hash.slice(0, 12)}`;
}

/** Returns the path of hyperfine in the cache; builds it if it is missing. */
export async function keepHyperfine(
  { report, signal, env }: MakeOptions,
): Promise<string> {
  const name = await hyperfineFolderName(env);
  const folder = await keepFolder(cacheFolder(env), name, async (staging) => {
    report.line(`Building hyperfine ${hyperfineVersion} from crates.io, once: about a minute`);
    const logPath = join(staging, "build.log");
    const root = join(staging, "installed");
    const install = [...installCommand, "--root", root, "--target-dir", join(staging, "target")];
    await runOrThrow(`Cannot build "hyperfine ${hyperfineVersion}"`, install, {
      cwd: rustFolder,
      env: rustEnvironment(env, staging),
      clearEnv: true,
      logPath,
      signal,
    });
    return root;
  }, { report, signal });
  return join(folder, "bin", "hyperfine");
}

/** Options for {@linkcode time}. */
export interface TimeOptions {
  hyperfinePath: string;
  /** Runs after the command, untimed, if that ended with 0. */
  conclude: string[];
  cwd: string;
  /** The whole environment of both commands; hyperfine adds `HYPERFINE_…` variables of its own. */
  env: Record<string, string>;
  /** Path of the launcher, which ends what left the process group; absent where the system has no use for it. */
  launcher?: string;
  /** Receives what both commands print. */
  logPath: string;
  /** Receives `hyperfine.json`; holds one timing at a time. */
  folder: string;
  signal: AbortSignal;
}

const exportSchema = z.object({
  results: z.tuple([
    z.object({ times: z.tuple([z.number().positive()]), exit_codes: z.array(z.literal(0)) }),
  ]),
});

/**
 * Runs a command once, without a shell, and returns how long it took, in seconds. What both commands leave behind in their
 * process group is killed at the end; with a launcher, all that they leave behind.
 *
 * @throws {BenchError} with the commands' last output, when one did not end with 0.
 */
export async function time(command: string[], options: TimeOptions): Promise<number> {
  const { folder, logPath, cwd, env, launcher, signal } = options;
  const exportPath = join(folder, "hyperfine.json");
  await Deno.writeTextFile(logPath, "");
  const hyperfine = [
    ...[options.hyperfinePath, "--runs", "1", "--shell", "none", "--style", "none"],
    // What the commands say is the reason when they fail.
    ...["--output", "inherit", "--export-json", exportPath],
    ...["--conclude", quote(options.conclude), quote(command)],
  ];
  const { code } = await runProcess(hyperfine, {
    ...{ cwd, env, clearEnv: true, logPath, launcher, signal },
  });
  if (code !== 0) {
    throw new BenchError(`Cannot time "${command[0]}": it failed, expected it to end with 0`, {
      // The last line of hyperfine's own says how to call it so that it does not end here.
      help: (await logTail(logPath)).replace(/^Error: .*\n?/m, "").trimEnd(),
    });
  }
  const { results: [result] } = exportSchema.parse(JSON.parse(await Deno.readTextFile(exportPath)));
  return result.times[0];
}

/** Returns a command as one text that hyperfine splits into the same arguments, as a POSIX shell would. */
function quote(command: string[]): string {
  return command.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(" ");
}
