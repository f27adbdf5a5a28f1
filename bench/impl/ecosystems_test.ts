import { assert, assertEquals, assertMatch } from "@std/assert";
import { fromFileUrl, join } from "@std/path";
import { parse as parseToml } from "@std/toml";
import { parse as parseYaml } from "@std/yaml";
import { z } from "zod";
import { discoverImpl, listImplIds } from "./discover.ts";
import { ecosystemNames, loadEcosystem, requiredEcosystems } from "./ecosystems.ts";

const root = fromFileUrl(new URL("../..", import.meta.url));

Deno.test("every file of ecosystems/ says how its toolchain is found and installed", async () => {
  for (const name of ecosystemNames) {
    const { find, install, runsOn } = await loadEcosystem(name);
    assertEquals([typeof find, typeof install], ["function", "string"], name);
    assert(runsOn === undefined || ecosystemNames.includes(runsOn), name);
  }
});

Deno.test("every ecosystem that checks sources names commands that repair them", async () => {
  for (const name of ecosystemNames) {
    const { checks = [], repairs = [] } = await loadEcosystem(name);
    assertEquals(repairs.length > 0, checks.length > 0, name);
  }
});

Deno.test("requiredEcosystems() puts what runs on another toolchain after it, else keeps their order", async () => {
  const namesOf = async (...names: string[]) =>
    (await requiredEcosystems(Object.fromEntries(names.map((name) => [name, ">=1"]))))
      .map(([name]) => name);
  assertEquals(await namesOf("maven", "java"), ["java", "maven"]);
  assertEquals(await namesOf("rust", "go", "deno"), ["rust", "go", "deno"]);
});

const dependabotSchema = z.object({
  updates: z.array(z.object({ "package-ecosystem": z.string(), directories: z.array(z.string()) })),
});

Deno.test("Dependabot looks after every language that an implementation requires, and no other", async () => {
  const required = new Set<string>();
  const impls = join(root, "impls");
  for (const id of await listImplIds(impls)) {
    const { manifest } = await discoverImpl(impls, id);
    for (const [, { dependabot }] of await requiredEcosystems(manifest.requires)) {
      if (dependabot !== undefined) required.add(dependabot);
    }
  }
  const file = await Deno.readTextFile(join(root, ".github", "dependabot.yml"));
  const updated = dependabotSchema.parse(parseYaml(file)).updates
    .filter(({ directories }) => directories.includes("/impls/*"))
    .map((update) => update["package-ecosystem"]);
  assertEquals(updated.sort(), [...required].sort());
});

Deno.test("Rust is pinned to one release with its linter, so that a lint of a newer one blocks nobody, and Dependabot moves it", async () => {
  const pinned = await Deno.readTextFile(join(root, "rust-toolchain.toml"));
  const { channel, components } = z.object({
    toolchain: z.object({ channel: z.string(), components: z.array(z.string()) }),
  }).parse(parseToml(pinned)).toolchain;
  assertMatch(channel, /^\d+\.\d+\.\d+$/);
  assertEquals(components, ["clippy", "rustfmt"]);
  const file = await Deno.readTextFile(join(root, ".github", "dependabot.yml"));
  const update = dependabotSchema.parse(parseYaml(file)).updates
    .find((update) => update["package-ecosystem"] === "rust-toolchain");
  assertEquals(update?.directories, ["/"]);
});

async function* filesBelow(folder: string): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = join(folder, name);
    if (!isDirectory) yield path;
    else if (name !== "ecosystems" && name !== "testing") yield* filesBelow(path);
  }
}

Deno.test("nothing of the harness but a language's own file names its lock file", async () => {
  const lockFiles = (await Promise.all(ecosystemNames.map(loadEcosystem)))
    .flatMap(({ lockFile }) => lockFile === undefined ? [] : [lockFile.name]);
  // The harness has these itself.
  const others = lockFiles.filter((name) => !["deno.lock", "Cargo.lock"].includes(name));
  assert(others.length > 0);
  const files = await Array.fromAsync(filesBelow(join(root, "bench")));
  const products = files.filter((path) => path.endsWith(".ts") && !path.endsWith("_test.ts"));
  for (const path of [...products, join(root, "justfile")]) {
    const text = await Deno.readTextFile(path);
    assertEquals(others.filter((name) => text.includes(name)), [], path);
  }
});

/** Ends of names that no public registry has: https://www.iana.org/assignments/special-use-domain-names, and usual ones. */
const privateEnds =
  /\.(?:arpa|corp|example|home|internal|intranet|invalid|lan|local|localhost|private|test)$/;

/**
 * Tells whether an address may be one on the internet: no port, no credentials, no number, a name with a dot. A lock file
 * may have homepages, too, and some of those have no TLS.
 */
function isPublic(address: string): boolean {
  const { port, username, hostname } = new URL(address);
  return port === "" && username === "" && /\.[a-z]+$/.test(hostname) &&
    !privateEnds.test(hostname);
}

Deno.test("isPublic() tells a registry or homepage on the internet from one of a company or machine", () => {
  const open = [
    "https://registry.npmjs.org/koa/-/koa-3.3.0.tgz",
    "http://www.doctrine-project.org",
  ];
  const closed = [
    "http://localhost/simple",
    "http://127.0.0.1/simple",
    "http://[::1]/simple",
    "http://10.0.0.7:8081/repository",
    "https://nexus/repository",
    "https://pypi.org:8443/simple",
    "https://token@gitlab.com/api",
    "https://npm.acme.internal/koa",
    "http://mirror.local/koa",
  ];
  assertEquals([...open, ...closed].filter(isPublic), open);
});

Deno.test("no lock file leads to a registry of one machine", async () => {
  const folder = join(root, "impls");
  for (const id of await listImplIds(folder)) {
    const impl = await discoverImpl(folder, id);
    for (const [, { lockFile }] of await requiredEcosystems(impl.manifest.requires)) {
      if (lockFile === undefined) continue;
      const text = await Deno.readTextFile(join(impl.folder, lockFile.name));
      for (const [address] of text.matchAll(/\bhttps?:\/\/[^\s"']+/g)) {
        assert(isPublic(address), `${impl.id}: ${lockFile.name} has ${address}`);
      }
    }
  }
});
