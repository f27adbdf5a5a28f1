/** The three Spring implementations are compared with each other: what must be equal is, to the letter. */
import { assertEquals } from "@std/assert";
import { fromFileUrl, join } from "@std/path";
import { discoverImpl } from "../impl/discover.ts";
import { lockedVersions } from "../impl/lock_files.ts";

const impls = fromFileUrl(new URL("../../impls", import.meta.url));
const ids = ["spring-mvc", "spring-virtual-threads", "spring-webflux"];

async function read(id: string, path: string): Promise<string> {
  return await Deno.readTextFile(join(impls, id, path));
}

Deno.test("the Spring implementations are built and started alike", async () => {
  const all = await Promise.all(ids.map((id) => discoverImpl(impls, id)));
  const [first, ...others] = all.map(({ manifest: { build, start, requires } }) => ({
    build,
    start,
    requires,
  }));
  for (const other of others) assertEquals(other, first);
});

Deno.test("the Spring implementations start with the cache and class path of their training run", async () => {
  for (const id of ids) {
    const { manifest: { start } } = await discoverImpl(impls, id);
    const [program, cache, ...rest] = start;
    assertEquals([program, ...rest], ["java", "-jar", "target/backend/backend.jar"]);
    const training = /<id>train<\/id>.*?<arguments>(.*?)<\/arguments>/s.exec(
      await read(id, "pom.xml"),
    );
    const words = [...training?.[1]?.matchAll(/<argument>(.*?)<\/argument>/g) ?? []].map(([, it]) =>
      it
    );
    assertEquals(words.at(0), cache?.replace("AOTCache", "AOTCacheOutput"));
    assertEquals(words.slice(-2), rest);
  }
});

Deno.test("the Spring implementations have the same versions of what they share", async () => {
  const all = await Promise.all(
    ids.map(async (id) => await lockedVersions(await discoverImpl(impls, id), { versions: {} })),
  );
  const differing = new Set<string>();
  for (const versions of all) {
    for (const [name, version] of versions) {
      if (all.some((other) => (other.get(name) ?? version) !== version)) differing.add(name);
    }
  }
  assertEquals([...differing], []);
});

Deno.test("virtual threads and platform threads differ in one property", async () => {
  const [platform, virtual] = ["spring-mvc", "spring-virtual-threads"] as const;
  const sources = "src/main/java/backbench";
  for await (const { name } of Deno.readDir(join(impls, platform, sources))) {
    const path = join(sources, name);
    assertEquals(await read(virtual, path), await read(platform, path), path);
  }
  const lines = async (id: string, path: string) => (await read(id, path)).split("\n");
  const changed = async (path: string) => {
    const [before, after] = [await lines(platform, path), await lines(virtual, path)];
    return after.filter((line) => !before.includes(line)).map((line) => line.trim());
  };
  assertEquals(await changed("pom.xml"), [`<artifactId>${virtual}</artifactId>`]);
  assertEquals(await changed("dependencies-lock.json"), []);
  assertEquals(await changed("src/main/resources/application.yml"), [
    "# The only difference from spring-mvc.",
    "threads:",
    "virtual:",
    "enabled: true",
  ]);
});
