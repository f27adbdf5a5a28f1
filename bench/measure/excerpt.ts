/**
 * Excerpt: the lines of a request file that one load may send, in a file of their own. The load generator reads all of its
 * file before it begins: it parses 500,000 lines each time, of which a short load sends a fiftieth.
 */
import { join } from "@std/path";
import { messageOf, RunBroken } from "../lib/error.ts";
import type { RequestFile } from "../scenario/scenario.ts";

/** The requests of one load. */
export interface Excerpt {
  path: string;
  /** Number of lines: after so many, the load sends them again. */
  lines: number;
  /** The line of the excerpt to begin with, from 0. */
  firstLine: number;
  /** Returns the number that a line of the excerpt has in the request file. */
  lineOf(line: number): number;
}

/** Options for {@linkcode takeExcerpt}. */
export interface ExcerptOptions {
  /** The most lines that the load reads; absent where that is not known. */
  lines?: number;
  /** Receives the excerpt. It replaces the one before, so every load that uses that one must have read it. */
  folder: string;
}

/** Where the lines of a request file begin, in bytes, and where the last ends; and the last excerpt. */
interface Known {
  offsets: Float64Array;
  last?: Excerpt;
}

const knownFiles = new WeakMap<RequestFile, Known>();

/**
 * Returns the lines of a request file from its next one; the whole file where the load may read more than half of it. Two
 * loads that begin at the same line with the same limit get the same excerpt.
 *
 * @throws {RunBroken} when it cannot be written.
 */
export async function takeExcerpt(
  requests: RequestFile,
  { lines = Infinity, folder }: ExcerptOptions,
): Promise<Excerpt> {
  const { path, nextLine: first, lines: linesInFile } = requests;
  if (lines > linesInFile / 2) {
    return { path, lines: linesInFile, firstLine: first, lineOf: (line) => line };
  }
  const known = knownFiles.get(requests) ?? { offsets: await findLines(requests) };
  knownFiles.set(requests, known);
  const { offsets, last } = known;
  if (last?.lines === lines && last.lineOf(0) === first) return last;

  const excerpt: Excerpt = {
    path: join(folder, "excerpt.jsonl"),
    lines,
    firstLine: 0,
    lineOf: (line) => (first + line) % linesInFile,
  };
  const end = first + lines;
  const ranges = [[first, Math.min(end, linesInFile)], [0, Math.max(0, end - linesInFile)]];
  const bytes = ranges.map(([begin, end]) => [offsets[begin!]!, offsets[end!]!] as const);
  try {
    await copyRanges(path, excerpt.path, bytes);
  } catch (cause) {
    const message = `Cannot copy requests from "${path}" to "${excerpt.path}": ${messageOf(cause)}`;
    throw new RunBroken(message, { cause });
  }
  known.last = excerpt;
  return excerpt;
}

/** Writes ranges of bytes of one file, from and to, into another in place of what it had. */
async function copyRanges(
  fromPath: string,
  toPath: string,
  ranges: (readonly [from: number, to: number])[],
): Promise<void> {
  // A load generator may have the file before in its memory: that one stays as it is, without a name.
  await Deno.remove(toPath).catch(() => {});
  using source = await Deno.open(fromPath);
  using target = await Deno.open(toPath, { write: true, createNew: true, mode: 0o600 });
  const writer = target.writable.getWriter();
  for (const [from, to] of ranges) await writer.write(await readBytes(source, from, to));
  await writer.close();
}

async function readBytes(file: Deno.FsFile, from: number, to: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(to - from);
  await file.seek(from, Deno.SeekMode.Start);
  for (let read = 0; read < bytes.length;) {
    const count = await file.read(bytes.subarray(read));
    if (count === null) throw new RangeError(`Cannot read ${to - from} bytes from ${from}`);
    read += count;
  }
  return bytes;
}

const lineFeed = 10;

async function findLines({ path, lines }: RequestFile): Promise<Float64Array> {
  const offsets = new Float64Array(lines + 1);
  using file = await Deno.open(path);
  const buffer = new Uint8Array(1 << 20);
  let [line, before] = [0, 0];
  for (let count; (count = await file.read(buffer)) !== null; before += count) {
    const bytes = buffer.subarray(0, count);
    for (let at = -1; (at = bytes.indexOf(lineFeed, at + 1)) >= 0;) {
      offsets[++line] = before + at + 1;
    }
  }
  if (line !== lines) throw new RangeError(`"${path}" has ${line} lines, expected ${lines}`);
  return offsets;
}

/**
 * Moves the cursor of the requests behind what a load has read, and keeps in mind whether some came again: at the end of the
 * file, or of the load's excerpt. Two loads that began at the same line, for two servers,
 * move it behind the one that read more.
 */
export function advance(
  requests: Pick<RequestFile, "lines" | "nextLine" | "isReadToEnd">,
  firstLine: number,
  linesUsed: number,
  excerpt: Pick<Excerpt, "lines">,
): void {
  const { lines, nextLine } = requests;
  const moved = (nextLine - firstLine + lines) % lines;
  if (linesUsed > moved) requests.nextLine = (firstLine + linesUsed) % lines;
  if (firstLine + linesUsed >= lines || linesUsed > excerpt.lines) requests.isReadToEnd = true;
}
