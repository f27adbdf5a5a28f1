/**
 * The toolchains that implementations may require: where each is, which version it has, and what it adds
 * to the environment of a build and of a running server.
 */
import { dirname } from "@std/path";
import { format, parseRange, satisfies, tryParse } from "@std/semver";
import type { Impl } from "./discover.ts";
import { BenchError, messageOf } from "./error.ts";

export const toolchainNames = ["deno", "rust"] as const;
export type ToolchainName = typeof toolchainNames[number];

/** What was found for one implementation: versions by toolchain, and the folders to put first on PATH. */
export interface Toolchain {
  versions: Partial<Record<ToolchainName, string>>;
  path: string[];
}

const probes: Record<ToolchainName, { command: () => string[]; version: RegExp; install: string }> =
  {
    deno: {
      // The harness runs on the pinned Deno; the implementation gets the same.
      command: () => [Deno.execPath(), "--version"],
      version: /^deno (\d+\.\d+\.\d+)/,
      install: "Deno comes with the harness: change the version in bench/deno.sh",
    },
    rust: {
      command: () => ["rustc", "--version"],
      version: /^rustc (\d+\.\d+\.\d+)/,
      install: "Install Rust with rustup (https://rustup.rs), or run `rustup update stable`",
    },
  };

/**
 * Finds each toolchain that an implementation requires.
 *
 * @throws {BenchError} naming what was found and what to install, when one is missing or too old.
 */
export async function findToolchain(impl: Impl): Promise<Toolchain> {
  const toolchain: Toolchain = { versions: {}, path: [dirname(Deno.execPath())] };
  for (const name of toolchainNames) {
    const range = impl.manifest.requires[name];
    if (range === undefined) continue;
    const version = await probeToolchain(name);
    const found = tryParse(version ?? "");
    if (found === undefined || !satisfies(found, parseRange(range))) {
      throw new BenchError(
        `Cannot use toolchain "${name}" for "${impl.id}": ${
          found === undefined ? "it was not found" : `its version is ${format(found)}`
        }, expected ${range}`,
        { help: probes[name].install },
      );
    }
    toolchain.versions[name] = format(found);
  }
  return toolchain;
}

/** Returns the version of a toolchain, or undefined when it is not there. */
export async function probeToolchain(name: ToolchainName): Promise<string | undefined> {
  const [program, ...args] = probes[name].command();
  try {
    const { stdout } = await new Deno.Command(program!, { args, stderr: "null" }).output();
    return probes[name].version.exec(new TextDecoder().decode(stdout))?.[1];
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw new BenchError(`Cannot run "${program}": ${messageOf(error)}`, { cause: error });
  }
}

/** Returns what to add to our own environment for a build. */
export function buildEnvironment(toolchain: Toolchain): Record<string, string> {
  return { PATH: [...toolchain.path, Deno.env.get("PATH") ?? ""].join(":") };
}

/**
 * Returns the whole environment that a server starts with, before the contract's variables: nothing that
 * a person's shell may set (thread counts, log levels, runtime options) reaches a measured process.
 */
export function startEnvironment(toolchain: Toolchain): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of ["HOME", "LANG", "TMPDIR", "DENO_DIR"]) {
    const value = Deno.env.get(name);
    if (value !== undefined) kept[name] = value;
  }
  return { ...kept, ...buildEnvironment(toolchain) };
}
