import { assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { makePlace, runCommandLine } from "../testing/place.ts";

Deno.test("verify() fails, each time, where a build leaves what git does not know, but not where that is ignored", async () => {
  await using place = await makePlace();
  await place.addOwn("leaves", { build: ["touch", "left"] });
  const verify = () => runCommandLine(place, ["verify", "leaves", "--scenario", "hello"]);
  for (let time = 0; time < 2; time++) {
    const { code, stdout } = await verify();
    assertStringIncludes(stdout, 'Cannot publish results of leaves: git does not track "left", ');
    assertEquals(code, 1);
  }
  const ignoring = join(place.folders.impls, "leaves", ".gitignore");
  await Deno.writeTextFile(ignoring, "build.log\nleft\n");
  const { code, stdout, stderr } = await verify();
  assertEquals([code, stdout], [0, "leaves meets the contract of hello\n"], stderr);
});
