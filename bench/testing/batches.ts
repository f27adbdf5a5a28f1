/**
 * Batches: a few modules that import all unit tests. A file that is tested by itself loads anew whatever it uses, which takes
 * longer than most unit tests do; files of one room use much the same. What fails is still named with its own file and line.
 * A file that takes long is a batch of its own, because Deno keeps the order of files of one folder only: of others, it begins
 * with those whose folder has the longest path.
 */
import { join, resolve, toFileUrl } from "@std/path";

/** So few that a processor that is done finds another batch. */
const mostInBatch = 10;

/** The batches, until they are disposed of. */
export interface Batches extends AsyncDisposable {
  /** Of all unit tests. */
  unit: string[];
  /** Of each file that was asked for, by its path. */
  alone: Map<string, string>;
}

/**
 * Writes the batches of the unit tests below a folder, of each room of its own, and several of a large room; and one of each
 * file of `alone`.
 */
export async function writeBatches(folder: string, alone: readonly string[]): Promise<Batches> {
  const target = await Deno.makeTempDir({ prefix: "backbench-tests-" });
  const write = async (name: string, files: string[]) => {
    const path = join(target, name);
    const imports = files.map((file) => `import ${JSON.stringify(toFileUrl(file).href)};\n`);
    await Deno.writeTextFile(path, imports.join(""));
    return path;
  };
  const batches: Batches = {
    unit: [],
    alone: new Map(),
    [Symbol.asyncDispose]: () => Deno.remove(target, { recursive: true }),
  };
  for (const file of alone) {
    batches.alone.set(file, await write(file.replaceAll("/", "_"), [resolve(file)]));
  }
  const rooms = Map.groupBy(await unitTests(folder), (path) => path.split("/")[0]!);
  for (const [room, paths] of rooms) {
    const files = paths.map((path) => join(folder, path));
    for (let first = 0; first < files.length; first += mostInBatch) {
      const name = `${room}_${batches.unit.length}_test.ts`;
      batches.unit.push(await write(name, files.slice(first, first + mostInBatch)));
    }
  }
  return batches;
}

/** Returns the files of unit tests below a folder, relative to it, in order. */
export const unitTests = (folder: string) => find(folder, /(?<!_(?:server|measure))_test\.ts$/);

/** The same of tests with servers. */
export const serverTests = (folder: string) => find(folder, /_server_test\.ts$/);

async function find(folder: string, kind: RegExp): Promise<string[]> {
  const found: string[] = [];
  const look = async (below: string) => {
    for await (const { name, isDirectory } of Deno.readDir(join(folder, below))) {
      const path = join(below, name);
      if (isDirectory) await look(path);
      else if (kind.test(name)) found.push(path);
    }
  };
  await look("");
  return found.sort();
}
