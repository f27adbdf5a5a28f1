/** Source files of a checkout, and copies of them. */
import { dirname, join } from "@std/path";
import { exists } from "../lib/exists.ts";
import { gitPaths } from "../lib/git.ts";

/** Returns the files at or below these paths that git does not ignore, relative to the checkout's root. */
export async function sourcesOf(root: string, ...paths: string[]): Promise<string[]> {
  const listed = ["ls-files", "--cached", "--others", "--exclude-standard", "-z", "--", ...paths];
  const found = [...new Set(await gitPaths(root, ...listed))].sort();
  const areThere = await Promise.all(found.map((path) => exists(join(root, path))));
  return found.filter((_, index) => areThere[index]);
}

/** Copies a file, and makes the folders that lead to it. */
export async function copyWithFolders(from: string, to: string): Promise<void> {
  await Deno.mkdir(dirname(to), { recursive: true });
  await Deno.copyFile(from, to);
}
