import { assertEquals, assertRejects } from "@std/assert";
import { delay } from "@std/async";
import { join } from "@std/path";
import { exists, keepFolder, removeUnused } from "./cache.ts";

async function withCache(work: (cache: string) => Promise<void>): Promise<void> {
  const cache = await Deno.makeTempDir({ prefix: "backbench-test-" });
  try {
    await work(cache);
  } finally {
    await Deno.remove(cache, { recursive: true });
  }
}

Deno.test("keepFolder() makes a folder once for all who ask at the same time, and tells who waits", async () => {
  await withCache(async (cache) => {
    let made = 0;
    const lines: string[] = [];
    const report = { line: (text: string) => void lines.push(text), progress: () => {} };
    const ask = () =>
      keepFolder(cache, "tool", async (staging) => {
        made++;
        await delay(50);
        return staging;
      }, report);
    const paths = await Promise.all([ask(), ask(), ask()]);
    assertEquals([made, new Set(paths)], [1, new Set([join(cache, "tool")])]);
    assertEquals(lines, Array(2).fill("Waiting for another process, which is making tool"));
    assertEquals(await ask(), paths[0]);
  });
});

Deno.test("keepFolder() keeps nothing of what fails, and the next one tries again", async () => {
  await withCache(async (cache) => {
    await assertRejects(() => keepFolder(cache, "tool", () => Promise.reject(new Error("no"))));
    assertEquals(await exists(join(cache, "tool")), false);
    const names = await Array.fromAsync(Deno.readDir(cache), ({ name }) => name);
    assertEquals(names, []);
    await keepFolder(cache, "tool", (staging) => Promise.resolve(staging));
    assertEquals(await exists(join(cache, "tool")), true);
  });
});

Deno.test("keepFolder() removes what killed processes were making, and leaves what others are making", async () => {
  await withCache(async (cache) => {
    for (const name of ["tool", "other-tool"]) {
      const left = await Deno.makeTempDir({ dir: cache, prefix: `staging-${name}-` });
      await Deno.writeTextFile(join(left, "half"), "");
      await Deno.writeTextFile(join(cache, `${name}.lock`), "");
    }
    const [making, done] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slow = keepFolder(cache, "slow-tool", async (staging) => {
      making.resolve();
      await done.promise;
      await Deno.writeTextFile(join(staging, "whole"), "");
      return staging;
    });
    await making.promise;
    await keepFolder(cache, "tool", (staging) => Promise.resolve(staging));
    done.resolve();
    await Deno.stat(join(await slow, "whole"));
    const names = await Array.fromAsync(Deno.readDir(cache), ({ name }) => name);
    assertEquals(names.sort(), ["slow-tool", "tool"]);
  });
});

Deno.test("removeUnused() removes files and folders that were not changed for so long", async () => {
  await withCache(async (cache) => {
    for (const name of ["old", "new"]) {
      await Deno.mkdir(join(cache, `${name}-folder`, "within"), { recursive: true });
      await Deno.writeTextFile(join(cache, name), "");
    }
    const anHourAgo = new Date(Date.now() - 3_600_000);
    for (const name of ["old", "old-folder"]) {
      await Deno.utime(join(cache, name), anHourAgo, anHourAgo);
    }
    await removeUnused(cache, 1_800_000);
    const names = await Array.fromAsync(Deno.readDir(cache), ({ name }) => name);
    assertEquals(names.sort(), ["new", "new-folder"]);
  });
});
