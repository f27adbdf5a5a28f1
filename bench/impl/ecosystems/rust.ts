import { join } from "@std/path";
import { parse as parseToml } from "@std/toml";
import { z } from "zod";
import { ask, type Ecosystem } from "../ecosystem.ts";
import { cacheFolder } from "../../lib/cache.ts";

const lockSchema = z.object({
  package: z.array(z.object({ name: z.string(), version: z.string() })),
});

/**
 * Returns cargo's settings for a workspace: it shares compiled dependencies with clones, the worktrees of other commits and
 * the harness's helpers, but not its own crates. Cargo identifies a package by name, version and path within its
 * workspace, so it would reuse the build of a namesake in another checkout or implementation. The path of a wrapper for rustc
 * counts, too: here, a link to `env`, which runs its arguments. Clippy is such a wrapper itself, and goes by the path of its
 * settings.
 *
 * @param folder The workspace; the link is kept in its `target/`.
 * @see https://doc.rust-lang.org/cargo/reference/config.html#buildrustc-workspace-wrapper
 */
export async function shareCrates(
  folder: string,
  env: Record<string, string>,
): Promise<Record<string, string>> {
  const target = join(folder, "target");
  const wrapper = join(target, "env");
  await Deno.mkdir(target).catch(unlessItIsThere);
  await Deno.symlink("/usr/bin/env", wrapper).catch(unlessItIsThere);
  return {
    CARGO_BUILD_BUILD_DIR: join(cacheFolder(env), "rust-build"),
    RUSTC_WORKSPACE_WRAPPER: wrapper,
    CLIPPY_CONF_DIR: folder,
  };
}

function unlessItIsThere(error: unknown): void {
  if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
}

/**
 * The release profile of the harness's helpers (`native/Cargo.toml`), for builds that nobody measures (tests, Clippy): they
 * share compiled crates with the helpers.
 */
export const profileOfHelpers = {
  CARGO_PROFILE_RELEASE_LTO: "off",
  CARGO_PROFILE_RELEASE_CODEGEN_UNITS: "16",
  CARGO_PROFILE_RELEASE_STRIP: "true",
};

const ownName = (id: string) => new RegExp(`^(name = ")${id}(")$`, "gm");

export const ecosystem: Ecosystem = {
  find: ask(["rustc", "--version"], /^rustc (\d+\.\d+\.\d+)/),
  install: "Install Rust with rustup (https://rustup.rs), or run `rustup update stable`",
  keptForBuild: ["CARGO_HOME", "RUSTUP_HOME"],
  setForBuild: (folder) => shareCrates(folder, Deno.env.toObject()),
  lockFile: {
    name: "Cargo.lock",
    read: (text) =>
      new Map(
        lockSchema.parse(parseToml(text)).package.map(({ name, version }) => [name, version]),
      ),
  },
  checks: [
    ["cargo", "fmt", "--check"],
    [
      ...["env", ...Object.entries(profileOfHelpers).map((pair) => pair.join("="))],
      ...["cargo", "clippy", "--quiet", "--locked", "--release", "--", "--deny", "warnings"],
    ],
  ],
  ownNames: { "Cargo.toml": ownName, "Cargo.lock": ownName },
  dependabot: "cargo",
};
