import { assertEquals } from "@std/assert";
import { fetchPackagesElsewhere } from "../testing/fetching_packages.ts";
import { temporaryFolder } from "../testing/temporary_folder.ts";
import { keepPackages } from "./packages.ts";

Deno.test("keepPackages() waits for a process that is fetching them, and fetches nothing then", async () => {
  await using folder = await temporaryFolder();
  const { unpacked, report, lines, ended } = await fetchPackagesElsewhere(folder.path);
  const { signal } = new AbortController();
  // Nothing there could fetch them.
  const env = { PATH: "/nowhere", BACKBENCH_CACHE: folder.path };
  assertEquals(await keepPackages({ env, report, signal }), unpacked);
  await ended;
  assertEquals(lines, ["Waiting for another process, which is making mysql-packages"]);
});
