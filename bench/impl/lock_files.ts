import { join } from "@std/path";
import { type Impl, packageKeys } from "./impl.ts";
import type { Ecosystem, LockFile } from "./ecosystem.ts";
import { requiredEcosystems } from "./ecosystems.ts";
import { BenchError, messageOf } from "../lib/error.ts";
import { suggestion } from "../lib/nearest.ts";
import type { Toolchain } from "./toolchains.ts";

/**
 * Returns the version of every package in an implementation's lock file, and of what its manifest names of the runtime:
 * that of the toolchain to which it belongs.
 *
 * @throws {BenchError} when its toolchains have no lock file, or its lock file is missing, cannot be read, or lacks a
 * package of the manifest that is no part of the runtime.
 */
export async function lockedVersions(
  impl: Impl,
  toolchain: Pick<Toolchain, "versions">,
): Promise<Map<string, string>> {
  const ecosystems = await requiredEcosystems(impl.manifest.requires);
  const lockFile = lockFileOf(ecosystems);
  if (lockFile === undefined) {
    const names = ecosystems.map(([name]) => name).join(", ") || "nothing";
    throw new BenchError(
      `Cannot read the versions of "${impl.id}": it requires ${names}, expected a toolchain with a lock file`,
    );
  }
  const versions = await readLockFile(impl, lockFile);
  const known = [...versions.keys()];
  const missing: string[] = [];
  for (const key of packageKeys) {
    const name = impl.manifest[key];
    if (name === undefined || versions.has(name)) continue;
    const [owner] = ecosystems.find(([, { isBuiltIn }]) => isBuiltIn?.(name)) ?? [];
    const version = owner && toolchain.versions[owner];
    if (version === undefined) {
      missing.push(
        `key "${key}": ${lockFile.name} has no package "${name}", expected a name that stands there` +
          suggestion(name, known),
      );
    } else versions.set(name, version);
  }
  if (missing.length === 0) return versions;
  throw new BenchError(
    missing.map((what) => `Cannot read the versions of "${impl.id}": ${what}`).join("\n"),
    {
      help:
        "A name in impl.toml is that of a package, as it stands in the lock file, or of a part of the runtime that " +
        "`isBuiltIn` in bench/impl/ecosystems/ accepts.",
    },
  );
}

/**
 * Returns the name of an implementation's lock file, and its text now, by which to tell whether a build changed it;
 * undefined where its toolchains have none. Without the file, the text is undefined.
 */
export async function readLockText(
  { folder, manifest }: Impl,
): Promise<{ name: string; text: string | undefined } | undefined> {
  const lockFile = lockFileOf(await requiredEcosystems(manifest.requires));
  return lockFile && { name: lockFile.name, text: await textOf(join(folder, lockFile.name)) };
}

function lockFileOf(ecosystems: readonly [string, Ecosystem][]): LockFile | undefined {
  return ecosystems.map(([, { lockFile }]) => lockFile).find((lockFile) => lockFile !== undefined);
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    return await Deno.readTextFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

async function readLockFile(
  impl: Impl,
  { name, read }: LockFile,
): Promise<Map<string, string>> {
  const path = join(impl.folder, name);
  const text = await textOf(path);
  if (text === undefined) {
    throw new BenchError(
      `Cannot read the versions of "${impl.id}": its folder has no lock file, expected ${name}`,
      {
        help:
          "Make it with the tool of its language, and commit it: CONTRIBUTING.md has the commands.",
      },
    );
  }
  try {
    return read(text);
  } catch (cause) {
    throw new BenchError(`Cannot parse "${path}": ${messageOf(cause)}`, { cause });
  }
}
