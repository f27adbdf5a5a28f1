import { assertEquals, assertRejects } from "@std/assert";
import { temporaryFolder } from "../testing/temporary_folder.ts";
import { foldersOf } from "./folders.ts";
import { measureAlone } from "./measure_alone.ts";

Deno.test("measureAlone() waits for another command of the checkout, says so once, and can be interrupted", async () => {
  await using folder = await temporaryFolder();
  const folders = { ...foldersOf(), root: folder.path };
  const lines: string[] = [];
  const interrupting = new AbortController();
  const line = (text: string) => {
    lines.push(text);
    // Meanwhile, it asks for the lock again.
    setTimeout(() => interrupting.abort(), 200);
  };
  const report = { line, progress: () => {} };
  const { signal } = new AbortController();
  {
    await using _first = await measureAlone({ folders, report, signal });
    const second = measureAlone({ folders, report, signal: interrupting.signal });
    await assertRejects(() => second, DOMException);
    assertEquals(lines, ["Waiting for another command that measures or verifies in this checkout"]);
  }
  await using _next = await measureAlone({ folders, report, signal });
  assertEquals(lines.length, 1);
});
