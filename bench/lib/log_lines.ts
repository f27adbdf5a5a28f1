/** Log lines: how many does a log have, and which came first or last? Of files that may still grow, to any size. */
import { messageOf } from "./error.ts";

/** How much of a log is read for its lines, in bytes; a text cannot hold all of a long one. */
const mostBytes = 64 * 1024;

/** Counts the lines of a log, without an unfinished last one. */
export async function countLines(path: string): Promise<number> {
  let lines = 0;
  using file = await Deno.open(path);
  for await (const chunk of file.readable) {
    for (const byte of chunk) if (byte === 10) lines++;
  }
  return lines;
}

/** Returns the lines of a log after the first `skipped`, without an unfinished last one: the first of them, within 64 KiB. */
export async function firstLinesAfter(path: string, skipped: number): Promise<string[]> {
  const kept: number[] = [];
  let lines = 0;
  using file = await Deno.open(path);
  for await (const chunk of file.readable) {
    for (const byte of chunk) {
      if (lines >= skipped) kept.push(byte);
      if (byte === 10) lines++;
      if (kept.length === mostBytes) return toLines(kept);
    }
  }
  return toLines(kept);
}

function toLines(bytes: readonly number[]): string[] {
  return new TextDecoder().decode(Uint8Array.from(bytes)).split("\n").slice(0, -1);
}

/** Returns the lines of a log after the first `skipped`, without an unfinished last one: the last `most`, within 64 KiB. */
export async function lastLinesAfter(
  path: string,
  skipped: number,
  most: number,
): Promise<string[]> {
  const added = await countLines(path) - skipped;
  if (added <= 0) return [];
  return (await readEnd(path)).split("\n").slice(0, -1).slice(-Math.min(added, most));
}

/** Returns the end of a process's log, with a line above it that says so. */
export async function endOfLog(path: string): Promise<string> {
  return `The end of its log:\n${await logTail(path)}`;
}

/** Returns the last lines of a log, within 64 KiB, or why there are none. */
export async function logTail(path: string, lines = 20): Promise<string> {
  try {
    const text = (await readEnd(path)).trimEnd();
    return text === "" ? `(${path} is empty)` : text.split("\n").slice(-lines).join("\n");
  } catch (error) {
    return `(${path} cannot be read: ${messageOf(error)})`;
  }
}

/** Reads the whole lines in the last 64 KiB of a file, and an unfinished last one. */
async function readEnd(path: string): Promise<string> {
  using file = await Deno.open(path);
  const { size } = await file.stat();
  const from = await file.seek(Math.max(0, size - mostBytes), Deno.SeekMode.Start);
  const text = await new Response(file.readable).text();
  return from === 0 ? text : text.slice(text.indexOf("\n") + 1);
}
