/** The folder of derived files: recreated each time, so that it never has files of other runs or older code. */
import { dirname, join } from "@std/path";

/** Writes a file below the folder: a text and bytes as they are, all else as JSON. */
export type WriteDerived = (path: string, content: unknown) => Promise<void>;

/** Empties the folder, and returns how to write into it. */
export async function emptyDerived(target: string): Promise<WriteDerived> {
  await Deno.remove(target, { recursive: true }).catch((error) => {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  });
  const made = new Set<string>();
  return async (path, content) => {
    const folder = dirname(join(target, path));
    if (!made.has(folder)) await Deno.mkdir(folder, { recursive: true });
    made.add(folder);
    if (content instanceof Uint8Array) return await Deno.writeFile(join(target, path), content);
    const text = typeof content === "string" ? content : JSON.stringify(content) + "\n";
    await Deno.writeTextFile(join(target, path), text);
  };
}
