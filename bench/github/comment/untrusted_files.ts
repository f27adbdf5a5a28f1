/**
 * Untrusted files from a pull request's job. Reads them with limits on number, size and depth, and sorts them by
 * content; names are ignored, and nothing is run, followed or unpacked.
 */
import { join } from "@std/path";
import { z } from "zod";
import { BenchError, messageOf } from "../../lib/error.ts";
import type { Result } from "../../results/result_schema.ts";
import { type ComparisonFile, comparisonFileSchema } from "../../results/files_schema.ts";
import { parseFile, parseResult } from "../../results/store.ts";

/**
 * Limits of an artifact. Each implementation leaves two files in each scenario, and a change of the harness touches all
 * of them; a full result takes up to 500 kB.
 */
export const artifactLimits = { files: 400, bytesPerFile: 1024 * 1024, depth: 4 };

/** Files by name, relative to the artifact. */
export type ArtifactFiles = ReadonlyMap<string, Uint8Array>;

/** The content of an artifact, and why some files are ignored. */
export interface ArtifactContent {
  results: Result[];
  comparisons: ComparisonFile[];
  problems: string[];
}

/**
 * Reads the files below a folder: at most one beyond the number that is allowed, and of each at most one byte
 * beyond. None where there is no such folder: a job that failed early leaves nothing.
 */
export async function readArtifact(folder: string): Promise<ArtifactFiles> {
  const files = new Map<string, Uint8Array>();
  const read = async (prefix: string, depth: number): Promise<void> => {
    for await (const { name, isFile, isDirectory } of Deno.readDir(join(folder, prefix))) {
      if (files.size > artifactLimits.files) return;
      const path = prefix === "" ? name : `${prefix}/${name}`;
      // A symbolic link is neither, and is not followed.
      if (isFile) files.set(path, await readStart(join(folder, path)));
      if (isDirectory && depth < artifactLimits.depth) await read(path, depth + 1);
    }
  };
  try {
    await read("", 1);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  return files;
}

async function readStart(path: string): Promise<Uint8Array> {
  using file = await Deno.open(path);
  const bytes = new Uint8Array(artifactLimits.bytesPerFile + 1);
  let length = 0;
  while (length < bytes.length) {
    const read = await file.read(bytes.subarray(length));
    if (read === null) break;
    length += read;
  }
  return bytes.slice(0, length);
}

/** Parses the files of an artifact; never throws for what they hold. */
export function parseArtifact(files: ArtifactFiles): ArtifactContent {
  const content: ArtifactContent = { results: [], comparisons: [], problems: [] };
  const sorted = [...files].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [name, bytes] of sorted.slice(0, artifactLimits.files)) {
    try {
      const text = decode(bytes, name);
      if (isResult(text)) content.results.push(parseResult(text, name));
      else content.comparisons.push(parseFile(comparisonFileSchema, text, name));
    } catch (error) {
      content.problems.push(messageOf(error));
    }
  }
  if (files.size > artifactLimits.files) {
    content.problems.push(`More than ${artifactLimits.files} files: the others are not read`);
  }
  return content;
}

function decode(bytes: Uint8Array, name: string): string {
  if (bytes.byteLength > artifactLimits.bytesPerFile) {
    throw new BenchError(
      `Cannot read "${name}": it is bigger, expected at most ${artifactLimits.bytesPerFile} bytes`,
    );
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new BenchError(`Cannot read "${name}": it is not UTF-8`, { cause });
  }
}

/** Recognises a result by a key that only it has, so that errors are those of the right schema. */
function isResult(text: string): boolean {
  try {
    return z.object({ runId: z.string() }).safeParse(JSON.parse(text)).success;
  } catch {
    return false;
  }
}
