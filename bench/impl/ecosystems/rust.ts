import { join } from "@std/path";
import { parse as parseToml } from "@std/toml";
import { z } from "zod";
import { ask, type Ecosystem } from "../ecosystem.ts";
import { cacheFolder } from "../../lib/cache.ts";

const lockSchema = z.object({
  package: z.array(z.object({ name: z.string(), version: z.string() })),
});

/**
 * What cargo is told, so that clones, the worktrees of other commits and the harness's helpers share compiled crates; a
 * program itself still goes to its own target folder.
 */
export const sharedCrates = (env: Record<string, string>) => ({
  CARGO_BUILD_BUILD_DIR: join(cacheFolder(env), "rust-build"),
});

const ownName = (id: string) => new RegExp(`^(name = ")${id}(")$`, "gm");

export const ecosystem: Ecosystem = {
  find: ask(["rustc", "--version"], /^rustc (\d+\.\d+\.\d+)/),
  install: "Install Rust with rustup (https://rustup.rs), or run `rustup update stable`",
  keptForBuild: ["CARGO_HOME", "RUSTUP_HOME"],
  setForBuild: sharedCrates(Deno.env.toObject()),
  lockFile: {
    name: "Cargo.lock",
    read: (text) =>
      new Map(
        lockSchema.parse(parseToml(text)).package.map(({ name, version }) => [name, version]),
      ),
  },
  checks: [
    ["cargo", "fmt", "--check"],
    ["cargo", "clippy", "--quiet", "--locked", "--", "--deny", "warnings"],
  ],
  ownNames: { "Cargo.toml": ownName, "Cargo.lock": ownName },
  dependabot: "cargo",
};
