import { basename, dirname, join } from "@std/path";
import { messageOf, RunBroken } from "./error.ts";

/**
 * Writes a text file atomically: to a temporary file beside it, synced, then renamed. Creates the folder if it is
 * missing.
 *
 * @throws {RunBroken} when it cannot be written (full disk, no permission); the temporary file is removed.
 */
export async function writeAtomically(path: string, text: string): Promise<void> {
  const temporary = join(dirname(path), `.${basename(path)}.${crypto.randomUUID()}.tmp`);
  try {
    await Deno.mkdir(dirname(path), { recursive: true });
    using file = await Deno.open(temporary, { write: true, createNew: true });
    const bytes = new TextEncoder().encode(text);
    for (let written = 0; written < bytes.length;) {
      written += await file.write(bytes.subarray(written));
    }
    await file.sync();
    await Deno.rename(temporary, path);
  } catch (cause) {
    await Deno.remove(temporary).catch(() => {});
    throw new RunBroken(`Cannot write "${path}": ${messageOf(cause)}`, {
      help: "The file is as it was. Free disk space, or check the folder's rights.",
      cause,
    });
  }
}
