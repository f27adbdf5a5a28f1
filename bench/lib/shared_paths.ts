/** Files and folders, relative to the repository's root, that affect what is measured of every implementation. */
export const sharedPaths: readonly string[] = [
  "bench/",
  "seed.sql",
  "deno.json",
  "deno.lock",
  // The control is compiled, too.
  "rust-toolchain.toml",
];

/** Tells whether a path is, or is in, one of {@linkcode sharedPaths}. */
export function isShared(path: string): boolean {
  return sharedPaths.some((part) => part.endsWith("/") ? path.startsWith(part) : path === part);
}
