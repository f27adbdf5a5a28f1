import { BenchError, messageOf } from "./error.ts";

/**
 * Makes the folder for what a command needs while it runs, and returns its path.
 *
 * @throws {BenchError} when the system's folder of temporary files cannot be used.
 */
export async function makeScratch(): Promise<string> {
  try {
    return await Deno.makeTempDir({ prefix: "backbench-" });
  } catch (cause) {
    const should = "expected TMPDIR to name a folder that it can be created in";
    throw new BenchError(`Cannot create a temporary folder: ${messageOf(cause)}, ${should}`, {
      cause,
    });
  }
}
