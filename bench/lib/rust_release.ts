/** Which release of Rust builds the harness's programs: with rustup, the one that the repository pins. */
import { join } from "@std/path";

/** Where cargo must run: rustup goes by the folder, and only below rust-toolchain.toml by that file. */
export const rustFolder = join(import.meta.dirname!, "..", "..");

/** Returns what pins it, for the key of what is built with it. */
export async function readRustRelease(): Promise<string> {
  return await Deno.readTextFile(join(rustFolder, "rust-toolchain.toml"));
}
