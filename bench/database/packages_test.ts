import { assertEquals } from "@std/assert";
import { join } from "@std/path";
import { inStaging } from "../lib/cache.ts";
import { temporaryFolder } from "../testing/temporary_folder.ts";
import { keepPackages } from "./packages.ts";

Deno.test("keepPackages() waits for a process that is fetching them, and fetches nothing then", async () => {
  await using folder = await temporaryFolder();
  const cache = folder.path;
  const unpacked = join(cache, "mysql-packages-9.9.9");
  const [fetching, waiting] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const other = inStaging(cache, "mysql-packages", async () => {
    fetching.resolve();
    await waiting.promise;
    await Deno.mkdir(unpacked);
  });
  await fetching.promise;
  const lines: string[] = [];
  const report = {
    line: (text: string) => {
      lines.push(text);
      waiting.resolve();
    },
    progress: () => {},
  };
  const { signal } = new AbortController();
  // Nothing there could fetch them.
  const env = { PATH: "/nowhere", BACKBENCH_CACHE: cache };
  assertEquals(await keepPackages({ env, report, signal }), unpacked);
  await other;
  assertEquals(lines, ["Waiting for another process, which is making mysql-packages"]);
});
