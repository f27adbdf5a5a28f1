/** Which release of Rust builds the harness's programs: with rustup, the one that the repository pins. */
import { dirname, join } from "@std/path";
import { exists } from "./exists.ts";
import { findProgram } from "./find_program.ts";
import { outputOf } from "./output_of.ts";
import { repositoryRoot } from "./repository_root.ts";

/** Where cargo must run: rustup goes by the folder, and only below rust-toolchain.toml by that file. */
export const rustFolder = repositoryRoot;

/**
 * Returns what tells the release, for the key of what is built with it: with rustup, what pins it; without, what the
 * compiler on PATH says of itself.
 */
export async function readRustRelease(env: Record<string, string>): Promise<string> {
  const pinned = await Deno.readTextFile(join(rustFolder, "rust-toolchain.toml"));
  const rustc = await findProgram("rustc", env);
  // rustup's rustc stands beside it. It is not asked: it would fetch the release, even where nothing is to be built.
  if (rustc === undefined || await exists(join(dirname(rustc), "rustup"))) return pinned;
  const { success, stdout } = await outputOf([rustc, "-vV"], { cwd: rustFolder });
  return success ? stdout : pinned;
}
