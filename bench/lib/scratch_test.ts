import { assertEquals } from "@std/assert";
import { join } from "@std/path";
import { exists } from "./exists.ts";
import { makeScratch, removeAbandoned } from "./scratch.ts";
import { temporaryFolder } from "../testing/temporary_folder.ts";

Deno.test("removeAbandoned() removes the scratch of a killed command, and no other folder", async () => {
  await using folder = await temporaryFolder();
  const long = new Date(Date.now() - 7_200_000);
  const make = async (name: string, lockedAt?: Date) => {
    await Deno.mkdir(join(folder.path, name, "data"), { recursive: true });
    if (lockedAt === undefined) return;
    const lock = join(folder.path, name, "running.lock");
    await Deno.writeTextFile(lock, "");
    await Deno.utime(lock, lockedAt, lockedAt);
  };
  await make("backbench-killed", long);
  await make("backbench-begins", new Date());
  await make("backbench-place");
  await make("other", long);
  const other = join(folder.path, "other");
  await Deno.symlink(other, join(folder.path, "backbench-link"));
  await removeAbandoned(folder.path);
  const names = await Array.fromAsync(Deno.readDir(folder.path), ({ name }) => name);
  assertEquals(names.sort(), ["backbench-begins", "backbench-link", "backbench-place", "other"]);
  assertEquals(await exists(join(other, "running.lock")), true);
});

Deno.test("makeScratch() is gone when it is disposed of, and kept while it is not", async () => {
  let path = "";
  {
    await using scratch = await makeScratch();
    path = scratch.path;
    const lock = join(path, "running.lock");
    const long = new Date(Date.now() - 7_200_000);
    await Deno.utime(lock, long, long);
    const program = `import { removeAbandoned } from "${new URL("scratch.ts", import.meta.url)}";` +
      "await removeAbandoned(Deno.args[0]);";
    const { success } = await new Deno.Command(Deno.execPath(), {
      args: ["eval", program, join(path, "..")],
    }).output();
    assertEquals([success, await exists(path)], [true, true]);
  }
  assertEquals(await exists(path), false);
});
