/**
 * Implementations for tests, each built in a copy in the cache folder, whose key is all that it is built from: most changes
 * touch no implementation, and building one takes longer than all that is tested of it.
 */
import { join } from "@std/path";
import { buildImpl } from "../impl/build.ts";
import { discoverImpl } from "../impl/discover.ts";
import type { Impl } from "../impl/impl.ts";
import type { Startable } from "../impl/start.ts";
import { findToolchain, type Toolchain } from "../impl/toolchains.ts";
import { cacheFolder, keptMs, lockPath, removeUnused } from "../lib/cache.ts";
import { digest } from "../lib/digest.ts";
import { exists } from "../lib/exists.ts";
import { holdLock } from "../lib/lock.ts";
import { silent } from "../lib/report.ts";
import { shareCrates } from "../native/native.ts";
import { ensureLauncher } from "../tools/tools.ts";
import { copyWithFolders, sourcesOf } from "./sources.ts";

/** In the repository's root, it names the compiler of every implementation in Rust. */
const rustToolchain = "rust-toolchain.toml";

/** The code that builds. */
const builders = [
  ...["bench/impl", "bench/native/native.ts"],
  ...["bench/testing/built_impl.ts", "bench/testing/sources.ts"],
];

/** Returns an implementation of a checkout, built from its files as they are, whether or not they are committed. */
export async function builtImpl(
  root: string,
  { id }: Impl,
  { toolchain: { versions }, signal }: { toolchain: Toolchain; signal: AbortSignal },
): Promise<Startable> {
  const cache = join(cacheFolder(Deno.env.toObject()), "test-impls");
  const own = await sourcesOf(root, join("impls", id));
  const all = [...own, rustToolchain, ...await sourcesOf(root, ...builders)];
  const texts = await Promise.all(all.map((path) => Deno.readTextFile(join(root, path))));
  const key = await digest([JSON.stringify(versions), ...all, ...texts]);
  const folder = await keepInPlace(cache, key, async (folder) => {
    for (const path of own) {
      await copyWithFolders(join(root, path), join(folder, path.slice("impls/".length)));
    }
    await Deno.copyFile(join(root, rustToolchain), join(folder, rustToolchain));
    const impl = await discoverImpl(folder, id);
    const launcher = await ensureLauncher({ report: silent, signal });
    await buildImpl(impl, { toolchain: await toolchainIn(folder, impl), launcher, signal });
  });
  const impl = await discoverImpl(folder, id);
  return { impl, toolchain: await toolchainIn(folder, impl) };
}

/**
 * Returns the folder `key` of `cache`. What `make` builds contains its own path and cannot be moved, so it fills the
 * folder where it stays; `built` in it says that it is complete.
 */
async function keepInPlace(
  cache: string,
  key: string,
  make: (folder: string) => Promise<void>,
): Promise<string> {
  const folder = join(cache, key);
  const built = join(folder, "built");
  await using _lock = await holdLock(lockPath(cache, key));
  if (!await exists(built)) {
    if (await exists(folder)) await Deno.remove(folder, { recursive: true });
    await Deno.mkdir(folder);
    await make(folder);
    await Deno.mkdir(built);
    await removeUnused(cache, keptMs);
  }
  await Deno.utime(folder, new Date(), new Date());
  return folder;
}

/**
 * Returns an implementation's toolchain for tests, which ask what its program answers, not how fast.
 *
 * - What Deno keeps is in a folder of the implementation's own: where the servers of other tests left the analysis of some
 *   of its packages, but not of all, Deno 2.9.6 hangs at its first start.
 * - Rust is built with the release profile of `native/Cargo.toml`, and so shares compiled dependencies with the helpers.
 */
async function toolchainIn(folder: string, impl: Impl): Promise<Toolchain> {
  const toolchain = await findToolchain(impl);
  const variables = { ...toolchain.variables, DENO_DIR: join(folder, "deno-dir") };
  const setForBuild = impl.manifest.requires.rust === undefined ? toolchain.setForBuild : {
    ...toolchain.setForBuild,
    ...await shareCrates(folder, Deno.env.toObject()),
    CARGO_PROFILE_RELEASE_CODEGEN_UNITS: "16",
    CARGO_PROFILE_RELEASE_LTO: "off",
    CARGO_PROFILE_RELEASE_STRIP: "true",
  };
  return { ...toolchain, variables, setForBuild };
}
