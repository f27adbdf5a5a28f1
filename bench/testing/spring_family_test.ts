/** The Spring implementations are compared with each other: what must be equal is, to the letter. */
import { assertEquals } from "@std/assert";
import { fromFileUrl, join } from "@std/path";
import { parse as parseYaml } from "@std/yaml";
import { discoverImpl } from "../impl/discover.ts";
import { lockedVersions } from "../impl/lock_files.ts";

const impls = fromFileUrl(new URL("../../impls", import.meta.url));
const ids = ["spring-mvc", "spring-virtual-threads", "spring-webflux"];
/** Those on the present line of Spring Boot: each has an AOT cache, as it documents. */
const trained = [...ids, "spring-webclient"];
/** Those that an article compares, on the last line of Spring Boot that has both clients. */
const callers = ["spring-resttemplate", "spring-async-resttemplate"] as const;

async function read(id: string, path: string): Promise<string> {
  return await Deno.readTextFile(join(impls, id, path));
}

const families: readonly (readonly string[])[] = [ids, callers];
for (const family of families) {
  Deno.test(`${family.join(", ")} are built and started alike`, async () => {
    const all = await Promise.all(family.map((id) => discoverImpl(impls, id)));
    const [first, ...others] = all.map(({ manifest: { build, start, requires } }) => ({
      build,
      start,
      requires,
    }));
    for (const other of others) assertEquals(other, first);
  });
}

Deno.test("the Spring implementations start with the cache and class path of their training run", async () => {
  for (const id of trained) {
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

Deno.test("the Spring implementations are trained with the same environment", async () => {
  const all = await Promise.all(trained.map(async (id) => {
    const pom = await read(id, "pom.xml");
    return /<environmentVariables>(.*?)<\/environmentVariables>/s.exec(pom)?.[1];
  }));
  assertEquals(all, trained.map(() => all[0] ?? "an environment"));
});

Deno.test("the Spring implementations have the same settings of what they share, and give up a call after the same time", async () => {
  const all = new Map<string, Map<string, unknown>>();
  for (const id of ids) {
    const settings = settingsOf(parseYaml(await read(id, "src/main/resources/application.yml")));
    all.set(id, new Map(settings));
  }
  const keys = new Set([...all.values()].flatMap((settings) => [...settings.keys()]));
  for (const key of keys) {
    const values = new Set([...all.values()].flatMap((it) => it.has(key) ? [it.get(key)] : []));
    assertEquals(values.size, 1, key);
  }
  const timeouts = ["spring.http.clients.read-timeout", "upstream.timeout"];
  assertEquals(
    [...all.values()].flatMap((settings) => timeouts.flatMap((key) => settings.get(key) ?? [])),
    ids.map(() => "5s"),
  );
});

/** Returns the settings of a file, with their keys in one line, as Spring knows them. */
function settingsOf(value: unknown, path: string[] = []): [string, unknown][] {
  if (typeof value !== "object" || value === null) return [[path.join("."), value]];
  return Object.entries(value).flatMap(([key, inner]) => settingsOf(inner, [...path, key]));
}

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

Deno.test("the callers with RestTemplate and AsyncRestTemplate have the same packages, settings and pool", async () => {
  const [blocking, asynchronous] = callers;
  const sources = "src/main/java/backbench";
  for (
    const path of [
      "dependencies-lock.json",
      "src/main/resources/application.yml",
      join(sources, "PoolConfiguration.java"),
      join(sources, "AnyStatus.java"),
      join(sources, "BodyReader.java"),
    ]
  ) assertEquals(await read(asynchronous, path), await read(blocking, path), path);
  const pom = await read(asynchronous, "pom.xml");
  assertEquals(pom.replace(asynchronous, blocking), await read(blocking, "pom.xml"));
});

Deno.test("WebClient with an article's pool is on the line, and gives up a call after the time, of spring-webflux", async () => {
  const [ours, article] = ["spring-webflux", "spring-webclient"] as const;
  const parentOf = async (id: string) =>
    /<parent>.*?<\/properties>/s.exec(await read(id, "pom.xml"))?.[0]
      .replace(`<artifactId>${id}</artifactId>`, "")
      .replace(/\s*<jjwt\.version>.*/, "");
  assertEquals(await parentOf(article), await parentOf(ours));
  const [all, few] = await Promise.all(
    [ours, article].map(async (id) =>
      await lockedVersions(await discoverImpl(impls, id), { versions: {} })
    ),
  );
  for (const [name, version] of few!) assertEquals(all!.get(name), version, name);
  const path = "src/main/resources/application.yml";
  const timeoutOf = async (id: string) =>
    new Map(settingsOf(parseYaml(await read(id, path)))).get("upstream.timeout");
  assertEquals(await timeoutOf(article), await timeoutOf(ours) ?? "a time");
});
