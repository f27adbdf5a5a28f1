import { join } from "@std/path";
import { parse as parseToml } from "@std/toml";
import { z } from "zod";
import { ask, type Ecosystem } from "../ecosystem.ts";
import { cacheFolder } from "../../lib/cache.ts";

const lockSchema = z.object({
  package: z.array(z.object({ name: z.string(), version: z.string() })),
});

const ownName = (id: string) => new RegExp(`^(name = ")${id}(")$`, "gm");

export const ecosystem: Ecosystem = {
  find: ask(["rustc", "--version"], /^rustc (\d+\.\d+\.\d+)/),
  install: "Install Rust with rustup (https://rustup.rs), or run `rustup update stable`",
  keptForBuild: ["CARGO_HOME", "RUSTUP_HOME"],
  // What is measured shares no build folder: cargo would take the crates of a namesake for its own. A person's own
  // `build.target` and `[profile]` still reach the build.
  setForBuild: (folder) => ({
    CARGO_ENCODED_RUSTFLAGS: "",
    CARGO_BUILD_BUILD_DIR: join(folder, "target"),
    CARGO_TARGET_DIR: join(folder, "target"),
  }),
  // Clippy keeps what it checked by the path of its settings, if cargo keeps it for several folders.
  setForChecks: (folder) => ({
    CARGO_BUILD_BUILD_DIR: join(cacheFolder(Deno.env.toObject()), "clippy"),
    CLIPPY_CONF_DIR: folder,
  }),
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
  repairs: [["cargo", "fmt"], ["cargo", "clippy", "--fix"]],
  ownNames: { "Cargo.toml": ownName, "Cargo.lock": ownName },
  dependabot: "cargo",
};
