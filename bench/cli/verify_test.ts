import { assertEquals } from "@std/assert";
import { makePlace, runCommandLine } from "../testing/place.ts";

Deno.test("verify() refuses, before it builds, what a measurement could not read the versions of", async () => {
  await using place = await makePlace();
  await place.addOwn("stale", { driver: "mysql3" });
  const { code, stderr } = await runCommandLine(place, ["verify", "stale"]);
  assertEquals([code, stderr], [
    1,
    'Cannot read the versions of "stale": key "driver": deno.lock has no package "mysql3", ' +
    'expected a name that stands there; did you mean "mysql2"?\n' +
    "A name in impl.toml is that of a package, as it stands in the lock file, or of a part of the " +
    "runtime that `isBuiltIn` in bench/impl/ecosystems/ accepts.\n",
  ]);
  assertEquals(await place.leftovers(), []);
});
