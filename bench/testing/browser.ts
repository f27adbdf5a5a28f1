/**
 * A headless Chromium, which tests of the site drive. It is the one of this machine: nothing is downloaded.
 */
import { type Browser, chromium } from "playwright-core";
import { BenchError } from "../lib/error.ts";
import { chromiumNames, findChromium, programs } from "../tools/programs.ts";

/**
 * Starts Chromium; disposing of it ends it.
 *
 * @throws {BenchError} naming what to install, when there is none.
 */
export async function launchBrowser(
  env: Record<string, string> = Deno.env.toObject(),
): Promise<Browser> {
  const executablePath = await findChromium(env);
  if (executablePath === undefined) {
    const own = env.BACKBENCH_CHROMIUM;
    throw new BenchError(
      own
        ? `Cannot start "${own}": no such file, expected the Chromium that BACKBENCH_CHROMIUM names`
        : `Cannot start "chromium": none of ${chromiumNames.join(", ")} is on PATH, expected one`,
      { help: programs.chromium.install },
    );
  }
  return await chromium.launch({ executablePath });
}
