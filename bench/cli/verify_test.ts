import { assertEquals } from "@std/assert";
import { makePlace, runCommandLine } from "../testing/place.ts";

Deno.test("verify() refuses, before it builds, what a measurement could not read the versions of", async () => {
  await using place = await makePlace();
  await place.addOwn("stale", { driver: "mysql3" });
  const { code, stderr } = await runCommandLine(place, ["verify", "stale"]);
  assertEquals([code, stderr], [
    1,
    'Cannot read the versions of "stale": deno.lock has no mysql3, ' +
    "expected the packages' names as they stand there, or parts of the runtime that `isBuiltIn` in " +
    "bench/impl/ecosystems/ accepts\n",
  ]);
  assertEquals(await place.leftovers(), []);
});
