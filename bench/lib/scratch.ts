import { BenchError, messageOf } from "./error.ts";

/**
 * Makes the folder for what a command needs while it runs, and returns its path.
 *
 * @throws {BenchError} when the system's folder of temporary files cannot be used.
 */
export function makeScratch(): Promise<string> {
  return makeFolder("backbench-");
}

/**
 * Makes a folder for the requests of loads, and returns its path. Nothing in its name tells it from those of other
 * programs: a server is not to find what it will be asked for.
 *
 * @throws {BenchError} when the system's folder of temporary files cannot be used.
 */
export function makeLoadFolder(): Promise<string> {
  return makeFolder("");
}

async function makeFolder(prefix: string): Promise<string> {
  try {
    return await Deno.makeTempDir({ prefix });
  } catch (cause) {
    const should = "expected TMPDIR to name a folder that it can be created in";
    throw new BenchError(`Cannot create a temporary folder: ${messageOf(cause)}, ${should}`, {
      cause,
    });
  }
}
