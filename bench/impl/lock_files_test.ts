import { assert, assertEquals, assertRejects } from "@std/assert";
import { fromFileUrl, join } from "@std/path";
import { discoverImpl } from "./discover.ts";
import { type Impl, packagesOf } from "./impl.ts";
import { BenchError } from "../lib/error.ts";
import type { Toolchain } from "./toolchains.ts";
import { lockedVersions } from "./lock_files.ts";

const impls = fromFileUrl(new URL("../../impls", import.meta.url));

/** Reads the versions of an implementation whose folder holds one file, and returns the error. */
async function messageFor(
  change: Partial<Impl["manifest"]>,
  name: string,
  text: string,
  versions: Toolchain["versions"] = {},
) {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(join(folder, name), text);
    const { manifest } = await discoverImpl(impls, "deno");
    const impl: Impl = { id: "example", folder, manifest: { ...manifest, ...change }, needs: [] };
    const { message } = await assertRejects(() => lockedVersions(impl, { versions }), BenchError);
    return message.replaceAll(folder, "example");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

for (const id of ["deno", "rust", "spring-mvc", "spring-webflux"]) {
  Deno.test(`lockedVersions() reads the versions of ${id}`, async () => {
    const impl = await discoverImpl(impls, id);
    const versions = await lockedVersions(impl, { versions: { deno: "2.9.6" } });
    for (const name of packagesOf(impl.manifest)) {
      assert(/^\d+\.\d+\.\d+$/.test(versions.get(name) ?? ""), `${name} ${versions.get(name)}`);
    }
  });
}

Deno.test("lockedVersions() reads scoped names and leaves out what a package was resolved against", async () => {
  const versions = await lockedVersions(await discoverImpl(impls, "deno"), {
    versions: { deno: "2.9.6" },
  });
  assert(/^\d+\.\d+\.\d+$/.test(versions.get("@koa/router") ?? ""));
});

Deno.test("lockedVersions() reads the modules of go.mod, and gives net/http the version of Go", async () => {
  const impl = await discoverImpl(impls, "go");
  const versions = await lockedVersions(impl, { versions: { go: "1.26.8" } });
  const [framework, ...packages] = packagesOf(impl.manifest);
  assertEquals(versions.get(framework!), "1.26.8");
  for (const name of [...packages, "filippo.io/edwards25519"]) {
    assert(/^\d+\.\d+\.\d+$/.test(versions.get(name) ?? ""), `${name} ${versions.get(name)}`);
  }
});

Deno.test("lockedVersions() reads of go.mod only what it requires, and takes no module that it lacks for Go's own", async () => {
  const goMod = "module m\n\nrequire a.io/b v1.0.0\n\nreplace (\n\tc.io/d v1.0.0 => ./d\n)\n";
  const requires = { go: ">=1.26" };
  const change = { requires, framework: "net/http", driver: "a.io/b", jwt: "c.io/d" };
  assertEquals(
    await messageFor(change, "go.mod", goMod, { go: "1.26.8" }),
    'Cannot read the versions of "example": go.mod has no c.io/d, ' +
      "expected the packages' names as they stand there",
  );
});

Deno.test("lockedVersions() names the lock file that the toolchain has where there is none", async () => {
  assertEquals(
    await messageFor({}, "package.json", "{}"),
    'Cannot read the versions of "example": its folder has no lock file, ' +
      "expected deno.lock",
  );
  assertEquals(
    await messageFor({ requires: { java: ">=25" } }, "deno.lock", "{}"),
    'Cannot read the versions of "example": it requires java, expected a toolchain with a lock file',
  );
});

Deno.test("lockedVersions() says where a lock file is damaged", async () => {
  const message = await messageFor({}, "deno.lock", '{"npm": {');
  assertEquals(message.startsWith('Cannot parse "example/deno.lock": '), true, message);
});

Deno.test("lockedVersions() names the packages that a lock file lacks", async () => {
  assertEquals(
    await messageFor({ driver: "mysql3" }, "deno.lock", '{"npm": {"koa@3.3.0": {}}}', {
      deno: "2.9.6",
    }),
    'Cannot read the versions of "example": deno.lock has no mysql3, jsonwebtoken, ' +
      "expected the packages' names as they stand there",
  );
});
