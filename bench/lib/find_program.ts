import { join } from "@std/path";

/** Returns the path of the first executable file of that name on PATH. */
export async function findProgram(
  name: string,
  env: Record<string, string>,
): Promise<string | undefined> {
  for (const folder of (env.PATH ?? "").split(":")) {
    if (folder === "") continue;
    const path = join(folder, name);
    try {
      const { isFile, mode } = await Deno.stat(path);
      if (isFile && ((mode ?? 0) & 0o111) !== 0) return path;
    } catch {
      // Not in this folder, or the folder is not readable: the next one may have it.
    }
  }
  return undefined;
}
