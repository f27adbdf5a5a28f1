import { assert, assertEquals } from "@std/assert";
import { fromFileUrl, join } from "@std/path";
import { parse as parseYaml } from "yaml";
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
