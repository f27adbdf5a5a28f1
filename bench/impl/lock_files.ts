import { join } from "@std/path";
import { parse as parseToml } from "@std/toml";
import { z } from "zod";
import { type Impl, packagesOf } from "./impl.ts";
import { BenchError, messageOf } from "../lib/error.ts";
import type { Toolchain } from "./toolchains.ts";

const cargoLock = z.object({
  package: z.array(z.object({ name: z.string(), version: z.string() })),
});
const denoLock = z.object({ npm: z.record(z.string(), z.unknown()).default({}) });

const mavenLock = z.object({
  dependencies: z.array(
    z.object({ groupId: z.string(), artifactId: z.string(), version: z.string() }),
  ),
});

/** How each ecosystem's lock file is read: package name to version. */
const readers: Record<string, (text: string) => Map<string, string>> = {
  "Cargo.lock": (text) =>
    new Map(cargoLock.parse(parseToml(text)).package.map(({ name, version }) => [name, version])),
  // Keys read `@koa/router@15.7.0_koa@3.3.0`: name, version, and what it was resolved against.
  "deno.lock": (text) =>
    new Map(
      Object.keys(denoLock.parse(JSON.parse(text)).npm).flatMap((key) => {
        const match = /^(@?[^@]+)@([^_]+)/.exec(key);
        return match === null ? [] : [[match[1]!, match[2]!] as const];
      }),
    ),
  // Go builds only where go.mod names the version of every module that it needs; go.sum has their checksums.
  "go.mod": (text) =>
    new Map(
      [...text.matchAll(/^require (?:\(([^)]*)\)|(.+))$/gm)]
        .flatMap(([, block = "", line = ""]) => `${block}\n${line}`.split("\n"))
        .flatMap((line) => {
          const match = /^\s*(\S+) v(\S+)/.exec(line);
          return match === null ? [] : [[match[1]!, match[2]!] as const];
        }),
    ),
  // Maven has no lock file of its own; this is what dependency-lock-maven-plugin writes and checks.
  "dependencies-lock.json": (text) =>
    new Map(
      mavenLock.parse(JSON.parse(text)).dependencies.map(
        ({ groupId, artifactId, version }) => [`${groupId}:${artifactId}`, version],
      ),
    ),
};

/**
 * Returns the version of every package in an implementation's lock file, and of what its manifest names of Go's
 * standard library: that has the version of Go, one of the toolchain's `versions`.
 *
 * @throws {BenchError} when it has no lock file that is known here, one that cannot be read, or one without a
 * package that the manifest names.
 */
export async function lockedVersions(
  impl: Impl,
  { versions: { go } }: Pick<Toolchain, "versions">,
): Promise<Map<string, string>> {
  const { name: lockFile, versions } = await readLockFile(impl);
  const missing: string[] = [];
  for (const name of packagesOf(impl.manifest)) {
    if (versions.has(name)) continue;
    if (go !== undefined && isGoStandardLibrary(name)) versions.set(name, go);
    else missing.push(name);
  }
  if (missing.length === 0) return versions;
  throw new BenchError(
    `Cannot read the versions of "${impl.id}": ${lockFile} has no ${missing.join(", ")}, ` +
      "expected the packages' names as they stand there",
  );
}

/** Tells by Go's own rule: the first element of any other package's path has a dot. */
function isGoStandardLibrary(name: string): boolean {
  return /^[^./]+(?:\/|$)/.test(name);
}

async function readLockFile(
  impl: Impl,
): Promise<{ name: string; versions: Map<string, string> }> {
  for (const [name, read] of Object.entries(readers)) {
    const path = join(impl.folder, name);
    let text: string;
    try {
      text = await Deno.readTextFile(path);
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) continue;
      throw error;
    }
    try {
      return { name, versions: read(text) };
    } catch (cause) {
      throw new BenchError(`Cannot parse "${path}": ${messageOf(cause)}`, { cause });
    }
  }
  throw new BenchError(
    `Cannot read the versions of "${impl.id}": its folder has no lock file, expected ${
      Object.keys(readers).join(" or ")
    }`,
  );
}
