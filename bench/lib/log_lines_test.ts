import { assertEquals } from "@std/assert";
import { join } from "@std/path";
import { temporaryFolder } from "../testing/temporary_folder.ts";
import { firstLinesAfter, lastLinesAfter, logTail } from "./log_lines.ts";

Deno.test("logTail() returns the last lines, or says why there are none", async () => {
  await using folder = await temporaryFolder();
  const logPath = join(folder.path, "log");
  assertEquals(
    await logTail(logPath),
    `(${logPath} cannot be read: No such file or directory (os error 2): open '${logPath}')`,
  );
  await Deno.writeTextFile(logPath, "");
  assertEquals(await logTail(logPath), `(${logPath} is empty)`);
  await Deno.writeTextFile(logPath, "one\ntwo\nthree\n");
  assertEquals(await logTail(logPath, 2), "two\nthree");
});

Deno.test("firstLinesAfter() and lastLinesAfter() return what a log has grown by, without an unfinished line", async () => {
  await using folder = await temporaryFolder();
  const logPath = join(folder.path, "log");
  await Deno.writeTextFile(logPath, "one\ntwo\nthree\nfo");
  assertEquals(await firstLinesAfter(logPath, 1), ["two", "three"]);
  assertEquals(await firstLinesAfter(logPath, 3), []);
  assertEquals(await lastLinesAfter(logPath, 1, 5), ["two", "three"]);
  assertEquals(await lastLinesAfter(logPath, 0, 1), ["three"]);
  assertEquals(await lastLinesAfter(logPath, 3, 5), []);
});

Deno.test("lines of a long log are those that its first or last 64 KiB hold whole", async () => {
  await using folder = await temporaryFolder();
  const logPath = join(folder.path, "log");
  const line = (index: number) => `line ${String(index).padStart(9, "0")}`;
  const lines = Array.from({ length: 10_000 }, (_, index) => line(index));
  await Deno.writeTextFile(logPath, lines.join("\n") + "\n");
  // Of 15 bytes each.
  const whole = 4_369;
  assertEquals(await firstLinesAfter(logPath, 7), lines.slice(7, 7 + whole));
  assertEquals(await lastLinesAfter(logPath, 0, 20_000), lines.slice(-whole));
  assertEquals(await logTail(logPath, 2), `${line(9_998)}\n${line(9_999)}`);
});
