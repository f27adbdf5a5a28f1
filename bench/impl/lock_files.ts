import { join } from "@std/path";
import { type Impl, packagesOf } from "./impl.ts";
import type { LockFile } from "./ecosystem.ts";
import { requiredEcosystems } from "./ecosystems.ts";
import { BenchError, messageOf } from "../lib/error.ts";
import type { Toolchain } from "./toolchains.ts";

/**
 * Returns the version of every package in an implementation's lock file, and of packages in its manifest that are
 * part of the toolchain.
 *
 * @throws {BenchError} when its toolchains have no lock file, or its lock file is missing, cannot be read, or lacks a
 * package of the manifest.
 */
export async function lockedVersions(
  impl: Impl,
  toolchain: Pick<Toolchain, "versions">,
): Promise<Map<string, string>> {
  const { lockFile, toolchainName } = await lockFileOf(impl);
  const versions = await readLockFile(impl, lockFile);
  const missing: string[] = [];
  for (const name of packagesOf(impl.manifest)) {
    if (versions.has(name)) continue;
    const builtIn = lockFile.isBuiltIn?.(name) ? toolchain.versions[toolchainName] : undefined;
    if (builtIn === undefined) missing.push(name);
    else versions.set(name, builtIn);
  }
  if (missing.length === 0) return versions;
  throw new BenchError(
    `Cannot read the versions of "${impl.id}": ${lockFile.name} has no ${missing.join(", ")}, ` +
      "expected the packages' names as they stand there",
  );
}

async function lockFileOf(
  { id, manifest }: Impl,
): Promise<{ lockFile: LockFile; toolchainName: string }> {
  for (const [toolchainName, { lockFile }] of await requiredEcosystems(manifest.requires)) {
    if (lockFile !== undefined) return { lockFile, toolchainName };
  }
  const names = Object.keys(manifest.requires).join(", ") || "nothing";
  throw new BenchError(
    `Cannot read the versions of "${id}": it requires ${names}, expected a toolchain with a lock file`,
  );
}

async function readLockFile(
  impl: Impl,
  { name, read }: LockFile,
): Promise<Map<string, string>> {
  const path = join(impl.folder, name);
  let text: string;
  try {
    text = await Deno.readTextFile(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
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
