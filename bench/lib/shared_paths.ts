/** Paths of the repository that affect what is measured of every implementation. */

const shared = [
  ...["bench/", "seed.sql", "tokens.gen.ts", "deno.json", "deno.lock"],
  // The control is compiled, too.
  "rust-toolchain.toml",
];

/** Tells whether a path, relative to the repository's root, affects all implementations. */
export function isShared(path: string): boolean {
  return shared.some((part) => part.endsWith("/") ? path.startsWith(part) : path === part);
}
