/** Log lines: how many does a log have, and which came last? Of files that may still grow. */
import { messageOf } from "./error.ts";

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

/** Returns the end of a process's log, with a line above it that says so. */
export async function endOfLog(path: string): Promise<string> {
  return `The end of its log:\n${await logTail(path)}`;
}

/** Returns the last lines of a log, or why there are none. */
export async function logTail(path: string, lines = 20): Promise<string> {
  try {
    const text = (await Deno.readTextFile(path)).trimEnd();
    return text === "" ? `(${path} is empty)` : text.split("\n").slice(-lines).join("\n");
  } catch (error) {
    return `(${path} cannot be read: ${messageOf(error)})`;
  }
}
