import { BenchError, messageOf, RunBroken } from "../lib/error.ts";

const linesPerWrite = 4_096;

/**
 * Writes lines to a file that only this user may read, because a token is as good as a password while its secret is in
 * use. The file is there whole or not at all.
 *
 * @returns the number of lines.
 * @throws {RunBroken} when it cannot be written, which is not the fault of an implementation, or the lines break off.
 */
export async function writeLines(
  output: string,
  lines: Iterable<string> | AsyncIterable<string>,
  signal: AbortSignal,
): Promise<number> {
  const temporary = `${output}.${crypto.randomUUID()}.tmp`;
  try {
    using file = await Deno.open(temporary, { write: true, createNew: true, mode: 0o600 });
    const writer = file.writable.getWriter();
    let count = 0;
    let waiting: string[] = [];
    const flush = async () => {
      signal.throwIfAborted();
      await writer.write(new TextEncoder().encode(waiting.join("")));
      waiting = [];
    };
    for await (const line of lines) {
      count++;
      if (waiting.push(line) === linesPerWrite) await flush();
    }
    await flush();
    await writer.close();
    await Deno.rename(temporary, output);
    return count;
  } catch (cause) {
    await Deno.remove(temporary).catch(() => {});
    signal.throwIfAborted();
    throw new RunBroken(`Cannot write "${output}": ${messageOf(cause)}`, {
      help: cause instanceof BenchError ? cause.help : "Make room, or check the folder's rights.",
      cause,
    });
  }
}
