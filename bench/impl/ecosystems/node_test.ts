import { assertEquals, assertRejects } from "@std/assert";
import { fromFileUrl, join } from "@std/path";
import { parseRange } from "@std/semver";
import { discoverImpl } from "../discover.ts";
import { packagesOf } from "../impl.ts";
import { lockedVersions } from "../lock_files.ts";
import { findToolchain, startEnvironment } from "../toolchains.ts";
import { BenchError } from "../../lib/error.ts";
import { loadEcosystem } from "../ecosystems.ts";
import { ecosystem } from "./node.ts";
import { writeProgram } from "../../testing/write_program.ts";

const impls = fromFileUrl(new URL("../../../impls", import.meta.url));

/** Makes a folder with a lock file that names a release of Node.js, and a program that says that it is another. */
async function makeFolder({ locked, says }: { locked: string; says?: string }) {
  const folder = await Deno.makeTempDir({ prefix: "backbench-test-" });
  const packages = { "": {}, "node_modules/node": { version: locked } };
  await Deno.writeTextFile(join(folder, "package-lock.json"), JSON.stringify({ packages }));
  const programs = join(folder, "node_modules", ".bin");
  await Deno.mkdir(programs, { recursive: true });
  for (const [name, text] of Object.entries({ npm: "", node: says && `echo ${says}` })) {
    if (text === undefined) continue;
    await writeProgram(join(programs, name), `#!/bin/sh\n${text}\n`);
  }
  const env = { PATH: `${programs}:${Deno.env.get("PATH")}` };
  return {
    surroundings: { folder, env },
    programs,
    [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }),
  };
}

for (const id of ["node", "bun"]) {
  Deno.test(`${id}: the lock file has its packages, and the runtime that its server finds first`, async () => {
    const impl = await discoverImpl(impls, id);
    const toolchain = await findToolchain(impl);
    const versions = await lockedVersions(impl, toolchain);
    assertEquals(toolchain.versions, { [id]: versions.get(id)! });
    for (const name of packagesOf(impl.manifest)) {
      assertEquals(/^\d+\.\d+\.\d+$/.test(versions.get(name) ?? ""), true, name);
    }
    const { PATH } = startEnvironment(toolchain);
    assertEquals(PATH?.split(":")[0], join(impl.folder, "node_modules", ".bin"));
  });
}

Deno.test("a lock file's packages are those of the top: others have versions for one package only", async () => {
  const paths = ["a", "@b/c", "a/node_modules/d", "@b/c/node_modules/@e/f"];
  const packages = Object.fromEntries(
    paths.map((path) => [`node_modules/${path}`, { version: "1.2.3" }]),
  );
  const { lockFile } = await loadEcosystem("bun");
  const text = JSON.stringify({ packages: { "": {}, ...packages } });
  assertEquals([...lockFile!.read(text).keys()], ["a", "@b/c"]);
});

Deno.test("find() takes the release of the lock file, and says what it is where it will not do", async () => {
  await using made = await makeFolder({ locked: "26.10.0" });
  const { surroundings, programs } = made;
  assertEquals(await ecosystem.find(parseRange(">=26"), surroundings), {
    version: "26.10.0",
    startPath: [programs],
  });
  assertEquals(await ecosystem.find(parseRange(">=27"), surroundings), {
    version: undefined,
    whatIs: "its version in package-lock.json is 26.10.0",
    remedy:
      "Change the range in impl.toml, or the lock file, in its folder: npm install --package-lock-only node@27",
  });
  const lockPath = join(surroundings.folder, "package-lock.json");
  await Deno.writeTextFile(lockPath, '{"packages":{}}');
  assertEquals(await ecosystem.find(parseRange(">=26"), surroundings), {
    version: undefined,
    whatIs: 'package-lock.json names no package "node"',
    remedy:
      "Add it, in its folder: npm install --package-lock-only node@26 (npm fetches the runtime as a package)",
  });
  await Deno.remove(lockPath);
  assertEquals(await ecosystem.find(parseRange(">=26"), surroundings), {
    version: undefined,
    whatIs: "there is no package-lock.json",
    should: "the lock file that npm makes of package.json",
    remedy: "Make it, in its folder: npm install --package-lock-only",
  });
  const nowhere = { ...surroundings, env: { PATH: "/nowhere" } };
  assertEquals(await ecosystem.find(parseRange(">=26"), nowhere), {
    version: undefined,
    whatIs: "npm was not found",
  });
});

Deno.test("confirm() accepts the release that was found, and no other and none", async () => {
  const confirm = async (says?: string) => {
    await using made = await makeFolder({ locked: "26.10.0", says });
    await ecosystem.confirm!("26.10.0", made.surroundings);
  };
  await confirm("v26.10.0");
  const saying = (said: string) => `\`--version\` says ${said}, expected 26.10.0`;
  await assertRejects(() => confirm("v26.9.0"), BenchError, saying("v26.9.0"));
  await assertRejects(() => confirm(), BenchError, saying("nothing, because it is not there"));
});

Deno.test("a copy's own name stands in the lock file, and in no dependency", async () => {
  for (const id of ["node", "bun"]) {
    const { ownNames } = await loadEcosystem(id);
    const text = await Deno.readTextFile(join(impls, id, "package-lock.json"));
    const found = [...text.matchAll(ownNames!["package-lock.json"]!(id))];
    assertEquals(found.map(([line]) => line.trim()), [`"name": "${id}",`]);
  }
});

Deno.test("Node.js's own are its modules by their full names, and fetch", () => {
  const names = ["fetch", "node:http", "http", "node-fetch", "Bun.serve"];
  assertEquals(names.filter((name) => ecosystem.isBuiltIn!(name)), ["fetch", "node:http"]);
});
