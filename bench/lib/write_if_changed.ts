import { writeAtomically } from "./write_atomically.ts";

/**
 * Writes a text file that can be made anew, unless it holds that text already: of a thousand such files, few
 * differ, and what is not written keeps its time.
 */
export async function writeIfChanged(path: string, text: string): Promise<void> {
  const before = await Deno.readTextFile(path).catch(() => undefined);
  if (before !== text) await writeAtomically(path, text, { sync: false });
}
