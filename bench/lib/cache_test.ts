import { assertEquals, assertRejects } from "@std/assert";
import { join } from "@std/path";
import { keepFolder, removeUnused } from "./cache.ts";
import { BenchError } from "./error.ts";
import { exists } from "./exists.ts";
import { holdLock } from "./lock.ts";

const day = 24 * 3_600_000;

/** Notes of a path that it was last used so long ago. */
async function age(path: string, ms: number): Promise<void> {
  const then = new Date(Date.now() - ms);
  await Deno.utime(path, then, then);
}

async function namesIn(cache: string): Promise<string[]> {
  return (await Array.fromAsync(Deno.readDir(cache), ({ name }) => name)).sort();
}

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
    const bothWait = Promise.withResolvers<void>();
    const line = (text: string) => {
      if (lines.push(text) === 2) bothWait.resolve();
    };
    const report = { line, progress: () => {} };
    const ask = () =>
      keepFolder(cache, "tool", async (staging) => {
        made++;
        await bothWait.promise;
        return staging;
      }, { report, signal: new AbortController().signal });
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
    assertEquals(await namesIn(cache), []);
    await keepFolder(cache, "tool", (staging) => Promise.resolve(staging));
    assertEquals(await exists(join(cache, "tool")), true);
  });
});

Deno.test("keepFolder() says what to do where the cache cannot be written to", async () => {
  await withCache(async (cache) => {
    // A folder is in the place of the lock.
    await Deno.mkdir(join(cache, "tool-1.0.0.lock"));
    const error = await assertRejects(
      () => keepFolder(cache, "tool-1.0.0", () => Promise.reject(new Error("made"))),
      BenchError,
      `Cannot make "tool-1.0.0" in "${cache}": `,
    );
    assertEquals(
      error.help,
      "Make room, or let BACKBENCH_CACHE name a folder that you may write to.",
    );
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
    assertEquals(await namesIn(cache), ["slow-tool", "tool"]);
  });
});

Deno.test("keepFolder() removes versions that nobody used for 30 days, and nothing else", async () => {
  await withCache(async (cache) => {
    const make = (staging: string) => Promise.resolve(staging);
    const version = (digit: string) => `tool-1.0-${digit.repeat(12)}`;
    const [old, young, used] = [version("1"), version("2"), version("3")];
    const [locked, linked] = [version("4"), version("5")];
    // Of other tools, and what somebody else put there.
    const strange = ["my-tool-111111111111", "tool-notes", "tool", "tool-1.0-rc", "deno-2.9.6"];
    for (const name of [old, young, used, locked, ...strange]) {
      await Deno.mkdir(join(cache, name, "bin"), { recursive: true });
      await age(join(cache, name), (name === young ? 29 : 31) * day);
    }
    for (const name of [old, version("6"), "tool-notes"]) {
      await Deno.writeTextFile(join(cache, `${name}.lock`), "");
      await age(join(cache, `${name}.lock`), 31 * day);
    }
    await Deno.symlink(join(cache, "tool-notes"), join(cache, linked));
    await keepFolder(cache, used, make);
    await using _lock = await holdLock(join(cache, `${locked}.lock`));
    await keepFolder(cache, version("a"), make);
    assertEquals(
      await namesIn(cache),
      [
        ...strange,
        ...[young, used, locked, linked, version("a")],
        ...[`${locked}.lock`, "tool-notes.lock"],
      ].sort(),
    );
  });
});

Deno.test("keepFolder() removes nothing where it makes nothing", async () => {
  await withCache(async (cache) => {
    const [kept, old] = ["tool-1.0", "tool-0.9"];
    for (const name of [kept, old]) await Deno.mkdir(join(cache, name));
    await age(join(cache, old), 31 * day);
    await keepFolder(cache, kept, () => Promise.reject(new Error("it is there")));
    assertEquals(await namesIn(cache), [old, kept]);
  });
});

Deno.test("removeUnused() removes files and folders that were not changed for so long", async () => {
  await withCache(async (cache) => {
    for (const name of ["old", "new"]) {
      await Deno.mkdir(join(cache, `${name}-folder`, "within"), { recursive: true });
      await Deno.writeTextFile(join(cache, name), "");
    }
    for (const name of ["old", "old-folder"]) await age(join(cache, name), 3_600_000);
    await removeUnused(cache, 1_800_000);
    assertEquals(await namesIn(cache), ["new", "new-folder"]);
  });
});
