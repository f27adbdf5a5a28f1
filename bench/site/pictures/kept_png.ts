/**
 * Keeps PNG in the cache folder, by what they are rendered from: most pictures of a site are those of its last build, and
 * rendering them takes longer than all else that is derived.
 */
import { dirname, join } from "@std/path";
import { cacheFolder, keptMs, removeUnused } from "../../lib/cache.ts";
import { digest } from "../../lib/digest.ts";
import { pngMeans, type PngRenderer, pngRenderer } from "./png.ts";

/**
 * Returns a renderer that renders what it did not keep.
 *
 * @param folder Where it keeps them; in this user's cache folder by default.
 */
export function keptPngRenderer(
  folder = join(cacheFolder(Deno.env.toObject()), "pictures"),
): PngRenderer {
  let opening: Promise<PngRenderer> | undefined;
  return {
    render: async (svg, width) => {
      const path = join(folder, `${await digest([...pngMeans, svg, width])}.png`);
      const kept = await readKept(path);
      if (kept !== undefined) return kept;
      opening ??= pngRenderer();
      const png = await (await opening).render(svg, width);
      await keep(path, png);
      return png;
    },
    [Symbol.asyncDispose]: async () => {
      if (opening === undefined) return;
      await (await opening)[Symbol.asyncDispose]();
      await removeUnused(folder, keptMs);
    },
  };
}

/** Returns a kept picture, and notes that it was used; undefined where there is none. */
async function readKept(path: string): Promise<Uint8Array | undefined> {
  try {
    const png = await Deno.readFile(path);
    // A cache that cannot be written to can be read.
    await Deno.utime(path, new Date(), new Date()).catch(() => {});
    return png;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/** Keeps a picture, whole or not at all; another process may be keeping the same. */
async function keep(path: string, png: Uint8Array): Promise<void> {
  const staging = `${path}.${crypto.randomUUID()}.tmp`;
  await Deno.mkdir(dirname(path), { recursive: true });
  await Deno.writeFile(staging, png);
  await Deno.rename(staging, path);
}
