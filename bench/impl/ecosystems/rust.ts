import { join } from "@std/path";
import { parse as parseToml } from "@std/toml";
import { z } from "zod";
import { ask, type Ecosystem } from "../ecosystem.ts";
import { cacheFolder } from "../../lib/cache.ts";

const lockSchema = z.object({
  package: z.array(z.object({ name: z.string(), version: z.string() })),
});

/** What Clippy compiles, shared by all clones: hundreds of crates that hardly ever change. */
export const lintTarget = join(cacheFolder(Deno.env.toObject()), "lint-target");

const ownName = (id: string) => new RegExp(`^(name = ")${id}(")$`, "gm");

export const ecosystem: Ecosystem = {
  find: ask(["rustc", "--version"], /^rustc (\d+\.\d+\.\d+)/),
  install: "Install Rust with rustup (https://rustup.rs), or run `rustup update stable`",
  keptForBuild: ["CARGO_HOME", "RUSTUP_HOME"],
  lockFile: {
    name: "Cargo.lock",
    read: (text) =>
      new Map(
        lockSchema.parse(parseToml(text)).package.map(({ name, version }) => [name, version]),
      ),
  },
  checks: [
    ["cargo", "fmt", "--check"],
    ["cargo", "clippy", "--quiet", "--locked", "--target-dir", lintTarget]
      .concat("--", "--deny", "warnings"),
  ],
  ownNames: { "Cargo.toml": ownName, "Cargo.lock": ownName },
  dependabot: "cargo",
};
