/** Log lines: how many does a log have, and which came last? Of files that may still grow. */

/** Counts the lines of a log. */
export async function countLines(path: string): Promise<number> {
  let lines = 0;
  using file = await Deno.open(path);
  for await (const chunk of file.readable) {
    for (const byte of chunk) if (byte === 10) lines++;
  }
  return lines;
}

/** Returns the lines of a log after the first `skipped`, without an unfinished last one. */
export async function linesAfter(path: string, skipped: number): Promise<string[]> {
  return (await Deno.readTextFile(path)).split("\n").slice(skipped, -1);
}
