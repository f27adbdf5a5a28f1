/** Counts the lines of a log, which may still grow. */
export async function countLines(path: string): Promise<number> {
  let lines = 0;
  using file = await Deno.open(path);
  for await (const chunk of file.readable) {
    for (const byte of chunk) if (byte === 10) lines++;
  }
  return lines;
}
