import { assert, assertEquals, assertRejects } from "@std/assert";
import { delay } from "@std/async";
import { join } from "@std/path";
import { temporaryFolder } from "../testing/temporary_folder.ts";
import { holdLock, tryHoldLock } from "./lock.ts";

Deno.test("holdLock() lets in one at a time, whoever waited for the file of the one before", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "cache", "tool.lock");
  let [inside, most, told] = [0, 0, 0];
  const work = async (_: unknown, index: number) => {
    // Some come while another has the lock for whose file it waited.
    await delay(3 * index);
    await using _lock = await holdLock(path, { onWait: () => told++ });
    most = Math.max(most, ++inside);
    await delay(5);
    inside--;
  };
  await Promise.all(Array.from({ length: 12 }, work));
  assertEquals(most, 1);
  assert(told < 12, `${told} were told`);
  assertEquals([...Deno.readDirSync(join(folder.path, "cache"))], []);
});

Deno.test("holdLock() stops waiting when it is told to, and leaves the lock with whoever holds it", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "tool.lock");
  await using _lock = await holdLock(path);
  const interruption = new AbortController();
  const waiting = holdLock(path, {
    onWait: () => interruption.abort(new Error("interrupted")),
    signal: interruption.signal,
  });
  await assertRejects(() => waiting, Error, "interrupted");
  assertEquals(await tryHoldLock(path), undefined);
});

Deno.test("tryHoldLock() holds what is free, also where a killed process left the file", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "tool.lock");
  await Deno.writeTextFile(path, "");
  {
    await using lock = await tryHoldLock(path);
    assert(lock !== undefined);
    assertEquals(await tryHoldLock(path), undefined);
  }
  assertEquals([...Deno.readDirSync(folder.path)], []);
});
