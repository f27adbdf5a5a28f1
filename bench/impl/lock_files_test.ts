import { assert, assertEquals, assertRejects } from "@std/assert";
import { fromFileUrl, join } from "@std/path";
import { discoverImpl, listImplIds } from "./discover.ts";
import { type Impl, packagesOf } from "./impl.ts";
import { BenchError } from "../lib/error.ts";
import type { Toolchain } from "./toolchains.ts";
import { lockedVersions, readLockText } from "./lock_files.ts";

const impls = fromFileUrl(new URL("../../impls", import.meta.url));

/** Does something with an implementation whose folder holds one file. */
async function withImpl<Result>(
  change: Partial<Impl["manifest"]>,
  [name, text]: [name: string, text: string],
  use: (impl: Impl) => Promise<Result>,
): Promise<Result> {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(join(folder, name), text);
    const { manifest } = await discoverImpl(impls, "deno");
    return await use({
      ...{ id: "example", folder, needs: [] },
      manifest: { ...manifest, ...change },
    });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Reads the versions of an implementation whose folder holds one file, and returns the error. */
function messageFor(
  change: Partial<Impl["manifest"]>,
  name: string,
  text: string,
  versions: Toolchain["versions"] = {},
) {
  return withImpl(change, [name, text], async (impl) => {
    const { message } = await assertRejects(() => lockedVersions(impl, { versions }), BenchError);
    return message.replaceAll(impl.folder, "example");
  });
}

for (const id of await listImplIds(impls)) {
  Deno.test(`lockedVersions() reads the versions of ${id}`, async () => {
    const impl = await discoverImpl(impls, id);
    const toolchains = Object.keys(impl.manifest.requires).map((name) => [name, "1.2.3"]);
    const versions = await lockedVersions(impl, { versions: Object.fromEntries(toolchains) });
    for (const name of packagesOf(impl.manifest)) {
      // As `4.2.18.Final` of Netty, or `v1.2.3` of Composer.
      const isVersion = /^v?\d+(\.\d+)+([-.+]\w+)*$/.test(versions.get(name) ?? "");
      assert(isVersion, `${name} ${versions.get(name)}`);
    }
  });
}

Deno.test("lockedVersions() gives a part of a runtime the version of the toolchain that has it", async () => {
  const change = {
    requires: { maven: ">=3.8", java: ">=25" },
    ...{ framework: "io.javalin:javalin", client: "java.net.http" },
    ...{ driver: undefined, jwt: undefined },
  };
  const dependencies = [{ groupId: "io.javalin", artifactId: "javalin", version: "7.1.0" }];
  const lock = JSON.stringify({ dependencies });
  const versions = await withImpl(
    change,
    ["dependencies-lock.json", lock],
    (impl) => lockedVersions(impl, { versions: { maven: "3.9.11", java: "25.0.3" } }),
  );
  assertEquals(Object.fromEntries(versions), {
    "io.javalin:javalin": "7.1.0",
    "java.net.http": "25.0.3",
  });
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
    await messageFor(
      { driver: "mysql3" },
      "deno.lock",
      '{"npm": {"koa@3.3.0": {}, "mysql2@3.24.5": {}}}',
      {
        deno: "2.9.6",
      },
    ),
    'Cannot read the versions of "example": key "driver": deno.lock has no package "mysql3", ' +
      'expected a name that stands there; did you mean "mysql2"?\n' +
      'Cannot read the versions of "example": key "jwt": deno.lock has no package "jsonwebtoken", ' +
      "expected a name that stands there",
  );
});

Deno.test("readLockText() reads the lock file as it is, none where it is missing, and nothing where there can be none", async () => {
  const textOf = (change: Partial<Impl["manifest"]>, name: string) =>
    withImpl(change, [name, "v1"], readLockText);
  assertEquals(await textOf({}, "deno.lock"), { name: "deno.lock", text: "v1" });
  assertEquals(await textOf({}, "other"), { name: "deno.lock", text: undefined });
  assertEquals(await textOf({ requires: {} }, "deno.lock"), undefined);
});
