/**
 * The toolchains that an implementation requires: their versions, and what they add to the environment of a build and
 * of a running server.
 */
import { parseRange } from "@std/semver";
import type { Impl } from "./impl.ts";
import { requiredEcosystems } from "./ecosystems.ts";
import { BenchError } from "../lib/error.ts";

/** What was found for one implementation: versions by toolchain, and what they add to an environment. */
export interface Toolchain {
  versions: Record<string, string>;
  /** The folders to put first on PATH. */
  path: string[];
  /** The folders to put before those for the server: the build makes them. */
  startPath: string[];
  variables: Record<string, string>;
  /** Environment variables that they need, besides those that every build may see. */
  keptForBuild: string[];
  /** Environment variables that a build gets. */
  setForBuild: Record<string, string>;
  keptForStart: string[];
  /** Names of the threads that compile while the server runs. */
  compilerThreads: RegExp[];
  /** About how many seconds they take until they are quiet; 0 where there are none. */
  secondsToQuiet: number;
  /** How many times the requests of a warm-up they need. */
  warmUpFactor: number;
}

/** For a program that requires nothing. */
export const noToolchain: Toolchain = {
  versions: {},
  path: [],
  startPath: [],
  variables: {},
  keptForBuild: [],
  setForBuild: {},
  keptForStart: [],
  compilerThreads: [],
  secondsToQuiet: 0,
  warmUpFactor: 1,
};

/**
 * Finds each toolchain that an implementation requires.
 *
 * @throws {BenchError} naming what was found and what to install, when one is missing or too old.
 */
export async function findToolchain({ id, folder, manifest }: Impl): Promise<Toolchain> {
  const toolchain = structuredClone(noToolchain);
  for (const [name, ecosystem] of await requiredEcosystems(manifest.requires)) {
    toolchain.keptForBuild.push(...ecosystem.keptForBuild ?? []);
    Object.assign(toolchain.setForBuild, ecosystem.setForBuild?.(folder));
    toolchain.keptForStart.push(...ecosystem.keptForStart ?? []);
    if (ecosystem.compilerThreads) toolchain.compilerThreads.push(ecosystem.compilerThreads);
    const { secondsToQuiet = 0, warmUpFactor = 1, threadsToWarm } = ecosystem;
    toolchain.secondsToQuiet = Math.max(toolchain.secondsToQuiet, secondsToQuiet);
    const threads = threadsToWarm?.(manifest.start) ?? 1;
    toolchain.warmUpFactor = Math.max(toolchain.warmUpFactor, warmUpFactor * threads);
    const range = manifest.requires[name]!;
    const env = buildEnvironment(toolchain);
    const found = await ecosystem.find(parseRange(range), { folder, env });
    if (found.version === undefined) {
      const { whatIs, said, should = range, remedy = ecosystem.install } = found;
      throw new BenchError(
        `Cannot use toolchain "${name}" for "${id}": ${whatIs}, expected ${should}`,
        { help: said ? `${said}\n${remedy}` : remedy },
      );
    }
    toolchain.versions[name] = found.version;
    toolchain.path.unshift(...found.path ?? []);
    toolchain.startPath.unshift(...found.startPath ?? []);
    Object.assign(toolchain.variables, found.variables);
  }
  return toolchain;
}

/**
 * Checks what a build has installed.
 *
 * @throws {BenchError} when the version of a runtime is not the one that was found before.
 */
export async function confirmToolchain(
  { folder, manifest }: Impl,
  toolchain: Toolchain,
): Promise<void> {
  const env = buildEnvironment(toolchain);
  for (const [name, { confirm }] of await requiredEcosystems(manifest.requires)) {
    await confirm?.(toolchain.versions[name]!, { folder, env });
  }
}

const keptByAll = ["HOME", "LANG", "TMPDIR"];
/** Where a build's cache is, and how it reaches the network. */
const keptByAllBuilds = [
  "XDG_CACHE_HOME",
  ...["http_proxy", "https_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"],
  ...["SSL_CERT_FILE", "SSL_CERT_DIR"],
];

/**
 * Returns the whole environment of a build, without a person's compiler flags or target folder, with which the same
 * commit would build a different program.
 */
export function buildEnvironment(toolchain: Toolchain): Record<string, string> {
  const { keptForBuild, setForBuild } = toolchain;
  return { ...environment([...keptByAllBuilds, ...keptForBuild], toolchain), ...setForBuild };
}

/**
 * Returns the whole environment that a server starts with, before the contract's variables: nothing that
 * a person's shell may set (thread counts, log levels, runtime options) reaches a measured process.
 */
export function startEnvironment(toolchain: Toolchain): Record<string, string> {
  const { keptForStart, startPath, path } = toolchain;
  return environment(keptForStart, { ...toolchain, path: [...startPath, ...path] });
}

function environment(names: string[], { path, variables }: Toolchain): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of [...keptByAll, ...names]) {
    const value = Deno.env.get(name);
    if (value !== undefined) kept[name] = value;
  }
  const PATH = [...path, Deno.env.get("PATH") ?? ""].join(":");
  return { ...kept, ...variables, PATH };
}
