/**
 * Batches: a few modules that import all unit tests. A file that is tested by itself loads anew whatever it uses, which takes
 * longer than most unit tests do; files of one room use much the same. What fails is still named with its own file and line.
 */
import { join, toFileUrl } from "@std/path";

/** So few that a processor that is done finds another batch. */
const mostInBatch = 10;

/** The batches, until they are disposed of. */
export interface Batches extends AsyncDisposable {
  paths: string[];
}

/** Writes the batches of the unit tests below a folder: of each room of its own, and several of a large room. */
export async function writeBatches(folder: string): Promise<Batches> {
  const target = await Deno.makeTempDir({ prefix: "backbench-tests-" });
  const rooms = Map.groupBy(await unitTests(folder), (path) => path.split("/")[0]!);
  const paths: string[] = [];
  for (const [room, files] of rooms) {
    for (let first = 0; first < files.length; first += mostInBatch) {
      const imports = files.slice(first, first + mostInBatch)
        .map((file) => `import ${JSON.stringify(toFileUrl(join(folder, file)).href)};\n`);
      const path = join(target, `${room}_${paths.length}_test.ts`);
      await Deno.writeTextFile(path, imports.join(""));
      paths.push(path);
    }
  }
  return { paths, [Symbol.asyncDispose]: () => Deno.remove(target, { recursive: true }) };
}

/** Returns the files of unit tests below a folder, relative to it, in order. */
export async function unitTests(folder: string): Promise<string[]> {
  const found: string[] = [];
  const look = async (below: string) => {
    for await (const { name, isDirectory } of Deno.readDir(join(folder, below))) {
      const path = join(below, name);
      if (isDirectory) await look(path);
      else if (/(?<!_(?:server|measure))_test\.ts$/.test(name)) found.push(path);
    }
  };
  await look("");
  return found.sort();
}
