import { writeAtomically } from "./write_atomically.ts";

/**
 * Writes a text file unless it holds that text already: of a thousand files that are made anew, few differ, and
 * writing takes a hundred times as long as reading.
 */
export async function writeIfChanged(path: string, text: string): Promise<void> {
  const before = await Deno.readTextFile(path).catch(() => undefined);
  if (before !== text) await writeAtomically(path, text);
}
